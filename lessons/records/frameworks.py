"""Records what PyTorch's cuDNN switches do: ``python frameworks.py OUTPUT.json``.

Parts that need an untouched process run in one of their own: ``python frameworks.py --part NAME ARGUMENTS``.
"""

import json
import statistics
import sys
from collections.abc import Callable
from typing import Any

import torch
from gpu import (
    DEFAULT_MATH, FLOAT, FMA, HALF, LAYER, NCHW, NHWC, Conv, Fingerprint, alone, host_ms, in_fresh_processes, lib, median_ms,
    new_handle, pointer, tensor4d, write_parts,
)
from torch import nn

cudnn = torch.backends.cudnn
MODES = [(False, False), (True, False), (False, True), (True, True)]
"""benchmark, deterministic"""


def switch(benchmark: bool, deterministic: bool) -> None:
    cudnn.benchmark, cudnn.deterministic = benchmark, deterministic


def layer_of(name: str) -> tuple[nn.Module, torch.Tensor]:
    """A module and its input, the same for the same name."""
    torch.manual_seed(0)
    if name == "conv 64-64 3x3":
        return nn.Conv2d(64, 64, 3, padding=1).cuda(), torch.randn(32, 64, 56, 56, device="cuda")
    if name == "conv 3-64 3x3":
        return nn.Conv2d(3, 64, 3).cuda(), torch.randn(32, 3, 224, 224, device="cuda")
    if name == "conv 3-64 3x3, one image":
        return nn.Conv2d(3, 64, 3).cuda(), torch.randn(1, 3, 224, 224, device="cuda")
    if name == "8 x conv+bn+relu":
        blocks = [nn.Sequential(nn.Conv2d(64, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU()) for _ in range(8)]
        return nn.Sequential(*blocks).cuda(), torch.randn(32, 64, 56, 56, device="cuda")
    import torchvision

    return torchvision.models.resnet18(weights=None).cuda(), torch.randn(32, 3, 224, 224, device="cuda")


def step(module: nn.Module, x: torch.Tensor) -> Callable[[], None]:
    """Forward and backward pass."""

    def work() -> None:
        module.zero_grad(set_to_none=True)
        module(x).sum().backward()

    return work


def forward(module: nn.Module, x: torch.Tensor) -> Callable[[], None]:
    def work() -> None:
        with torch.no_grad():
            module(x)

    return work


def per_run(work: Callable[[], object], runs: int = 200) -> float:
    """Milliseconds a run: median of five rows of `runs` runs, synchronised at both ends, after 20 runs."""
    for _ in range(20):
        work()

    def row() -> None:
        for _ in range(runs):
            work()

    return round(statistics.median(host_ms(row) / runs for _ in range(5)), 5)


def defaults() -> dict[str, Any]:
    return {"benchmark": cudnn.benchmark, "deterministic": cudnn.deterministic, "enabled": cudnn.enabled,
            "allow_tf32": cudnn.allow_tf32, "benchmark_limit": cudnn.benchmark_limit, "version": cudnn.version(),
            "matmul.allow_tf32": torch.backends.cuda.matmul.allow_tf32, "torch": torch.__version__,
            "float32_matmul_precision": torch.get_float32_matmul_precision()}


def first_calls(benchmark: str, deterministic: str) -> dict[str, Any]:
    switch(benchmark == "1", deterministic == "1")
    module, x = layer_of("conv 64-64 3x3")
    found: dict[str, Any] = {"benchmark": cudnn.benchmark, "deterministic": cudnn.deterministic}
    found["forward, first calls"] = [host_ms(forward(module, x)) for _ in range(3)]
    found["forward"] = per_run(forward(module, x))
    found["forward+backward, first calls"] = [host_ms(step(module, x)) for _ in range(3)]
    found["forward+backward"] = per_run(step(module, x))
    return found


def retuning() -> dict[str, Any]:
    """Each call on its own: which sizes of batch are slow."""
    found: dict[str, Any] = {}
    for benchmark in (True, False):
        switch(benchmark, False)
        module, x = layer_of("conv 64-64 3x3")
        host_ms(forward(module, x[:16]))  # what a process pays once
        batches = [32, 32, 31, 31, 32, 31, 30, 30]
        found[f"conv, benchmark={benchmark}"] = [
            {"batch": batch, "ms": host_ms(forward(module, x[:batch]))} for batch in batches]
        torch.manual_seed(0)
        lstm = nn.LSTM(64, 64).cuda()
        sequence = torch.randn(30, 32, 64, device="cuda")
        host_ms(forward(lstm, sequence[:5]))
        lengths = [10, 10, 20, 20, 10, 30, 30]
        found[f"LSTM, benchmark={benchmark}"] = [
            {"length": length, "ms": host_ms(forward(lstm, sequence[:length]))} for length in lengths]
    return found


def price_of_determinism() -> list[dict[str, Any]]:
    rows = []
    for name in ("conv 3-64 3x3", "conv 64-64 3x3", "8 x conv+bn+relu", "resnet18"):
        row: dict[str, Any] = {"network": name, "batch": 32}
        for label, benchmark, deterministic in (("benchmark", True, False), ("neither", False, False),
                                                ("deterministic", False, True)):
            switch(benchmark, deterministic)
            module, x = layer_of(name)
            work = forward(module, x) if name == "conv 3-64 3x3" else step(module, x)
            row[f"{label}_ms"] = per_run(work, 50)
        row["pass"] = "forward" if name == "conv 3-64 3x3" else "forward+backward"
        row["deterministic / benchmark"] = round(row["deterministic_ms"] / row["benchmark_ms"], 4)
        row["deterministic / neither"] = round(row["deterministic_ms"] / row["neither_ms"], 4)
        rows.append(row)
    return rows


def gradient(module: nn.Conv2d, x: torch.Tensor) -> torch.Tensor:
    module.zero_grad(set_to_none=True)
    module(x).square().sum().backward()
    assert module.weight.grad is not None
    return module.weight.grad


def repeated() -> list[dict[str, Any]]:
    """Distinct results of many runs in one process."""
    rows = []
    for benchmark, deterministic in MODES:
        switch(benchmark, deterministic)
        module, x = layer_of("conv 3-64 3x3, one image")
        with torch.no_grad():
            mark = Fingerprint(module(x))
            outputs = {mark.of(module(x)) for _ in range(1000)}
        module, x = layer_of("conv 64-64 3x3")
        mark = Fingerprint(module.weight)
        gradients = {mark.of(gradient(module, x)) for _ in range(100)}
        rows.append({"benchmark": benchmark, "deterministic": deterministic, "distinct outputs of 1000": len(outputs),
                     "distinct weight gradients of 100": len(gradients)})
    return rows


def bits(benchmark: str, deterministic: str) -> dict[str, Any]:
    """Fingerprints of one output and one weight gradient, for comparison between processes."""
    switch(benchmark == "1", deterministic == "1")
    module, x = layer_of("conv 3-64 3x3, one image")
    with torch.no_grad():
        output = Fingerprint(module(x)).of(module(x))
    module, x = layer_of("conv 64-64 3x3")
    return {"output": output, "gradient": Fingerprint(module.weight).of(gradient(module, x))}


def across_processes() -> list[dict[str, Any]]:
    rows = []
    for benchmark, deterministic in MODES:
        words = ["--part", "bits", str(int(benchmark)), str(int(deterministic))]
        answers = in_fresh_processes(__file__, [words] * 5)
        rows.append({"benchmark": benchmark, "deterministic": deterministic, "processes": len(answers),
                     "distinct outputs": len({a.get("output") for a in answers}),
                     "distinct weight gradients": len({a.get("gradient") for a in answers})})
    return rows


def differences(a: torch.Tensor, b: torch.Tensor) -> dict[str, Any]:
    apart = (a.double() - b.double()).abs()
    return {"max|difference|": apart.max().item(), "max|difference| / max|y|": (apart.max() / b.abs().max()).item(),
            "share that differs": (apart > 0).double().mean().item(), "max|y|": b.abs().max().item()}


def which_decimal() -> dict[str, Any]:
    """Between two algorithms without TF32, and between TF32 on and off."""
    handle, found = new_handle(), {}
    conv = Conv(LAYER, FLOAT, NCHW, FLOAT, FMA)
    outputs = []
    for algo in (0, 1):
        _, size = conv.workspace(handle, algo)
        assert conv.run(handle, algo, torch.empty(max(size, 1), dtype=torch.uint8, device="cuda"), size) == 0
        torch.cuda.synchronize()
        outputs.append(conv.Y.clone())
    found["IMPLICIT_GEMM against IMPLICIT_PRECOMP_GEMM, FMA_MATH"] = differences(*outputs)
    module, x = layer_of("conv 64-64 3x3")
    results = []
    with torch.no_grad():
        for allowed in (True, False):
            cudnn.allow_tf32 = allowed
            results.append(module(x))
    cudnn.allow_tf32 = True
    return found | {"TF32 on against off": differences(*results)}


def other_operations() -> list[dict[str, Any]]:
    """Sums in an unfixed order, which cuDNN's switch does not touch."""
    torch.manual_seed(0)
    index = torch.randint(0, 100, (1_000_000,), device="cuda")
    values = torch.randn(1_000_000, device="cuda")
    operations = {"scatter_add_": lambda: torch.zeros(100, device="cuda").scatter_add_(0, index, values),
                  "index_add_": lambda: torch.zeros(100, device="cuda").index_add_(0, index, values),
                  "bincount with weights": lambda: torch.bincount(index, weights=values, minlength=100)}
    rows = []
    for name, operation in operations.items():
        for setting in ("nothing", "cudnn.deterministic", "use_deterministic_algorithms"):
            cudnn.deterministic = setting == "cudnn.deterministic"
            torch.use_deterministic_algorithms(setting == "use_deterministic_algorithms")
            row: dict[str, Any] = {"operation": name, "set": setting}
            try:
                mark = Fingerprint(operation())
                row["distinct of 100"] = len({mark.of(operation()) for _ in range(100)})
            except RuntimeError as problem:
                row["error"] = str(problem)[:200]
            rows.append(row)
    torch.use_deterministic_algorithms(False)
    switch(False, False)
    return rows


def fusion() -> dict[str, Any]:
    """conv + bias + ReLU in half NHWC: one fused graph, three legacy calls, and the fused legacy call."""
    import ctypes

    handle = new_handle()
    conv = Conv(LAYER, HALF, NHWC, FLOAT, DEFAULT_MATH)
    bias, b = torch.randn(64, device="cuda").half(), tensor4d(NHWC, HALF, 1, 64, 1, 1)
    act = ctypes.c_void_p()
    assert lib.cudnnCreateActivationDescriptor(ctypes.byref(act)) == 0
    assert lib.cudnnSetActivationDescriptor(act, 1, 0, ctypes.c_double(0)) == 0
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    _, size = conv.workspace(handle, 1)
    space = torch.empty(max(size, 1), dtype=torch.uint8, device="cuda")

    def legacy() -> None:
        conv.run(handle, 1, space, size)
        lib.cudnnAddTensor(handle, ctypes.byref(one), b, pointer(bias), ctypes.byref(one), conv.y, pointer(conv.Y))
        lib.cudnnActivationForward(
            handle, act, ctypes.byref(one), conv.y, pointer(conv.Y), ctypes.byref(zero), conv.y, pointer(conv.Y))

    def fused_legacy() -> int:
        return lib.cudnnConvolutionBiasActivationForward(
            handle, ctypes.byref(one), conv.x, pointer(conv.X), conv.w, pointer(conv.W), conv.conv, 1, pointer(space),
            ctypes.c_size_t(size), ctypes.byref(zero), conv.y, pointer(conv.Y), b, pointer(bias), act, conv.y, pointer(conv.Y))

    def graph() -> torch.Tensor:
        return torch.cudnn_convolution_relu(conv.X, conv.W, bias, (1, 1), (1, 1), (1, 1), 1)

    legacy()
    expected = conv.Y.clone()
    status = fused_legacy()
    torch.cuda.synchronize()
    return {"legacy calls_ms": median_ms(legacy, 200, 20), "BiasActivationForward status": status,
            "BiasActivationForward against three calls": differences(conv.Y, expected),
            "BiasActivationForward_ms": median_ms(fused_legacy, 200, 20), "graph_ms": median_ms(graph, 200, 20),
            "graph against three calls": differences(graph(), expected)}


def attention() -> dict[str, Any]:
    """Half, 32 heads, 1024 positions of 64 numbers: cuDNN's fused attention against its parts."""
    from torch.nn.attention import SDPBackend, sdpa_kernel

    torch.manual_seed(0)
    q, k, v = (torch.randn(2, 16, 1024, 64, device="cuda", dtype=torch.float16) for _ in range(3))

    def fused() -> torch.Tensor:
        with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
            return nn.functional.scaled_dot_product_attention(q, k, v)

    def parts() -> torch.Tensor:
        return torch.softmax(q @ k.transpose(-1, -2) * 64**-0.5, -1) @ v

    found: dict[str, Any] = {"difference": differences(fused(), parts())}
    for name, work in (("fused", fused), ("parts", parts)):
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        work()
        torch.cuda.synchronize()
        found[name] = {"peak_extra_bytes": torch.cuda.max_memory_allocated() - before,
                       "device_ms": median_ms(work, 200, 20)}
    return found


PARTS: dict[str, Callable[..., Any]] = {"defaults": defaults, "first": first_calls, "bits": bits, "retuning": retuning}


def main() -> None:
    if sys.argv[1] == "--part":
        alone()
        print(json.dumps(PARTS[sys.argv[2]](*sys.argv[3:])))
        return
    first = [["--part", "first", str(int(b)), str(int(d))] for b, d in MODES]
    write_parts(sys.argv[1], {
        "defaults": lambda: in_fresh_processes(__file__, [["--part", "defaults"]])[0],
        "first calls": lambda: in_fresh_processes(__file__, first),
        "each call": lambda: in_fresh_processes(__file__, [["--part", "retuning"]])[0],
        "price of determinism": price_of_determinism, "repeated in one process": repeated,
        "across processes": across_processes, "which decimal": which_decimal, "other operations": other_operations,
        "fusion": fusion, "attention": attention})


if __name__ == "__main__":
    main()
