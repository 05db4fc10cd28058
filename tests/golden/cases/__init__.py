"""Mistakes that people made in public with cuDNN, as small programs with what must come of each.

A file of YAML for each topic. `case` is the number in the list of cases, and `source` the public report; `program` is a
whole program (Python gets the prelude below), or solves an `exercise` of `exercises.py`; `convolve` stands for a
solution of `convolve` with these changes. Expected: `verdict`, `prints`, `rules` (findings, exactly these),
`reasons` (at failed calls, exactly these), `pattern` (of the first output); `says`: words that the explanation must
have, in each language.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent

PRELUDE = """import contextlib

import cupy
import libcudnn as L
import libcudnn.cuda as cuda
import numpy as np

FLOAT, DOUBLE, HALF, INT8, INT32 = (getattr(L, "CUDNN_DATA_" + t) for t in ("FLOAT", "DOUBLE", "HALF", "INT8", "INT32"))
NCHW, NHWC = L.CUDNN_TENSOR_NCHW, L.CUDNN_TENSOR_NHWC
GEMM, PRECOMP = L.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, L.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM
made = []


def keep(destroy, thing):
    made.append((destroy, thing))
    return thing


def handle():
    return keep(L.cudnnDestroy, L.cudnnCreate())


def tensor(*dims, type=FLOAT, layout=NCHW):
    made_ = keep(L.cudnnDestroyTensorDescriptor, L.cudnnCreateTensorDescriptor())
    L.cudnnSetTensor4dDescriptor(made_, layout, type, *dims)
    return made_


def filters(*dims, type=FLOAT, layout=NCHW):
    made_ = keep(L.cudnnDestroyFilterDescriptor, L.cudnnCreateFilterDescriptor())
    L.cudnnSetFilter4dDescriptor(made_, type, layout, *dims)
    return made_


def convolution(pad=0, stride=1, dilation=1, mode=L.CUDNN_CROSS_CORRELATION, type=FLOAT):
    made_ = keep(L.cudnnDestroyConvolutionDescriptor, L.cudnnCreateConvolutionDescriptor())
    L.cudnnSetConvolution2dDescriptor(made_, pad, pad, stride, stride, dilation, dilation, mode, type)
    return made_


def attempt(call, *arguments):
    try:
        call(*arguments)
        print("SUCCESS")
    except (L.CudnnError, L.CudaError) as error:
        print(error.status.name.removeprefix("CUDNN_STATUS_"))


def done():
    while made:
        destroy, thing = made.pop()
        with contextlib.suppress(L.CudnnError, L.CudaError):  # after a fault of the device every call fails
            destroy(thing)


"""


@dataclass(frozen=True)
class PublicCase:
    case: int
    name: str
    source: str
    language: str
    program: str
    exercise: str = ""
    """Exercise of `exercises.py` that the program solves; "" for a whole program."""
    verdict: str = "accepted"
    prints: list[str] | None = None
    rules: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    pattern: str = ""
    says: dict[str, str] = field(default_factory=dict)


CONVOLVE = """import cupy
import libcudnn as L


def convolve(handle, x, w, y):
    {first}
    xd, yd = L.cudnnCreateTensorDescriptor(), L.cudnnCreateTensorDescriptor()
    wd, c = L.cudnnCreateFilterDescriptor(), L.cudnnCreateConvolutionDescriptor()
    L.cudnnSetTensor4dDescriptor(xd, L.CUDNN_TENSOR_NCHW, L.CUDNN_DATA_FLOAT, *x.shape)
    L.cudnnSetTensor4dDescriptor(yd, L.CUDNN_TENSOR_NCHW, L.CUDNN_DATA_FLOAT, *y.shape)
    L.cudnnSetFilter4dDescriptor(wd, L.CUDNN_DATA_FLOAT, L.CUDNN_TENSOR_NCHW, *w.shape)
    L.cudnnSetConvolution2dDescriptor(c, 0, 0, 1, 1, 1, 1, L.{mode}, L.CUDNN_DATA_FLOAT)
    L.cudnnConvolutionForward(handle, 1.0, xd, x, wd, w, c, 0, None, 0, {beta}, yd, y)
    L.cudnnDestroyTensorDescriptor(xd)
    L.cudnnDestroyTensorDescriptor(yd)
    L.cudnnDestroyFilterDescriptor(wd)
    L.cudnnDestroyConvolutionDescriptor(c)
"""


def load(file: Path) -> list[PublicCase]:
    entries: list[dict[str, Any]] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return [_case(entry) for entry in entries]


def _case(entry: dict[str, Any]) -> PublicCase:
    language = entry.get("language", "python")
    changes = {"mode": "CUDNN_CROSS_CORRELATION", "beta": 0.0, "first": "pass"} | entry.pop("convolve", {})
    program = entry.pop("program", CONVOLVE.format(**changes))
    if language == "python" and not entry.get("exercise"):
        program = PRELUDE + program
    return PublicCase(**{"language": language, **entry}, program=program)


def load_all() -> list[PublicCase]:
    return [case for file in sorted(FOLDER.glob("*.yaml")) for case in load(file)]


NOT_ON_A_CPU = {
    16: "AddTensor on NHWC data is only slower, and the simulator's times say nothing about a GPU's; "
    "that the results are equal is a test",
    18: "the simulator has neither INT8x32 convolutions nor the reordering, so that nothing would come out wrong",
    20: "TF32 is what Tensor Cores do; the simulator multiplies floats as they are. Lesson data-types has the figures",
    21: "an error of PyTorch's own switches, with no call of cuDNN",
    35: "needs a second GPU; the simulator is one device",
    46: "the simulator has no CTC loss, and its limit of labels is one of the GPU's kernels",
    47: "time that PyTorch's benchmark mode takes on a GPU. Lesson pytorch-switches has the figures",
    48: "algorithms that PyTorch chooses by measuring on a GPU. Lesson pytorch-switches tells of them",
    49: "a cache inside PyTorch. Lesson pytorch-switches tells of it",
}
"""Cases that no program on a CPU can show, and why."""

SELF_TEST = {
    41: "test_case_41_a_part_of_cudnn_is_missing",
    42: "test_cudnn_of_mixed_versions[case-42-part-of-a-distribution]",
    43: "test_cudnn_of_mixed_versions[case-43-part-of-a-bundle]",
}
"""Broken installations, where no program comes to run: tests of test_gpu_selftest.py."""
