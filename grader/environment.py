"""Everything that grading needs of this machine, checked: printed by `python -m grader env`."""

import os
import stat
from pathlib import Path
from typing import Any

from grader.backends import BackendUnavailableError, simulated
from grader.launch import python_mounts
from grader.paths import native_build
from grader.sandbox.environment import Check
from grader.sandbox.environment import check_environment as check_sandbox
from grader.selftest import prove_gpu


def check_environment() -> list[Check]:
    """Checks of the sandbox, then of the backends and of the files that the sandbox shows."""
    return [*check_sandbox(), _backend("simulator"), _backend("gpu"), _readable()]


def _backend(name: str) -> Check:
    try:
        info = (prove_gpu() if name == "gpu" else simulated.find()).info
    except BackendUnavailableError as error:
        return Check(name, False, False, str(error), error.mend)
    return Check(name, True, False, f"{info.device}, cuDNN {info.cudnn_version}")


def _readable() -> Check:
    """A grader that is root drops to another user inside, who must be able to read what is mounted."""
    roots = [native_build(), *(mount.source for mount in python_mounts())]
    hidden = next((root for root in roots if os.geteuid() == 0 and root.exists() and not _open_to_all(root)), None)
    if hidden is None:
        return Check("files", True, True, "the sandbox can read what it is shown")
    mend = f"chmod -R o+rX {hidden}"
    return Check("files", False, True, f"{hidden} cannot be read by the sandbox's user", mend)


def _open_to_all(root: Path) -> bool:
    paths = [root, *root.glob("*"), *root.glob("lib/*")]
    return all(path.is_symlink() or path.stat().st_mode & stat.S_IROTH for path in paths)


def summary() -> dict[str, Any]:
    """For the worker's first line: name → "ok", or what is missing."""
    return {check.name: "ok" if check.ok else check.detail for check in check_environment()}
