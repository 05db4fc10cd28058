"""Where things lie on this machine."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def native_build() -> Path:
    """What `make native` built; `FP_NATIVE` names another place."""
    return Path(os.environ.get("FP_NATIVE") or ROOT / "build" / "native")


def var() -> Path:
    """Where the grader keeps its caches; `FP_VAR` names another place."""
    return Path(os.environ.get("FP_VAR") or ROOT / "var")
