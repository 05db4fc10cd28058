"""Records what cuDNN answers on the GPU of this machine for the layers that the lessons talk about.

Run it where PyTorch with CUDA is installed: ``python record.py OUTPUT.json``. PyTorch only gives memory, events and
its copy of libcudnn; every cuDNN call is made through ctypes. Times are milliseconds, sizes are bytes.
"""

import ctypes
import json
import statistics
import sys
import time
from pathlib import Path

import torch

ALGORITHMS = ["IMPLICIT_GEMM", "IMPLICIT_PRECOMP_GEMM", "GEMM", "DIRECT", "FFT", "FFT_TILING", "WINOGRAD", "WINOGRAD_NONFUSED"]
FLOAT, DOUBLE, HALF = 0, 1, 2
NCHW, NHWC = 0, 1
DEFAULT_MATH, TENSOR_OP, ALLOW_CONVERSION, FMA = 0, 1, 2, 3
TORCH_TYPE = {FLOAT: torch.float32, DOUBLE: torch.float64, HALF: torch.float16}
# name: (n, c, h, w, k, r, s, pad, stride, dilation, groups)
SHAPES = {
    "3x3": (32, 64, 56, 56, 64, 3, 3, 1, 1, 1, 1),
    "3x3 stride 2": (32, 64, 56, 56, 64, 3, 3, 1, 2, 1, 1),
    "3x3 dilation 2": (32, 64, 56, 56, 64, 3, 3, 2, 1, 2, 1),
    "3x3 depthwise": (32, 64, 56, 56, 64, 3, 3, 1, 1, 1, 64),
    "3x3 groups 2": (32, 64, 56, 56, 64, 3, 3, 1, 1, 1, 2),
    "5x5": (32, 64, 28, 28, 64, 5, 5, 2, 1, 1, 1),
    "1x1": (32, 256, 56, 56, 64, 1, 1, 0, 1, 1, 1),
    "7x7 stride 2": (32, 3, 224, 224, 64, 7, 7, 3, 2, 1, 1),
    "mnist 1": (1, 1, 28, 28, 20, 5, 5, 0, 1, 1, 1),
    "mnist 2": (1, 20, 12, 12, 50, 5, 5, 0, 1, 1, 1),
}
VARIANTS = [
    *((name, FLOAT, NCHW, FLOAT, DEFAULT_MATH) for name in SHAPES),
    ("3x3", FLOAT, NCHW, FLOAT, FMA),
    ("3x3", FLOAT, NHWC, FLOAT, DEFAULT_MATH),
    ("3x3", HALF, NCHW, FLOAT, DEFAULT_MATH),
    ("3x3", HALF, NHWC, FLOAT, TENSOR_OP),
    ("3x3", DOUBLE, NCHW, DOUBLE, DEFAULT_MATH),
]
MIXED = [  # layout of the data, layout of the filter
    ("3x3", FLOAT, NCHW, NHWC),
    ("3x3", FLOAT, NHWC, NCHW),
    ("3x3", HALF, NHWC, NCHW),
    ("3x3", HALF, NHWC, NHWC),
]


class Perf(ctypes.Structure):
    _fields_ = [("algo", ctypes.c_int), ("status", ctypes.c_int), ("time", ctypes.c_float), ("memory", ctypes.c_size_t),
                ("determinism", ctypes.c_int), ("mathType", ctypes.c_int), ("reserved", ctypes.c_int * 3)]


def load() -> ctypes.CDLL:
    import nvidia.cudnn

    folder = Path(next(iter(nvidia.cudnn.__path__))) / "lib"
    lib = ctypes.CDLL(str(folder / "libcudnn.so.9"))
    lib.cudnnGetVersion.restype = ctypes.c_size_t
    return lib


lib = load()


def descriptor(kind: str) -> ctypes.c_void_p:
    made = ctypes.c_void_p()
    assert getattr(lib, f"cudnnCreate{kind}Descriptor")(ctypes.byref(made)) == 0
    return made


class Layer:
    def __init__(
        self, shape: str, dtype: int, layout: int, compute: int, math: int, filter_layout: int | None = None
    ) -> None:
        filter_layout = layout if filter_layout is None else filter_layout
        self.n, self.c, self.h, self.w, self.k, self.r, self.s, pad, stride, dilation, groups = SHAPES[shape]
        self.groups, self.dtype, self.args = groups, dtype, (pad, stride, dilation)
        self.x, self.f, self.conv, self.y = descriptor("Tensor"), descriptor("Filter"), descriptor("Convolution"), descriptor("Tensor")
        assert lib.cudnnSetTensor4dDescriptor(self.x, layout, dtype, self.n, self.c, self.h, self.w) == 0
        assert lib.cudnnSetFilter4dDescriptor(self.f, dtype, filter_layout, self.k, self.c // groups, self.r, self.s) == 0
        assert lib.cudnnSetConvolution2dDescriptor(self.conv, pad, pad, stride, stride, dilation, dilation, 1, compute) == 0
        assert lib.cudnnSetConvolutionGroupCount(self.conv, groups) == 0
        assert lib.cudnnSetConvolutionMathType(self.conv, math) == 0
        out = (ctypes.c_int * 4)()
        at = [ctypes.byref(out, 4 * i) for i in range(4)]
        assert lib.cudnnGetConvolution2dForwardOutputDim(self.conv, self.x, self.f, *at) == 0
        self.out = list(out)
        assert lib.cudnnSetTensor4dDescriptor(self.y, layout, dtype, *self.out) == 0
        t = TORCH_TYPE[dtype]
        self.X = torch.randn(self.n, self.c, self.h, self.w, device="cuda").to(t)
        self.W = torch.randn(self.k, self.c // groups, self.r, self.s, device="cuda").to(t)
        self.Y = torch.empty(*self.out, device="cuda", dtype=t)
        if layout == NHWC:
            self.X, self.Y = (v.contiguous(memory_format=torch.channels_last) for v in (self.X, self.Y))
        if filter_layout == NHWC:
            self.W = self.W.contiguous(memory_format=torch.channels_last)
        real = ctypes.c_double if dtype == DOUBLE else ctypes.c_float
        self.one, self.zero = real(1), real(0)

    def workspace(self, handle: ctypes.c_void_p, algo: int) -> tuple[int, int]:
        size = ctypes.c_size_t(0)
        status = lib.cudnnGetConvolutionForwardWorkspaceSize(handle, self.x, self.f, self.conv, self.y, algo, ctypes.byref(size))
        return status, size.value

    def run(self, handle: ctypes.c_void_p, algo: int, space: torch.Tensor, size: int) -> int:
        pointer = ctypes.c_void_p(space.data_ptr() if size else None)
        return lib.cudnnConvolutionForward(
            handle, ctypes.byref(self.one), self.x, ctypes.c_void_p(self.X.data_ptr()), self.f, ctypes.c_void_p(self.W.data_ptr()),
            self.conv, algo, pointer, ctypes.c_size_t(size), ctypes.byref(self.zero), self.y, ctypes.c_void_p(self.Y.data_ptr()))

    def listed(self, handle: ctypes.c_void_p, function: str) -> tuple[float, list[dict[str, object]]]:
        perf, count = (Perf * 10)(), ctypes.c_int(0)
        torch.cuda.synchronize()
        start = time.perf_counter()
        assert getattr(lib, function)(handle, self.x, self.f, self.conv, self.y, 10, ctypes.byref(count), perf) == 0
        took = (time.perf_counter() - start) * 1e3
        return took, [
            {"algo": ALGORITHMS[p.algo], "status": p.status, "time": round(p.time, 4), "memory": p.memory,
             "determinism": p.determinism, "math": p.mathType} for p in perf[: count.value]]


def median_ms(layer: Layer, handle: ctypes.c_void_p, algo: int, space: torch.Tensor, size: int) -> tuple[float, float]:
    """Median over 30 runs, each between two events; and the median time that the host spends in the call."""
    for _ in range(5):
        layer.run(handle, algo, space, size)
    device, host = [], []
    for _ in range(30):
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda.synchronize()
        a.record()
        start = time.perf_counter()
        layer.run(handle, algo, space, size)
        host.append((time.perf_counter() - start) * 1e3)
        b.record()
        torch.cuda.synchronize()
        device.append(a.elapsed_time(b))
    return statistics.median(device), statistics.median(host)


def error(layer: Layer) -> dict[str, float]:
    """Largest |difference| from a float64 result, and the largest of |difference| / sum of |products|."""
    pad, stride, dilation = layer.args
    conv = torch.nn.functional.conv2d
    options = {"padding": pad, "stride": stride, "dilation": dilation, "groups": layer.groups}
    X, W = layer.X[:2].double().contiguous(), layer.W.double().contiguous()
    exact, scale = conv(X, W, **options), conv(X.abs(), W.abs(), **options)
    difference = (layer.Y[:2].double() - exact).abs()
    return {"max_abs": difference.max().item(), "max_of_products": (difference / scale).max().item()}


def record(handle: ctypes.c_void_p, variant: tuple[str, int, int, int, int]) -> dict[str, object]:
    layer = Layer(*variant)
    name, dtype, layout, compute, math = variant
    entry: dict[str, object] = {
        "layer": name, "x": [layer.n, layer.c, layer.h, layer.w], "w": [layer.k, layer.c // layer.groups, layer.r, layer.s],
        "y": layer.out, "pad, stride, dilation, groups": [*layer.args, layer.groups],
        "type": ["float", "double", "half"][dtype], "layout": ["NCHW", "NHWC"][layout],
        "compute": ["float", "double", "half"][compute], "math": ["DEFAULT", "TENSOR_OP", "ALLOW_CONVERSION", "FMA"][math]}
    entry["heuristic_ms"], entry["heuristic"] = layer.listed(handle, "cudnnGetConvolutionForwardAlgorithm_v7")
    entry["find_ms"], entry["find"] = layer.listed(handle, "cudnnFindConvolutionForwardAlgorithm")
    entry["find_again_ms"], entry["find_again"] = layer.listed(handle, "cudnnFindConvolutionForwardAlgorithm")
    runs = []
    for algo, label in enumerate(ALGORITHMS):
        status, size = layer.workspace(handle, algo)
        run: dict[str, object] = {"algo": label, "query": status, "workspace": size}
        if status == 0:
            space = torch.empty(max(size, 1), dtype=torch.uint8, device="cuda")
            run["status"] = layer.run(handle, algo, space, size)
            torch.cuda.synchronize()
            if run["status"] == 0:
                run |= error(layer)
                run["device_ms"], run["host_ms"] = median_ms(layer, handle, algo, space, size)
            if size:
                run["status_without"] = layer.run(handle, algo, space, 0)
                run["status_one_byte_less"] = layer.run(handle, algo, space, size - 1)
            torch.cuda.synchronize()
        runs.append(run)
    entry["runs"] = runs
    return entry


def mixed(handle: ctypes.c_void_p, shape: str, dtype: int, data: int, filters: int) -> dict[str, object]:
    """Which algorithms run, how fast and how right, where data and filter may lie in different layouts."""
    layer = Layer(shape, dtype, data, FLOAT, DEFAULT_MATH, filters)
    runs: list[dict[str, object]] = []
    for algo, label in enumerate(ALGORITHMS):
        status, size = layer.workspace(handle, algo)
        run: dict[str, object] = {"algo": label, "query": status, "workspace": size}
        if status == 0:
            space = torch.empty(max(size, 1), dtype=torch.uint8, device="cuda")
            run["status"] = layer.run(handle, algo, space, size)
            torch.cuda.synchronize()
            if run["status"] == 0:
                run |= error(layer)
                run["device_ms"], run["host_ms"] = median_ms(layer, handle, algo, space, size)
        runs.append(run)
    names = ["NCHW", "NHWC"]
    return {"layer": shape, "type": ["float", "double", "half"][dtype], "data": names[data], "filter": names[filters],
            "runs": runs}


def free_waits(handle: ctypes.c_void_p) -> dict[str, float]:
    """Milliseconds on the host for cudaFree while the slowest algorithm of the 3x3 layer (about 4 ms) runs, and after it."""
    import glob

    pattern = str(Path(torch.__file__).parents[1] / "nvidia" / "**" / "libcudart.so.1[23]*")
    cudart = ctypes.CDLL(sorted(glob.glob(pattern, recursive=True))[0])
    layer = Layer("3x3", FLOAT, NCHW, FLOAT, DEFAULT_MATH)
    space = torch.empty(1, dtype=torch.uint8, device="cuda")
    busy, idle = [], []
    for _ in range(12):
        for times, algo in ((busy, 2), (idle, None)):
            pointer = ctypes.c_void_p()
            assert cudart.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(1 << 20)) == 0
            torch.cuda.synchronize()
            if algo is not None:
                layer.run(handle, algo, space, 0)
            start = time.perf_counter()
            assert cudart.cudaFree(pointer) == 0
            times.append((time.perf_counter() - start) * 1e3)
    torch.cuda.synchronize()
    return {"while_running_ms": statistics.median(busy), "idle_ms": statistics.median(idle)}


def handles() -> dict[str, object]:
    """Milliseconds and free GPU memory for creating and destroying handles, after a first one."""
    create, destroy, made = [], [], []
    free_before = torch.cuda.mem_get_info()[0]
    for _ in range(20):
        handle = ctypes.c_void_p()
        start = time.perf_counter()
        assert lib.cudnnCreate(ctypes.byref(handle)) == 0
        create.append((time.perf_counter() - start) * 1e3)
        made.append(handle)
    free_after = torch.cuda.mem_get_info()[0]
    for handle in made:
        start = time.perf_counter()
        lib.cudnnDestroy(handle)
        destroy.append((time.perf_counter() - start) * 1e3)
    return {"create_ms": statistics.median(create), "destroy_ms": statistics.median(destroy),
            "gpu_bytes_of_20_idle_handles": free_before - free_after}


def main() -> None:
    torch.zeros(1, device="cuda")
    handle = ctypes.c_void_p()
    start = time.perf_counter()
    assert lib.cudnnCreate(ctypes.byref(handle)) == 0
    first = (time.perf_counter() - start) * 1e3
    result: dict[str, object] = {
        "device": torch.cuda.get_device_name(), "cudnn": lib.cudnnGetVersion(), "torch": torch.__version__,
        "units": "milliseconds and bytes; statuses are cudnnStatus_t; times are medians of 30 runs after 5",
        "first_create_ms": first}
    warm = Layer("3x3", FLOAT, NCHW, FLOAT, DEFAULT_MATH)
    result["cold_heuristic_ms"] = warm.listed(handle, "cudnnGetConvolutionForwardAlgorithm_v7")[0]
    result["cold_find_ms"] = warm.listed(handle, "cudnnFindConvolutionForwardAlgorithm")[0]
    result["handles"] = handles()
    result["layers"] = []
    for variant in VARIANTS:
        try:
            result["layers"].append(record(handle, variant))
        except Exception as problem:  # a layer that fails must not lose the others
            result["layers"].append({"layer": variant[0], "variant": variant, "problem": repr(problem)})
        Path(sys.argv[1]).write_text(json.dumps(result, indent=1) + "\n")
    result["mixed_layouts"] = [mixed(handle, *variant) for variant in MIXED]
    result["cuda_free"] = free_waits(handle)
    Path(sys.argv[1]).write_text(json.dumps(result, indent=1) + "\n")
    lib.cudnnDestroy(handle)


if __name__ == "__main__":
    main()
