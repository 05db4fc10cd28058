"""The simulator survives random calls (``python -m tests.native.parity.fuzz --seconds 600`` for the long run)."""

import subprocess
import sys

from tests.native.simulator import ROOT

GROUPS = "convolution cuda_device cuda_error cuda_event cuda_memory cuda_stream filter handle tensor version_and_errors"


def test_random_calls_are_survived(native_build: object) -> None:
    command = [sys.executable, "-m", "tests.native.parity.fuzz", "--seconds", "8", "--groups", *GROUPS.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stdout
    assert int(done.stdout.split()[-2]) > 500
