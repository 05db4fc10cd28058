"""The generated headers: strict compilers accept them, layouts are those measured, sixteen-bit floats round right."""

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from grader.contract.api import load_api
from grader.native.api.coverage import measure, report
from grader.native.api.generate import generate

STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic"]
C = ["gcc", "-std=c11", *STRICT]
CPP = ["g++", "-std=c++17", *STRICT]
CUDNN = ("", "_version", "_ops", "_cnn", "_adv", "_graph", "_backend")
CUDA = ("cuda_runtime", "cuda_runtime_api", "driver_types", "library_types", "cuda_fp16", "cuda_bf16")
PUBLIC = [*(f"cudnn{part}.h" for part in CUDNN), *(f"{name}.h" for name in CUDA)]


@pytest.fixture(scope="module")
def headers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("headers")
    generate(out)
    return out / "include"


def compile_source(compiler: list[str], headers: Path, source: str, out: Path, *flags: str) -> None:
    """Raises AssertionError with what the compiler said."""
    file = out.with_suffix(".c" if compiler[0] == "gcc" else ".cpp")
    file.write_text(source, encoding="utf-8")
    command = [*compiler, f"-I{headers}", str(file), "-o", str(out), *flags]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def run_source(compiler: list[str], headers: Path, source: str, out: Path) -> list[str]:
    compile_source(compiler, headers, source, out)
    return subprocess.run([str(out)], capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("compiler", [C, CPP], ids=["c11", "c++17"])
@pytest.mark.parametrize("header", PUBLIC)
def test_each_header_compiles_alone(headers: Path, tmp_path: Path, header: str, compiler: list[str]) -> None:
    compile_source(
        compiler, headers, f"#include <{header}>\n#include <{header}>\nint used;\n", tmp_path / "alone", "-c"
    )


@pytest.mark.parametrize("compiler", [C, CPP], ids=["c11", "c++17"])
def test_every_function_of_the_table_is_declared_with_its_type(
    headers: Path, tmp_path: Path, compiler: list[str]
) -> None:
    """Redeclaring a function with another type is an error, and so is naming one that is not declared."""
    lines = ["#include <cudnn.h>", "#include <cuda_runtime_api.h>", "#ifdef __cplusplus", 'extern "C" {', "#endif"]
    for function in load_api().functions.values():
        lines += [f"{function.signature};", f"extern __typeof__({function.name}) *pointer_to_{function.name};"]
    lines += ["#ifdef __cplusplus", "}", "#endif"]
    compile_source(compiler, headers, "\n".join(lines) + "\n", tmp_path / "declared", "-c")


def test_typed_overloads_and_default_arguments_work_in_cpp(headers: Path, tmp_path: Path) -> None:
    source = """
    #include <cuda_runtime.h>
    cudaError_t use() {
        float *device; int *pinned; void *any; double *managed; cudaEvent_t event;
        cudaMalloc(&device, 4); cudaMalloc(&any, 4); cudaMallocHost(&pinned, 4); cudaMallocHost(&any, 4);
        cudaMallocHost(&pinned, 4, cudaHostAllocMapped); cudaHostAlloc(&pinned, 4, cudaHostAllocDefault);
        cudaMallocManaged(&managed, 8); cudaMallocAsync(&device, 4, nullptr);
        cudaEventCreate(&event); cudaEventCreate(&event, cudaEventDisableTiming); cudaEventRecord(event);
        cudaStreamWaitEvent(nullptr, event); cudaMemsetAsync(device, 0, 4);
        return cudaMemcpyAsync(device, pinned, 4, cudaMemcpyHostToDevice);
    }
    """
    compile_source(CPP, headers, source, tmp_path / "overloads", "-c")


def test_deprecation_warns_only_when_asked(headers: Path, tmp_path: Path) -> None:
    source = (
        "#include <cudnn.h>\ncudnnStatus_t f(cudnnFilterDescriptor_t *w) { return cudnnCreateFilterDescriptor(w); }\n"
    )
    compile_source(CPP, headers, source, tmp_path / "quiet", "-c")
    with pytest.raises(AssertionError, match=r"cudnnCreateFilterDescriptor.*is deprecated"):
        compile_source(CPP, headers, source, tmp_path / "loud", "-c", "-DCUDNN_WARN_DEPRECATED")


PERF = {"algo": 0, "status": 4, "time": 8, "memory": 16, "determinism": 24, "mathType": 28, "reserved": 32}
LAYOUTS: dict[str, tuple[int, dict[str, int]]] = {
    "cudnnConvolutionFwdAlgoPerf_t": (48, PERF),
    "cudnnConvolutionBwdDataAlgoPerf_t": (48, PERF),
    "cudnnConvolutionBwdFilterAlgoPerf_t": (48, PERF),
    "cudnnDebug_t": (
        120,
        {"cudnnStatus": 4, "time_delta": 16, "handle": 24, "stream": 32, "pid": 40, "tid": 48, "reserved": 60},
    ),
    "cudnnFraction_t": (16, {"numerator": 0, "denominator": 8}),
    "cudaPointerAttributes": (24, {"type": 0, "device": 4, "devicePointer": 8, "hostPointer": 16}),
    "cudaDeviceProp": (
        1032,
        {"name": 0, "totalGlobalMem": 288, "maxGridSize": 336, "major": 360, "multiProcessorCount": 388}
        | {"concurrentKernels": 576, "l2CacheSize": 616, "sharedMemPerBlockOptin": 696, "memoryPoolsSupported": 744},
    ),
}
"""Sizes and offsets measured with NVIDIA's own headers (cuDNN 9.28, CUDA 12.9) on x86-64."""


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("compiler", [C, CPP], ids=["c11", "c++17"])
def test_structs_are_laid_out_as_in_the_real_headers(
    headers: Path, tmp_path: Path, name: str, compiler: list[str]
) -> None:
    size, offsets = LAYOUTS[name]
    numbers = [f"sizeof({name})", *(f"offsetof({name}, {field})" for field in offsets)]
    prints = "".join(f'printf("%lu\\n", (unsigned long){number});' for number in numbers)
    source = f"#include <stddef.h>\n#include <stdio.h>\n#include <cudnn.h>\nint main(void) {{ {prints} return 0; }}\n"
    assert run_source(compiler, headers, source, tmp_path / "layout") == [str(n) for n in (size, *offsets.values())]


def test_macros_and_enums_have_their_real_values_and_sizes(headers: Path, tmp_path: Path) -> None:
    expected = {
        "CUDNN_VERSION": 91900,
        "CUDART_VERSION": 12090,
        "CUDNN_DIM_MAX": 8,
        "CUDNN_SEV_INFO_EN": 8,
        "CUDNN_STATUS_CATEGORY(CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH)": 2000,
        "CUDNN_STATUS_SPECIFIC_ERROR(CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH)": 8,
        "CUDNN_STATUS_ALLOC_FAILED": 4003,
        "CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT_TILING": 6,
        "CUDNN_BACKEND_TENSOR_DESCRIPTOR": 17,
        "MAJOR_VERSION": 0,
        "cudaErrorNotReady": 600,
        "sizeof(cudnnStatus_t)": 4,
        "sizeof(enum cudaMemcpyKind)": 4,
        "CUDNN_BN_MIN_EPSILON": 0,
    }
    prints = "".join(f'printf("%ld\\n", (long)({number}));' for number in expected)
    source = f"#include <stdio.h>\n#include <cudnn.h>\nint main(void) {{ {prints} return 0; }}\n"
    assert run_source(C, headers, source, tmp_path / "values") == [str(v) for v in expected.values()]


CONVERSIONS = """
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define LOOP for (long i = 0; i < n; i++)
#define API extern "C" void
API half_bits(const double *v, unsigned short *out, long n) { LOOP out[i] = __half_as_ushort(__double2half(v[i])); }
API half_bits_f(const float *v, unsigned short *out, long n) { LOOP out[i] = __half_as_ushort(__float2half(v[i])); }
API half_value(const unsigned short *v, float *out, long n) { LOOP out[i] = __half2float(__ushort_as_half(v[i])); }
API half_fma(const unsigned short *v, unsigned short *out, long n) {
    LOOP { const half h = __ushort_as_half(v[i]); out[i] = __half_as_ushort(h * h + -h / half(3)); }
}
API bf16_bits(const float *v, unsigned short *out, long n) {
    LOOP out[i] = __bfloat16_as_ushort(__float2bfloat16(v[i]));
}
API bf16_value(const unsigned short *v, float *out, long n) {
    LOOP out[i] = __bfloat162float(__ushort_as_bfloat16(v[i]));
}
"""
Bits = npt.NDArray[np.uint16]
ALL_BITS: Bits = np.arange(65536, dtype=np.uint16)


@pytest.fixture(scope="module")
def conversions(headers: Path, tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    out = tmp_path_factory.mktemp("conversions") / "conversions.so"
    compile_source(CPP, headers, CONVERSIONS, out, "-O2", "-fPIC", "-shared")
    return ctypes.CDLL(str(out))


def call(library: ctypes.CDLL, name: str, values: npt.NDArray[np.generic], dtype: type) -> npt.NDArray[np.generic]:
    values = np.ascontiguousarray(values)
    out = np.empty(values.size, dtype)
    pointers = (values.ctypes.data_as(ctypes.c_void_p), out.ctypes.data_as(ctypes.c_void_p))
    getattr(library, name)(*pointers, ctypes.c_long(values.size))
    return out


def hard_values() -> npt.NDArray[np.float64]:
    """Random bit patterns, and every value half way between two halfs with its neighbours on either side."""
    rng = np.random.default_rng(20260101)
    patterns = rng.integers(0, 2**64, 200_000, dtype=np.uint64).view(np.float64)
    usual = rng.standard_normal(200_000) * 10.0 ** rng.integers(-9, 6, 200_000)
    finite = np.sort(ALL_BITS.view(np.float16).astype(np.float64)[np.isfinite(ALL_BITS.view(np.float16))])
    between = np.concatenate([finite, (finite[:-1] + finite[1:]) / 2, [65520.0, -65520.0]])
    return np.concatenate([patterns, usual, between, np.nextafter(between, np.inf), np.nextafter(between, -np.inf)])


def test_half_rounds_as_numpy_does(conversions: ctypes.CDLL) -> None:
    for name, dtype in (("half_bits", np.float64), ("half_bits_f", np.float32)):
        with np.errstate(all="ignore"):
            values = hard_values().astype(dtype)
            expected = values.astype(np.float16).view(np.uint16)
        bits, nan = call(conversions, name, values, np.uint16), np.isnan(values)
        np.testing.assert_array_equal(bits[~nan], expected[~nan])
        assert (bits[nan] == 0x7FFF).all()


def test_half_becomes_float_exactly(conversions: ctypes.CDLL) -> None:
    values = call(conversions, "half_value", ALL_BITS, np.float32)
    np.testing.assert_array_equal(values, ALL_BITS.view(np.float16).astype(np.float32))
    np.testing.assert_array_equal(np.signbit(values), ALL_BITS >= 0x8000)


def test_half_arithmetic_rounds_each_operation(conversions: ctypes.CDLL) -> None:
    h = ALL_BITS.view(np.float16)
    with np.errstate(all="ignore"):
        expected = h * h + -h / np.float16(3)
    finite = ~np.isnan(expected)
    result = call(conversions, "half_fma", ALL_BITS, np.uint16).view(np.float16)
    np.testing.assert_array_equal(result[finite], expected[finite])
    assert np.isnan(result[~finite]).all()


def test_bfloat16_is_the_upper_half_of_float_rounded_to_even(conversions: ctypes.CDLL) -> None:
    values = call(conversions, "bf16_value", ALL_BITS, np.float32)
    np.testing.assert_array_equal(values, (ALL_BITS.astype(np.uint32) << 16).view(np.float32))
    patterns = np.random.default_rng(7).integers(0, 2**32, 300_000, dtype=np.uint64)
    ties = (ALL_BITS.astype(np.uint64) << np.uint64(16)) | np.uint64(0x8000)
    patterns = np.concatenate([patterns, ties])
    floats = patterns.astype(np.uint32).view(np.float32)
    odd = (patterns >> np.uint64(16)) & np.uint64(1)
    expected = ((patterns + np.uint64(0x7FFF) + odd) >> np.uint64(16)).astype(np.uint16)
    bits, nan = call(conversions, "bf16_bits", floats, np.uint16), np.isnan(floats)
    np.testing.assert_array_equal(bits[~nan], expected[~nan])
    assert (bits[nan] == 0x7FFF).all()


def test_coverage_names_what_the_libraries_lack(headers: Path, tmp_path: Path) -> None:
    exports = {
        "libcudnn.so.9": ["cudnnCreate", "cudnnNewThing"],
        "libcudart.so.12": ["cudaMalloc", "cudaGetDeviceProperties_v2"],
        "libfp_recorder.so": ["cudnnCreate", "cudnnDestroy", "cudaMalloc"],
    }
    for library, names in exports.items():
        source = "".join(f"void {name}(void);\nvoid {name}(void) {{}}\n" for name in names)
        compile_source(C, headers, source, tmp_path / library, "-shared", "-fPIC")
    coverage = measure(load_api(), tmp_path)
    taught = {f.name for f in load_api().taught()}
    simulated = taught - {f.name for f in coverage.not_simulated}
    assert simulated == {"cudnnCreate", "cudaMalloc", "cudaGetDeviceProperties"}
    assert taught - {f.name for f in coverage.not_traced} == {"cudnnCreate", "cudnnDestroy", "cudaMalloc"}
    assert coverage.unknown == ["cudnnNewThing"]
    assert not coverage.complete
    assert list(report(coverage))[-1] == f"coverage: {len(taught)} taught, 3 simulated, 3 traced"
