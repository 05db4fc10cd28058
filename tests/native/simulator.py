"""The simulated libraries through ctypes, as thinly as a C program uses them."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = Path(os.environ.get("FP_SIM_LIBRARIES", ROOT / "build" / "native" / "lib"))
"""FP_SIM_LIBRARIES: another build of the simulator, such as one with a sanitizer."""

FLOAT, DOUBLE, HALF, INT8, INT32, UINT8, BFLOAT16 = 0, 1, 2, 3, 4, 6, 9
NCHW, NHWC = 0, 1
CONVOLUTION, CROSS_CORRELATION = 0, 1
SUCCESS, BAD_PARAM, NOT_SUPPORTED = 0, 2000, 3000
TO_DEVICE, TO_HOST = 1, 2


class Perf(ctypes.Structure):
    """cudnnConvolutionFwdAlgoPerf_t."""

    _fields_ = (
        ("algo", ctypes.c_int),
        ("status", ctypes.c_int),
        ("time", ctypes.c_float),
        ("memory", ctypes.c_size_t),
        ("determinism", ctypes.c_int),
        ("mathType", ctypes.c_int),
        ("reserved", ctypes.c_int * 3),
    )


def ints(values: Sequence[int]) -> Any:
    return (ctypes.c_int * len(values))(*values)


class Simulator:
    """Both libraries, one handle, and NumPy arrays on the simulated device."""

    def __init__(self, libraries: Path = LIBRARIES) -> None:
        self.rt = ctypes.CDLL(str(libraries / "libcudart.so.12"))
        self.dnn = ctypes.CDLL(str(libraries / "libcudnn.so.9"))
        self.handle = ctypes.c_void_p()
        self.must(self.dnn.cudnnCreate(ctypes.byref(self.handle)))

    @staticmethod
    def must(status: int) -> None:
        assert status == SUCCESS, f"status {status}"

    def last_error(self) -> str:
        text = ctypes.create_string_buffer(512)
        self.dnn.cudnnGetLastErrorString(text, ctypes.c_size_t(512))
        return text.value.decode()

    def malloc(self, size: int) -> ctypes.c_void_p:
        pointer = ctypes.c_void_p()
        self.must(self.rt.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(size)))
        return pointer

    def to_device(self, array: np.ndarray) -> ctypes.c_void_p:
        pointer = self.malloc(max(array.nbytes, 1))
        source = np.ascontiguousarray(array)
        self.must(self.rt.cudaMemcpy(pointer, pointer_to(source), ctypes.c_size_t(source.nbytes), TO_DEVICE))
        return pointer

    def to_host(self, pointer: ctypes.c_void_p, like: np.ndarray) -> np.ndarray:
        array = np.empty_like(like)
        self.must(self.rt.cudaMemcpy(pointer_to(array), pointer, ctypes.c_size_t(array.nbytes), TO_HOST))
        return array

    def free(self, *pointers: ctypes.c_void_p) -> None:
        for pointer in pointers:
            self.must(self.rt.cudaFree(pointer))

    def create(self, kind: str) -> ctypes.c_void_p:
        descriptor = ctypes.c_void_p()
        self.must(getattr(self.dnn, f"cudnnCreate{kind}Descriptor")(ctypes.byref(descriptor)))
        return descriptor

    def tensor(self, dtype: int, dims: Sequence[int], strides: Sequence[int]) -> ctypes.c_void_p:
        descriptor = self.create("Tensor")
        self.must(self.dnn.cudnnSetTensorNdDescriptor(descriptor, dtype, len(dims), ints(dims), ints(strides)))
        return descriptor

    def filter(self, dtype: int, layout: int, dims: Sequence[int]) -> ctypes.c_void_p:
        descriptor = self.create("Filter")
        self.must(self.dnn.cudnnSetFilterNdDescriptor(descriptor, dtype, layout, len(dims), ints(dims)))
        return descriptor


def pointer_to(array: np.ndarray) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


def packed_strides(dims: Sequence[int], layout: int) -> list[int]:
    """Strides in elements of a packed tensor with dims N, C, spatial."""
    order = [0, *range(2, len(dims)), 1] if layout == NHWC else list(range(len(dims)))
    strides, step = [0] * len(dims), 1
    for axis in reversed(order):
        strides[axis] = step
        step *= dims[axis]
    return strides


@dataclass(slots=True)
class Outcome:
    """What a program in a process of its own left behind."""

    status: int
    stdout: str
    stderr: str
    notes: list[str]


def run_program(source: str, early: bool = False, **environment: str) -> Outcome:
    """Runs Python code with `sim`, `ctypes` and `np` at hand; notes are the lines that the simulator wrote.

    early: the first line of `source` runs before the libraries are loaded.
    """
    first, rest = source.split("\n", 1) if early else ("", source)
    preamble = "import ctypes, numpy as np\nfrom tests.native.simulator import *\nsim = Simulator()\n"
    done = subprocess.run(
        [sys.executable, "-c", f"{first}\n{preamble}{rest}"],
        cwd=ROOT,
        env={**os.environ, "FP_SIM_NOTES": "1", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    prefix = "fp_sim: "
    notes = [line.removeprefix(prefix) for line in done.stderr.splitlines() if line.startswith(prefix)]
    return Outcome(done.returncode, done.stdout, done.stderr, notes)
