"""The simulator's forward convolution against PyTorch's on the CPU (oneDNN): the same problems, the same threads.

Needs the native build and PyTorch; any Python with torch, numpy and pyyaml can run it. Prints milliseconds, medians of
interleaved rounds of processor-bound calls, and last the ratio of speeds over all problems (geometric mean).
"""

import ctypes
import math
import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.native.simulator import NCHW, Simulator

try:
    import torch
except ModuleNotFoundError:
    torch = None

ROUNDS, WARM_UP = 9, 2
FLOAT, CROSS_CORRELATION, PRECOMP = 0, 1, 1


@dataclass(frozen=True)
class Problem:
    """A convolution without dilation or groups: N, C, H, W, filters K of R x R."""

    name: str
    n: int
    c: int
    size: int
    k: int
    r: int
    pad: int
    stride: int

    @property
    def out(self) -> int:
        return (self.size + 2 * self.pad - self.r) // self.stride + 1


PROBLEMS = (
    Problem("first layer, 7 x 7", 1, 3, 112, 64, 7, 3, 2),
    Problem("3 x 3, 64 channels", 1, 64, 56, 64, 3, 1, 1),
    Problem("3 x 3, 128 channels", 4, 128, 28, 128, 3, 1, 1),
    Problem("1 x 1, 256 channels", 4, 256, 14, 256, 1, 0, 1),
    Problem("3 x 3, small", 1, 16, 28, 16, 3, 1, 1),
)


def milliseconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e3


class Simulated:
    """One problem on the simulator: descriptors and memory made beforehand."""

    def __init__(self, sim: Simulator, p: Problem, x: Any, w: Any) -> None:
        self.sim, dnn = sim, sim.dnn
        self.x, self.w, self.y, self.convolution = (ctypes.c_void_p() for _ in range(4))
        sim.must(dnn.cudnnCreateTensorDescriptor(ctypes.byref(self.x)))
        sim.must(dnn.cudnnCreateTensorDescriptor(ctypes.byref(self.y)))
        sim.must(dnn.cudnnCreateFilterDescriptor(ctypes.byref(self.w)))
        sim.must(dnn.cudnnCreateConvolutionDescriptor(ctypes.byref(self.convolution)))
        sim.must(dnn.cudnnSetTensor4dDescriptor(self.x, NCHW, FLOAT, p.n, p.c, p.size, p.size))
        sim.must(dnn.cudnnSetTensor4dDescriptor(self.y, NCHW, FLOAT, p.n, p.k, p.out, p.out))
        sim.must(dnn.cudnnSetFilter4dDescriptor(self.w, FLOAT, NCHW, p.k, p.c, p.r, p.r))
        settings = (p.pad, p.pad, p.stride, p.stride, 1, 1, CROSS_CORRELATION, FLOAT)
        sim.must(dnn.cudnnSetConvolution2dDescriptor(self.convolution, *settings))
        self.out = np.zeros((p.n, p.k, p.out, p.out), np.float32)
        self.memory = [sim.to_device(array) for array in (x, w, self.out)]
        space = ctypes.c_size_t()
        sim.must(
            dnn.cudnnGetConvolutionForwardWorkspaceSize(
                sim.handle, self.x, self.w, self.convolution, self.y, PRECOMP, ctypes.byref(space)
            )
        )
        self.space, self.workspace = space, sim.to_device(np.zeros(max(space.value, 1), np.uint8))

    def run(self) -> None:
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        x, w, y = self.memory
        self.sim.must(
            self.sim.dnn.cudnnConvolutionForward(
                self.sim.handle, ctypes.byref(one), self.x, x, self.w, w, self.convolution, PRECOMP, self.workspace,
                self.space, ctypes.byref(zero), self.y, y,
            )
        )  # fmt: skip

    def result(self) -> Any:
        return self.sim.to_host(self.memory[2], self.out)


def compare(sim: Simulator, p: Problem) -> float:
    """Prints both medians; PyTorch's time as a fraction of the simulator's."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal((p.n, p.c, p.size, p.size), np.float32)
    w = rng.standard_normal((p.k, p.c, p.r, p.r), np.float32)
    ours, tx, tw = Simulated(sim, p, x, w), torch.from_numpy(x), torch.from_numpy(w)

    def theirs() -> Any:
        with torch.no_grad():
            return torch.nn.functional.conv2d(tx, tw, padding=p.pad, stride=p.stride)

    pairs = [(milliseconds(ours.run), milliseconds(theirs)) for _ in range(ROUNDS + WARM_UP)][WARM_UP:]
    scale = float(np.abs(theirs().numpy()).max())
    if np.abs(ours.result() - theirs().numpy()).max() > 2e-3 * scale:
        raise SystemExit(f"convolution: the results of {p.name!r} differ")
    simulated, pytorch = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(
        f"{p.name:22} simulator {simulated:8.2f} ms, PyTorch {pytorch:8.2f} ms: {pytorch / simulated:.2f} of its speed"
    )
    return pytorch / simulated


def main() -> int:
    if torch is None:
        print("convolution: PyTorch is not installed, so nothing was measured; pip install torch, or run this module")
        print("             with another Python that has it")
        return 0
    threads = len(os.sched_getaffinity(0))
    torch.set_num_threads(threads)
    print(f"PyTorch {torch.__version__}, {threads} threads each, medians of {ROUNDS}")
    sim = Simulator()
    ratios = [compare(sim, p) for p in PROBLEMS]
    mean = math.exp(statistics.fmean(map(math.log, ratios)))
    print(f"convolution: the simulator reaches {mean:.2f} of the speed of PyTorch on the CPU (geometric mean)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
