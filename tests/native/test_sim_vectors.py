"""The kernels for processors with narrower vectors than this one has: the same tests, with these kernels asked for."""

import os
import subprocess
import sys

import pytest

from tests.native.simulator import ROOT

CHOICE = "(gradients or fused_forward) and (large or stride or pixels) and not pytorch"


@pytest.mark.parametrize("width", [16, 32])
def test_convolutions_with_narrower_vectors(native_build: object, width: int) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/native/test_ops_convolution.py"]
    environment = {**os.environ, "FP_SIM_VECTOR_BYTES": str(width)}
    done = subprocess.run(
        [*command, "-k", CHOICE], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "passed" in done.stdout
