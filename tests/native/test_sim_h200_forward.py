"""Support and workspaces of the forward algorithms for 1,200 problems that cuDNN 9.19 answered on an H200.

``test_sim_h200_forward.csv`` holds a problem a line (lists as ``3x3``) and, for each algorithm, the workspace size or
``-`` for NOT_SUPPORTED.
"""

import csv
import ctypes
from pathlib import Path

import pytest

from tests.native.simulator import CROSS_CORRELATION, SUCCESS, Simulator, ints

ANSWERS = Path(__file__).with_suffix(".csv")
NAMES = [
    "IMPLICIT_GEMM",
    "IMPLICIT_PRECOMP_GEMM",
    "GEMM",
    "DIRECT",
    "FFT",
    "FFT_TILING",
    "WINOGRAD",
    "WINOGRAD_NONFUSED",
]
LEAST_EXACT = [1.0, 0.65, 0.9, 1.0, 0.99, 0.97, 1.0, 0.99]
"""Share of the sizes that must be exact: a heuristic of the real library picks the kernel of algorithms 1 and 2."""


def spread(text: str) -> list[int]:
    return [int(part) for part in text.split("x")]


class Descriptors:
    def __init__(self, sim: Simulator) -> None:
        self.sim = sim
        self.x, self.y = sim.create("Tensor"), sim.create("Tensor")
        self.w, self.conv = sim.create("Filter"), sim.create("Convolution")

    def set(self, row: dict[str, str]) -> None:
        sim, dnn = self.sim, self.sim.dnn
        size, window, pad = spread(row["size"]), spread(row["window"]), spread(row["pad"])
        stride, dilation, groups = spread(row["stride"]), spread(row["dilation"]), int(row["groups"])
        reach = [(k - 1) * d + 1 for k, d in zip(window, dilation, strict=True)]
        out = [1 + (n + 2 * p - r) // s for n, p, r, s in zip(size, pad, reach, stride, strict=True)]
        x_dims = [int(row["images"]), int(row["inputs"]), *size]
        y_dims = [int(row["images"]), int(row["outputs"]), *out]
        w_dims = [int(row["outputs"]), int(row["inputs"]) // groups, *window]
        rank, dtype = len(x_dims), int(row["dtype"])
        sim.must(dnn.cudnnSetTensorNdDescriptorEx(self.x, int(row["x_layout"]), dtype, rank, ints(x_dims)))
        sim.must(
            dnn.cudnnSetTensorNdDescriptorEx(self.y, int(row["y_layout"]), int(row["y_dtype"]), rank, ints(y_dims))
        )
        sim.must(dnn.cudnnSetFilterNdDescriptor(self.w, dtype, int(row["w_layout"]), rank, ints(w_dims)))
        sim.must(
            dnn.cudnnSetConvolutionNdDescriptor(
                self.conv, rank - 2, ints(pad), ints(stride), ints(dilation), CROSS_CORRELATION, int(row["compute"])
            )
        )
        sim.must(dnn.cudnnSetConvolutionGroupCount(self.conv, groups))
        sim.must(dnn.cudnnSetConvolutionMathType(self.conv, int(row["math"])))

    def workspace(self, algorithm: int) -> str:
        size = ctypes.c_size_t()
        status = self.sim.dnn.cudnnGetConvolutionForwardWorkspaceSize(
            self.sim.handle, self.x, self.w, self.conv, self.y, algorithm, ctypes.byref(size)
        )
        return str(size.value) if status == SUCCESS else "-"


def test_support_is_exact_and_sizes_nearly(native_build: object, capsys: pytest.CaptureFixture[str]) -> None:
    descriptors = Descriptors(Simulator())
    with ANSWERS.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    supported, exact = [0] * 8, [0] * 8
    wrong = []
    for number, row in enumerate(rows):
        descriptors.set(row)
        for algorithm in range(8):
            real, simulated = row[f"workspace_{algorithm}"], descriptors.workspace(algorithm)
            if (real == "-") != (simulated == "-"):
                wrong.append((number + 2, NAMES[algorithm], real, simulated))
            supported[algorithm] += real != "-"
            exact[algorithm] += real != "-" and real == simulated
    with capsys.disabled():
        print(
            f"\nforward algorithms against an H200: support {len(rows) * 8 - len(wrong)} of {len(rows) * 8}; sizes "
            + ", ".join(f"{n} {e}/{s}" for n, e, s in zip(NAMES, exact, supported, strict=True) if s)
        )
    assert len(wrong) <= 1, wrong[:5]
    for algorithm in range(8):
        assert exact[algorithm] >= LEAST_EXACT[algorithm] * supported[algorithm], NAMES[algorithm]
