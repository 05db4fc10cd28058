"""Records repeatability, precision, layouts, channels and autotuning: ``python training_and_types.py OUTPUT.json``."""

import ctypes
import os
import sys
from typing import Any

import torch
from gpu import (
    ALGORITHMS, BFLOAT16, DATA, DEFAULT_MATH, DOUBLE, FILTER, FLOAT, FMA, FORWARD, HALF, INT8, INT32, LAYER,
    MATHS, NCHW, NHWC, TENSOR_OP, TYPES, Conv, Perf, Shape, alone, chosen, descriptor, empty, entries, host_ms,
    in_fresh_processes, lib, median_ms, new_handle, pointer, random, repeat, tensor4d, write_parts,
)

handle = ctypes.c_void_p()
FIVE = Shape(32, 64, 28, 28, 64, 5, 5, pad=2)


def space_of(conv: Conv, algo: int, direction: str = FORWARD) -> tuple[int, int, torch.Tensor | None]:
    status, size = conv.workspace(handle, algo, direction)
    return status, size, torch.empty(size, dtype=torch.uint8, device="cuda") if status == 0 and size else None


def repeatability(conv: Conv, direction: str, only: list[str] | None = None) -> list[dict[str, Any]]:
    """Every algorithm of one direction: 200 runs with the same inputs and workspace."""
    lists = {"get": conv.listed(handle, False, direction)[1], "find": conv.listed(handle, True, direction)[1]}
    rows = []
    for algo, label in enumerate(ALGORITHMS[direction]):
        if only and label not in only:
            continue
        status, size, space = space_of(conv, algo, direction)
        row: dict[str, Any] = {"direction": direction, "algo": label, "query": status, "workspace": size}
        for name, found in lists.items():
            row[f"determinism_{name}"] = [e["determinism"] for e in found if e["algo"] == label]
        if status == 0:
            row["status"] = conv.run(handle, algo, space, size, direction)
            if row["status"] == 0:
                row |= repeat(lambda: conv.run(handle, algo, space, size, direction), conv.result(direction), 200)
                row["device_ms"] = median_ms(lambda: conv.run(handle, algo, space, size, direction))
        rows.append(row)
    return rows


def repeatable_convolutions() -> list[dict[str, Any]]:
    found = []
    for math in (DEFAULT_MATH, FMA):
        for direction in (FORWARD, DATA, FILTER):
            conv = Conv(LAYER, FLOAT, NCHW, FLOAT, math)
            found.append({**conv.described(), "rows": repeatability(conv, direction)})
    conv = Conv(LAYER, HALF, NHWC, FLOAT, TENSOR_OP)
    found.append({**conv.described(), "rows": repeatability(conv, FILTER, ["ALGO_0", "ALGO_1", "ALGO_3"])})
    return found


def repeatable_pooling() -> list[dict[str, Any]]:
    """Backward pass of a 3×3 maximum with stride 2, windows overlapping."""
    rows = []
    torch.manual_seed(0)
    X = random((32, 64, 56, 56), FLOAT, NCHW)
    for mode, name in ((0, "MAX"), (3, "MAX_DETERMINISTIC")):
        pool, x, y = descriptor("Pooling"), tensor4d(NCHW, FLOAT, 32, 64, 56, 56), tensor4d(NCHW, FLOAT, 32, 64, 27, 27)
        assert lib.cudnnSetPooling2dDescriptor(pool, mode, 0, 3, 3, 0, 0, 2, 2) == 0
        Y, dX = empty((32, 64, 27, 27), FLOAT, NCHW), torch.empty_like(X)
        dY = random((32, 64, 27, 27), FLOAT, NCHW)
        one, zero = ctypes.c_float(1), ctypes.c_float(0)

        def forward() -> int:
            return lib.cudnnPoolingForward(handle, pool, ctypes.byref(one), x, pointer(X), ctypes.byref(zero), y, pointer(Y))

        def backward() -> int:
            return lib.cudnnPoolingBackward(handle, pool, ctypes.byref(one), y, pointer(Y), y, pointer(dY), x, pointer(X),
                                            ctypes.byref(zero), x, pointer(dX))

        row: dict[str, Any] = {"mode": name, "forward": forward(), "backward": backward()}
        rows.append(row | repeat(backward, dX, 200) | {"device_ms": median_ms(backward)})
    return rows


def error(conv: Conv, alpha: float = 1.0) -> dict[str, float]:
    """Of the forward result against float64 of the same, already rounded inputs."""
    a, X, W = conv.shape, conv.X.double().contiguous(), conv.W.double().contiguous()
    options = {"padding": a.pad, "stride": a.stride, "dilation": a.dilation, "groups": a.groups}
    exact = alpha * torch.nn.functional.conv2d(X, W, **options)
    products = alpha * torch.nn.functional.conv2d(X.abs(), W.abs(), **options)
    if conv.y_dtype == INT8:
        exact = exact.round().clamp(-128, 127)  # torch rounds halves to even
    difference = (conv.Y.double() - exact).abs()
    return {"max|err|": difference.max().item(), "max|y|": exact.abs().max().item(),
            "max|err| / max|y|": (difference.max() / exact.abs().max()).item(),
            "rms err / rms y": (difference.square().mean() / exact.square().mean()).sqrt().item(),
            "max |err| / sum|xw|": (difference / products).max().item(),
            "elements_that_differ": int((difference > 0).sum().item())}


PRECISION = [
    (DOUBLE, NCHW, DOUBLE, DEFAULT_MATH),
    *((FLOAT, NCHW, FLOAT, math) for math in range(4)),
    *((FLOAT, NHWC, FLOAT, math) for math in (DEFAULT_MATH, FMA)),
    *((HALF, NHWC, FLOAT, math) for math in (DEFAULT_MATH, TENSOR_OP, FMA)),
    *((HALF, NHWC, HALF, math) for math in (DEFAULT_MATH, TENSOR_OP)),
    *((BFLOAT16, NHWC, FLOAT, math) for math in (DEFAULT_MATH, TENSOR_OP, FMA)),
]


def precision_row(conv: Conv, algo: int, alpha: float = 1.0) -> dict[str, Any]:
    conv.alpha = type(conv.alpha)(alpha)
    status, size, space = space_of(conv, algo)
    row: dict[str, Any] = {**conv.described(), "algo": ALGORITHMS[FORWARD][algo], "query": status, "workspace": size,
                           "alpha": alpha}
    if status == 0:
        row["status"] = conv.run(handle, algo, space, size)
        torch.cuda.synchronize()
        if row["status"] == 0:
            row |= error(conv, alpha)
            row["device_ms"] = median_ms(lambda: conv.run(handle, algo, space, size))
    return row


def precision() -> list[dict[str, Any]]:
    rows = [precision_row(Conv(LAYER, *variant), algo) for variant in PRECISION for algo in (0, 1)]
    for y_dtype, alpha in ((INT8, 1e-4), (FLOAT, 1.0)):
        rows += [precision_row(Conv(LAYER, INT8, NHWC, INT32, DEFAULT_MATH, y_dtype), algo, alpha) for algo in (0, 1)]
    return rows


def without_tf32() -> list[dict[str, Any]]:
    """The float rows once more in a process with NVIDIA_TF32_OVERRIDE=0."""
    os.environ["NVIDIA_TF32_OVERRIDE"] = "0"
    try:
        return in_fresh_processes(__file__, [["--without-tf32"]])[0]
    finally:
        del os.environ["NVIDIA_TF32_OVERRIDE"]


def int8_types() -> list[dict[str, Any]]:
    """Which output types and channel counts an int8 convolution takes, in both layouts."""
    rows = []
    for layout in (NHWC, NCHW):
        for channels in (3, 4, 8, 32, 64):
            for y_dtype in (INT8, FLOAT, INT32, HALF):
                conv = Conv(Shape(2, channels, 8, 8, 8, 3, 3, pad=1), INT8, layout, INT32, DEFAULT_MATH, y_dtype)
                row = {"layout": ["NCHW", "NHWC"][layout], "c": channels, "k": 8, "y type": TYPES[y_dtype], "algorithms": []}
                for algo, label in enumerate(ALGORITHMS[FORWARD]):
                    status, size, space = space_of(conv, algo)
                    ran = conv.run(handle, algo, space, size)
                    row["algorithms"].append({"algo": label, "query": status, "status": ran})
                torch.cuda.synchronize()
                rows.append(row)
    return rows


def rounding() -> dict[str, Any]:
    """int8: 1×1 convolution of ones and multiples with alpha 0.5; bfloat16: sums that lie between two numbers."""
    conv = Conv(Shape(1, 32, 2, 4, 32, 1, 1), INT8, NHWC, INT32, DEFAULT_MATH)
    conv.X.zero_()
    values = [1, 3, 5, -1, -3, 100, 127, -127]
    conv.X[0, 0] = torch.tensor(values, device="cuda", dtype=torch.int8).reshape(2, 4)
    conv.W.zero_()
    conv.W[0, 0], conv.W[1, 0] = 1, 4
    conv.alpha = ctypes.c_float(0.5)
    status = conv.run(handle, 1, None, 0)
    torch.cuda.synchronize()
    found: dict[str, Any] = {"int8 status": status, "sums": values, "alpha": 0.5,
                             "half of the sums": conv.Y[0, 0].flatten().tolist(),
                             "half of four times the sums": conv.Y[0, 1].flatten().tolist()}
    conv = Conv(Shape(1, 8, 1, 4, 8, 1, 1), BFLOAT16, NHWC, FLOAT, DEFAULT_MATH)
    conv.X.zero_()
    conv.X[0, 0] = 1.0
    conv.X[0, 1] = torch.tensor([[2.0**-8, 3 * 2.0**-8, 5 * 2.0**-8, 2.0**-8 + 2.0**-16]], device="cuda").to(torch.bfloat16)
    conv.W.zero_()
    conv.W[0, 0], conv.W[0, 1] = 1.0, 1.0
    status = conv.run(handle, 1, None, 0)
    torch.cuda.synchronize()
    return found | {"bfloat16 status": status, "bfloat16 sums": [1 + x for x in conv.X[0, 1].flatten().tolist()],
                    "bfloat16 results": conv.Y[0, 0].flatten().tolist()}


def layouts() -> dict[str, Any]:
    rows = []
    for dtype, maths in ((HALF, (DEFAULT_MATH, TENSOR_OP)), (FLOAT, (DEFAULT_MATH, FMA))):
        rows += [precision_row(Conv(LAYER, dtype, layout, FLOAT, math), 1) for math in maths for layout in (NCHW, NHWC)]
    transforms = []
    for dtype in (HALF, FLOAT):
        x, y = tensor4d(NCHW, dtype, 32, 64, 56, 56), tensor4d(NHWC, dtype, 32, 64, 56, 56)
        X, Y = random((32, 64, 56, 56), dtype, NCHW), empty((32, 64, 56, 56), dtype, NHWC)
        one, zero = ctypes.c_float(1), ctypes.c_float(0)

        def transform() -> int:
            return lib.cudnnTransformTensor(handle, ctypes.byref(one), x, pointer(X), ctypes.byref(zero), y, pointer(Y))

        status = transform()
        torch.cuda.synchronize()
        transforms.append({"type": TYPES[dtype], "status": status, "equal": torch.equal(X, Y), "device_ms": median_ms(transform)})
    return {"convolutions": rows, "transform NCHW to NHWC": transforms}


def channels() -> list[dict[str, Any]]:
    """Half NHWC: whether channel counts that are no multiples of 8 cost time."""
    rows = []
    for c, k in ((64, 64), (63, 64), (64, 63), (60, 60), (56, 56), (3, 64), (4, 64), (8, 64)):
        for math in (TENSOR_OP, DEFAULT_MATH):
            conv = Conv(Shape(32, c, 56, 56, k, 3, 3, pad=1), HALF, NHWC, FLOAT, math)
            status, size, space = space_of(conv, 1)
            fastest = chosen(conv.listed(handle, True)[1])
            rows.append({"c": c, "k": k, "math": MATHS[math], "query": status, "fastest": fastest,
                         "device_ms": median_ms(lambda: conv.run(handle, 1, space, size)) if status == 0 else None})
    return rows


def autotuning() -> dict[str, Any]:
    shapes = {}
    for batch in (32, 31, 30):
        conv = Conv(Shape(batch, 64, 56, 56, 64, 3, 3, pad=1), FLOAT, NCHW, FLOAT, DEFAULT_MATH)
        shapes[f"batch {batch}"] = {d: {"find_ms": [conv.listed(handle, True, d)[0] for _ in range(3)],
                                        "get_ms": [conv.listed(handle, False, d)[0] for _ in range(3)]}
                                    for d in (FORWARD, DATA, FILTER)}
    conv = Conv(LAYER, FLOAT, NCHW, FLOAT, DEFAULT_MATH)
    limited = {str(size): find_within(conv, size) for size in (0, 1 << 20, 30_000_000, 256_000_000)}
    return {"each shape": shapes, "FindEx of the layer by workspace": limited,
            "fresh processes": in_fresh_processes(__file__, [["--find"]] * 10)}


def find_within(conv: Conv, size: int) -> list[dict[str, Any]]:
    space = torch.empty(size, dtype=torch.uint8, device="cuda") if size else None
    perf, count = (Perf * 10)(), ctypes.c_int(0)
    status = lib.cudnnFindConvolutionForwardAlgorithmEx(
        handle, conv.x, pointer(conv.X), conv.w, pointer(conv.W), conv.conv, conv.y, pointer(conv.Y), 10,
        ctypes.byref(count), perf, pointer(space), ctypes.c_size_t(size))
    return [{"call": status}, *entries(perf[: count.value])]


def find_in_a_fresh_process() -> dict[str, Any]:
    """First and later Find and Get_v7 of two layers, and which algorithm wins each time."""
    found: dict[str, Any] = {}
    for name, shape in (("3x3", LAYER), ("5x5", FIVE)):
        conv = Conv(shape, FLOAT, NCHW, FLOAT, DEFAULT_MATH)
        get = [conv.listed(handle, False) for _ in range(5)]
        finds = [conv.listed(handle, True) for _ in range(5)]
        found[name] = {"get_ms": [g[0] for g in get], "get": chosen(get[0][1]).get("algo"),
                       "find_ms": [f[0] for f in finds], "winners": [chosen(f[1]).get("algo") for f in finds]}
    return found


def first_run() -> dict[str, Any]:
    """Host times of the first call of one algorithm in a process, and of the next ones."""
    conv = Conv(LAYER, FLOAT, NCHW, FLOAT, DEFAULT_MATH)
    status, size, space = space_of(conv, 1)
    return {"query": status, "ms": [host_ms(lambda: conv.run(handle, 1, space, size)) for _ in range(5)]}


def main() -> None:
    import json

    global handle
    alone()
    handle = new_handle()
    if sys.argv[1] == "--find":
        print(json.dumps(find_in_a_fresh_process()))
    elif sys.argv[1] == "--without-tf32":
        print(json.dumps([precision_row(Conv(LAYER, FLOAT, NCHW, FLOAT, DEFAULT_MATH), algo) for algo in (0, 1)]))
    elif sys.argv[1] == "--first":
        print(json.dumps(first_run()))
    else:
        import fcntl
        import gpu

        fcntl.flock(gpu._lock, fcntl.LOCK_UN)
        write_parts(sys.argv[1], {
            "repeatability": repeatable_convolutions, "pooling backward": repeatable_pooling, "precision": precision,
            "float with NVIDIA_TF32_OVERRIDE=0": without_tf32, "int8 outputs": int8_types, "rounding": rounding,
            "layouts": layouts, "channels": channels, "autotuning": autotuning,
            "first run of an algorithm": lambda: in_fresh_processes(__file__, [["--first"]])})


if __name__ == "__main__":
    main()
