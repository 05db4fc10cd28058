"""The two libraries that are compared."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SIMULATED = ROOT / "build" / "native" / "lib" / "libcudnn.so.9"
WHEEL = "nvidia-cudnn-cu12==9.19.*"
REAL = ROOT / "build" / "parity" / "nvidia" / "cudnn" / "lib" / "libcudnn.so.9"


def install_real() -> Path:
    """The real library below build/parity, installed from its wheel where it is missing (it needs no GPU here)."""
    if REAL.is_file():
        return REAL
    target = REAL.parents[3]
    print(f"parity: installing {WHEEL} into {target} (716 MB)", flush=True)
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    install = [uv, "pip", "install"] if uv else [sys.executable, "-m", "pip", "install"]
    subprocess.run([*install, "--target", str(target), "--no-deps", WHEEL], check=True)
    return REAL
