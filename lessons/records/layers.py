"""Records every forward algorithm for a dozen layers in four types, and what lessons say of single calls.

``python layers.py OUTPUT.json``
"""

import ctypes
import statistics
import sys
import time
from typing import Any

import torch
from gpu import (
    ALGORITHMS, BFLOAT16, DEFAULT_MATH, FLOAT, FORWARD, HALF, INT8, INT32, LAYER, NCHW, NHWC, TENSOR_OP, Conv, Shape, chosen,
    descriptor, lib, median_ms, new_handle, pointer, random, repeat, tensor4d, write_parts,
)

handle = ctypes.c_void_p()
SHAPES = {
    "3x3": LAYER,
    "3x3 stride 2": Shape(32, 64, 56, 56, 64, 3, 3, 1, 2),
    "3x3 dilation 2": Shape(32, 64, 56, 56, 64, 3, 3, 2, 1, 2),
    "3x3 depthwise": Shape(32, 64, 56, 56, 64, 3, 3, 1, 1, 1, 64),
    "3x3 groups 2": Shape(32, 64, 56, 56, 64, 3, 3, 1, 1, 1, 2),
    "3x3 512 channels": Shape(32, 512, 7, 7, 512, 3, 3, 1),
    "5x5": Shape(32, 64, 28, 28, 64, 5, 5, 2),
    "1x1": Shape(32, 256, 56, 56, 64, 1, 1),
    "7x7 stride 2": Shape(32, 8, 224, 224, 64, 7, 7, 3, 2),
    "11x11": Shape(32, 8, 56, 56, 64, 11, 11, 5),
    "one image": Shape(1, 64, 56, 56, 64, 3, 3, 1),
    "small": Shape(1, 8, 28, 28, 16, 5, 5),
}
KINDS = {
    "float NCHW": (FLOAT, NCHW, FLOAT, DEFAULT_MATH, FLOAT),
    "half NHWC": (HALF, NHWC, FLOAT, TENSOR_OP, HALF),
    "bfloat16 NHWC": (BFLOAT16, NHWC, FLOAT, DEFAULT_MATH, BFLOAT16),
    "int8 NHWC": (INT8, NHWC, INT32, DEFAULT_MATH, FLOAT),
}


def relative_error(conv: Conv) -> float:
    """Largest |difference| from float64 of the same inputs, over the largest |output|. First two images."""
    a = conv.shape
    X, W = conv.X[:2].double().contiguous(), conv.W.double().contiguous()
    exact = torch.nn.functional.conv2d(X, W, padding=a.pad, stride=a.stride, dilation=a.dilation, groups=a.groups)
    return ((conv.Y[:2].double() - exact).abs().max() / exact.abs().max()).item()


def algorithm(conv: Conv, algo: int) -> dict[str, Any]:
    status, size = conv.workspace(handle, algo)
    row: dict[str, Any] = {"algo": ALGORITHMS[FORWARD][algo], "query": status, "workspace": size}
    if status != 0:
        return row
    space = torch.empty(max(size, 1), dtype=torch.uint8, device="cuda")
    conv.Y.fill_(float("nan") if conv.Y.is_floating_point() else 77)
    row["status"] = conv.run(handle, algo, space, size)
    torch.cuda.synchronize()
    if row["status"] == 0:
        row["max|err| / max|y|"] = relative_error(conv)
        row["device_ms"] = median_ms(lambda: conv.run(handle, algo, space, size))
        row["distinct of 20"] = repeat(lambda: conv.run(handle, algo, space, size), conv.Y, 20)["distinct"]
    return row


def layers() -> list[dict[str, Any]]:
    rows = []
    for name, shape in SHAPES.items():
        for kind, (dtype, layout, compute, math, y_dtype) in KINDS.items():
            conv = Conv(shape, dtype, layout, compute, math, y_dtype)
            row: dict[str, Any] = {"layer": name, "kind": kind, **conv.described()}
            row["heuristic"] = chosen(conv.listed(handle, False)[1]).get("algo")
            row["found"] = chosen(conv.listed(handle, True)[1]).get("algo")
            row["runs"] = [algorithm(conv, algo) for algo in range(8)]
            timed = {r["algo"]: r["device_ms"] for r in row["runs"] if "device_ms" in r}
            if timed:
                row["fastest"] = min(timed, key=lambda algo: timed[algo])
                if row["heuristic"] in timed:
                    row["heuristic_ms / fastest_ms"] = round(timed[row["heuristic"]] / timed[row["fastest"]], 3)
            rows.append(row)
    return rows


def handle_for_each_call() -> dict[str, Any]:
    """Host milliseconds for a small convolution with one handle, and with a handle made for it and destroyed."""
    conv = Conv(SHAPES["small"], FLOAT, NCHW, FLOAT, DEFAULT_MATH)
    times: dict[str, list[float]] = {"one handle": [], "a handle each": []}
    for _ in range(30):
        for name in times:
            torch.cuda.synchronize()
            start = time.perf_counter()
            own = handle if name == "one handle" else new_handle()
            conv.run(own, 0, None, 0)
            torch.cuda.synchronize()
            if name != "one handle":
                lib.cudnnDestroy(own)
            times[name].append((time.perf_counter() - start) * 1e3)
    return {name: statistics.median(found[5:]) for name, found in times.items()}


def batch_normalization() -> list[dict[str, Any]]:
    """Inference in mode SPATIAL for batches around 65,536."""
    rows = []
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    for mode, name in ((0, "PER_ACTIVATION"), (1, "SPATIAL"), (2, "SPATIAL_PERSISTENT")):
        for images in (1024, 65535, 65536, 131070):
            x, X = tensor4d(NCHW, FLOAT, images, 4, 1, 1), random((images, 4, 1, 1), FLOAT, NCHW)
            Y, p, P = torch.empty_like(X), tensor4d(NCHW, FLOAT, 1, 4, 1, 1), torch.rand(4, device="cuda") + 0.5
            status = lib.cudnnBatchNormalizationForwardInference(
                handle, mode, ctypes.byref(one), ctypes.byref(zero), x, pointer(X), x, pointer(Y), p, pointer(P), pointer(P),
                pointer(P), pointer(P), ctypes.c_double(1e-5))
            torch.cuda.synchronize()
            rows.append({"mode": name, "n": images, "status": status})
    return rows


def bias_activation() -> list[dict[str, Any]]:
    """cudnnConvolutionBiasActivationForward for every activation and algorithm."""
    names = ["SIGMOID", "RELU", "TANH", "CLIPPED_RELU", "ELU", "IDENTITY", "SWISH"]
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    rows = []
    for kind, (dtype, layout, compute, math, _) in list(KINDS.items())[:2]:
        conv = Conv(SHAPES["3x3"], dtype, layout, compute, math)
        bias, b = random((1, 64, 1, 1), dtype, NCHW), tensor4d(layout, dtype, 1, 64, 1, 1)
        for mode, name in enumerate(names):
            act = descriptor("Activation")
            if (refused := lib.cudnnSetActivationDescriptor(act, mode, 0, ctypes.c_double(1.0))) != 0:
                rows.append({"kind": kind, "activation": name, "descriptor": refused})
                continue
            for algo, label in enumerate(ALGORITHMS[FORWARD]):
                query, size = conv.workspace(handle, algo)
                space = torch.empty(max(size, 1), dtype=torch.uint8, device="cuda")
                status = lib.cudnnConvolutionBiasActivationForward(
                    handle, ctypes.byref(one), conv.x, pointer(conv.X), conv.w, pointer(conv.W), conv.conv, algo,
                    pointer(space), ctypes.c_size_t(size), ctypes.byref(zero), conv.y, pointer(conv.Y), b, pointer(bias), act,
                    conv.y, pointer(conv.Y))
                torch.cuda.synchronize()
                rows.append({"kind": kind, "activation": name, "algo": label, "query": query, "status": status})
    return rows


def pooling_outputs() -> list[dict[str, Any]]:
    """cudnnPoolingForward with an output descriptor of the right size, and of sizes one off."""
    rows = []
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    X = random((2, 3, 8, 8), FLOAT, NCHW)
    for mode, name in enumerate(["MAX", "AVERAGE_INCLUDE_PADDING", "AVERAGE_EXCLUDE_PADDING", "MAX_DETERMINISTIC"]):
        for size in (4, 3, 5):
            pool, x, y = descriptor("Pooling"), tensor4d(NCHW, FLOAT, 2, 3, 8, 8), tensor4d(NCHW, FLOAT, 2, 3, size, size)
            assert lib.cudnnSetPooling2dDescriptor(pool, mode, 0, 2, 2, 0, 0, 2, 2) == 0
            Y = torch.full((4096,), float("nan"), device="cuda")
            status = lib.cudnnPoolingForward(
                handle, pool, ctypes.byref(one), x, pointer(X), ctypes.byref(zero), y, pointer(Y))
            torch.cuda.synchronize()
            rows.append({"mode": name, "right size": 4, "described size": size, "status": status,
                         "elements written": int((~Y.isnan()).sum().item())})
    return rows


def main() -> None:
    global handle
    torch.zeros(1, device="cuda")
    handle = new_handle()
    write_parts(sys.argv[1], {
        "single calls": lambda: {"batch normalization": batch_normalization(), "bias activation": bias_activation(),
                                 "pooling outputs": pooling_outputs()},
        "handle for each call": handle_for_each_call, "layers": layers})


if __name__ == "__main__":
    main()
