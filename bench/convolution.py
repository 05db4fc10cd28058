"""The simulator's convolutions against PyTorch's on the CPU (oneDNN): the same problems, the same threads.

Needs the native build and PyTorch; any Python with torch, numpy and pyyaml can run it. Prints for each problem and pass
the shortest time of either library, and PyTorch's as a fraction of the simulator's; last the geometric means.

Both take turns for a few calls each: OpenMP's threads go on spinning for milliseconds after PyTorch's last call, so a
pause and a call that is not timed come first. The shortest time is taken because others use the same processors.
"""

import ctypes
import math
import os
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

LEAST_ROUNDS, CALLS, PAUSE_S, SECONDS = 15, 5, 0.02, 4.0
FLOAT, CROSS_CORRELATION = 0, 1
PASSES = {"Forward": 1, "BackwardData": 1, "BackwardFilter": 1}
"""Each pass and its algorithm: IMPLICIT_PRECOMP_GEMM, ALGO_1, ALGO_1."""
OPERANDS = {"Forward": ("x", "w", "y"), "BackwardData": ("w", "y", "x"), "BackwardFilter": ("x", "y", "w")}
"""What each pass reads, and last what it writes, in the order of its arguments; y is dy in a backward pass."""


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

    @property
    def multiplications(self) -> int:
        return self.n * self.k * self.out**2 * self.c * self.r**2


PROBLEMS = (
    Problem("first layer, 7 x 7", 1, 3, 112, 64, 7, 3, 2),
    Problem("3 x 3, 64 channels", 1, 64, 56, 64, 3, 1, 1),
    Problem("3 x 3, 128 channels", 4, 128, 28, 128, 3, 1, 1),
    Problem("1 x 1, 256 channels", 4, 256, 14, 256, 1, 0, 1),
    Problem("3 x 3, small", 1, 16, 28, 16, 3, 1, 1),
)


class Simulated:
    """One problem on the simulator: descriptors and memory made beforehand."""

    def __init__(self, sim: Simulator, p: Problem, arrays: dict[str, Any]) -> None:
        self.sim, self.arrays, dnn = sim, arrays, sim.dnn
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
        self.memory = {name: sim.to_device(array) for name, array in arrays.items()}

    def prepared(self, name: str) -> tuple[Callable[[], None], Callable[[], Any]]:
        """A pass: what runs it once, and what then fetches its result."""
        one, zero, space = ctypes.c_float(1), ctypes.c_float(0), ctypes.c_size_t()
        first, second, out = OPERANDS[name]
        described = [getattr(self, operand) for operand in (first, second)]
        result, algorithm = getattr(self, out), PASSES[name]
        query = getattr(self.sim.dnn, f"cudnnGetConvolution{name}WorkspaceSize")
        self.sim.must(query(self.sim.handle, *described, self.convolution, result, algorithm, ctypes.byref(space)))
        workspace = self.sim.malloc(max(space.value, 1))
        target = self.sim.to_device(np.zeros_like(self.arrays[out]))
        function = getattr(self.sim.dnn, f"cudnnConvolution{name}")
        arguments = (
            self.sim.handle, ctypes.byref(one), described[0], self.memory[first], described[1], self.memory[second],
            self.convolution, algorithm, workspace, space, ctypes.byref(zero), result, target,
        )  # fmt: skip
        return lambda: self.sim.must(function(*arguments)), lambda: self.sim.to_host(target, self.arrays[out])


def pytorch(p: Problem, name: str, arrays: dict[str, Any]) -> Callable[[], Any]:
    """The same pass in PyTorch; returns its result."""
    x, w, dy = (torch.from_numpy(arrays[operand]) for operand in "xwy")
    if name == "Forward":
        return lambda: torch.nn.functional.conv2d(x, w, padding=p.pad, stride=p.stride)
    wanted = [name == "BackwardData", name == "BackwardFilter", False]
    pair = [p.stride, p.stride], [p.pad, p.pad], [1, 1]
    backward = torch.ops.aten.convolution_backward
    return lambda: backward(dy, x, w, None, *pair, False, [0, 0], 1, wanted)[0 if wanted[0] else 1]


def milliseconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e3


def shortest(*calls: Callable[[], object]) -> list[float]:
    """The shortest milliseconds of each, taken in turns."""
    best = [math.inf] * len(calls)
    started, rounds = time.perf_counter(), 0
    while rounds < LEAST_ROUNDS or time.perf_counter() - started < SECONDS:
        rounds += 1
        for i, call in enumerate(calls):
            time.sleep(PAUSE_S)
            call()
            best[i] = min(best[i], *(milliseconds(call) for _ in range(CALLS)))
    return best


def compare(sim: Simulator, p: Problem) -> dict[str, float]:
    """Prints the times of every pass; PyTorch's as a fraction of the simulator's."""
    rng = np.random.default_rng(1)
    dims = {"x": (p.n, p.c, p.size, p.size), "w": (p.k, p.c, p.r, p.r), "y": (p.n, p.k, p.out, p.out)}
    arrays = {operand: rng.standard_normal(shape, np.float32) for operand, shape in dims.items()}
    simulated, ratios = Simulated(sim, p, arrays), {}
    for name in PASSES:
        ours, result = simulated.prepared(name)
        theirs = pytorch(p, name, arrays)
        ours()
        expected = theirs().numpy()
        if np.abs(result() - expected).max() > 2e-3 * float(np.abs(expected).max()):
            raise SystemExit(f"convolution: the results of {p.name!r}, {name}, differ")
        mine, other = shortest(ours, theirs)
        ratios[name] = other / mine
        speed = 2e-6 * p.multiplications / mine
        print(
            f"{p.name:20} {name:15} simulator {mine:7.3f} ms ({speed:5.1f} GFLOP/s), PyTorch {other:7.3f} ms: "
            f"{ratios[name]:.2f} of its speed",
            flush=True,
        )
    return ratios


def main() -> int:
    if torch is None:
        print("convolution: PyTorch is not installed, so nothing was measured; pip install torch, or run this module")
        print("             with another Python that has it")
        return 0
    threads = len(os.sched_getaffinity(0))
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    load = os.getloadavg()[0]
    print(f"PyTorch {torch.__version__}, {threads} threads each, {SECONDS:g} s for a line; load average {load:.1f}")
    sim = Simulator()
    ratios = [compare(sim, p) for p in PROBLEMS]
    means = {name: math.exp(math.fsum(math.log(ratio[name]) for ratio in ratios) / len(ratios)) for name in PASSES}
    print("convolution: the simulator's speed as a fraction of PyTorch's on the CPU (geometric means): "
          + ", ".join(f"{name} {mean:.2f}" for name, mean in means.items()))  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
