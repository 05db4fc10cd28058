"""Real cuDNN on an NVIDIA GPU: libraries from the NVIDIA wheels or the system, the driver from the machine."""

import ctypes
import functools
import importlib.util
from pathlib import Path

from grader.backends.base import Backend, BackendUnavailableError
from grader.contract.verdict import BackendInfo
from grader.paths import native_build

DRIVER_NODES = ("/dev/nvidiactl", "/dev/nvidia0", "/dev/nvidia-uvm")
INSIDE = "/fp/nvidia"
SITE = "/fp/site"
"""An existing directory satisfies CuPy, which would make its kernel cache there although it keeps it in memory."""


def find() -> Backend:
    """Raises BackendUnavailableError naming what is missing: the driver, a library, a header, CuPy."""
    for node in DRIVER_NODES:
        if not Path(node).exists():
            mend = "install the NVIDIA driver, or give the container its GPU (docker run --gpus all)"
            raise BackendUnavailableError(f"no NVIDIA GPU: {node} is missing", mend)
    driver = _driver()
    wheels = _wheels()
    for name in ("fp_runner",):
        if not (native_build() / "bin" / name).exists():
            raise BackendUnavailableError(f"{native_build()}/bin/{name} is missing", "run `make native`")
    return _backend(driver, wheels)


def _driver() -> ctypes.CDLL:
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise BackendUnavailableError(f"the driver's libcuda.so.1: {error}", "install the NVIDIA driver") from None
    if (status := driver.cuInit(0)) != 0:
        raise BackendUnavailableError(f"cuInit failed with {status}", "see nvidia-smi; reload the driver or reboot")
    return driver


def _wheels() -> dict[str, Path]:
    """Directories of the NVIDIA packages: cudnn, cuda_runtime, cublas, cuda_nvrtc…"""
    spec = importlib.util.find_spec("nvidia")
    roots = [Path(path) for path in (spec.submodule_search_locations or [])] if spec else []
    found = {path.name: path for root in roots for path in root.iterdir() if (path / "lib").is_dir()}
    if "cu13" in found:
        found.setdefault("cuda_runtime", found["cu13"])
    for name in ("cudnn", "cuda_runtime"):
        if name not in found:
            mend = "install the extra `gpu` (or `gpu-cu13`): pip install forwardpass[gpu]"
            raise BackendUnavailableError(f"the NVIDIA package {name} is not installed", mend)
    if importlib.util.find_spec("cupy") is None:
        raise BackendUnavailableError("CuPy is not installed", "install the extra `gpu`")
    return found


def _library(directory: Path, pattern: str) -> Path:
    found = sorted(directory.glob(pattern))
    if not found:
        raise BackendUnavailableError(f"{directory}/{pattern} is missing", "reinstall the extra `gpu`")
    return found[0]


@functools.cache
def _device_name(driver: ctypes.CDLL) -> str:
    device = ctypes.c_int()
    name = ctypes.create_string_buffer(256)
    if driver.cuDeviceGet(ctypes.byref(device), 0) != 0 or driver.cuDeviceGetName(name, 256, device) != 0:
        raise BackendUnavailableError("the GPU does not tell its name", "see nvidia-smi")
    return name.value.decode("utf-8", "replace")


def _driver_version() -> str:
    path = Path("/proc/driver/nvidia/version")
    words = path.read_text().split() if path.exists() else []
    return next((word for word in words if word.count(".") >= 1 and word[0].isdigit()), "")


def _backend(driver: ctypes.CDLL, wheels: dict[str, Path]) -> Backend:
    cudnn = _library(wheels["cudnn"] / "lib", "libcudnn.so.9")
    cudart = _library(wheels["cuda_runtime"] / "lib", "libcudart.so.1*")
    version = ctypes.CDLL(str(cudnn)).cudnnGetVersion
    version.restype = ctypes.c_size_t
    root = wheels["cudnn"].parent
    build = native_build()
    libraries = [f"{INSIDE}/{path.relative_to(root)}/lib" for path in wheels.values()]
    return Backend(
        info=BackendInfo("gpu", int(version()), _device_name(driver), _driver_version()),
        libcudnn=f"{INSIDE}/{cudnn.relative_to(root)}",
        libcudart=f"{INSIDE}/{cudart.relative_to(root)}",
        headers=_headers(wheels, build),
        mounts=(
            (root, INSIDE),
            (build / "lib" / "libfp_recorder.so", "/fp/lib/libfp_recorder.so"),
            (build / "python" / "libcudnn", "/fp/python/libcudnn"),
            (build / "bin", "/fp/bin"),
            *_cupy_packages(),
            *_driver_files(),
        ),
        environment={
            "LD_LIBRARY_PATH": ":".join([*libraries, *sorted({str(p.parent) for p, _ in _driver_files()})]),
            "CUDA_PATH": f"{INSIDE}/{wheels['cuda_runtime'].relative_to(root)}",
            "CUDA_CACHE_DISABLE": "1",
            # With a PATH, loading CuPy looks for a compiler and needs temporary files; without one it goes on.
            "PATH": "/nonexistent",
            "CUPY_CACHE_IN_MEMORY": "1",
            "CUPY_CACHE_DIR": SITE,
        },
        gpu=True,
        tf32=True,
    )


def _headers(wheels: dict[str, Path], build: Path) -> tuple[Path, ...]:
    """NVIDIA's headers where they are complete (the runtime wheels lack `crt/`), else those of our API table."""
    real = tuple(path / "include" for path in wheels.values() if (path / "include").is_dir())
    if any((path / "crt" / "host_config.h").exists() for path in real):
        return real
    return (build / "include",)


def _cupy_packages() -> tuple[tuple[Path, str], ...]:
    found: list[tuple[Path, str]] = []
    for name in ("cupy", "cupy_backends", "cupyx", "fastrlock", "cuda"):
        spec = importlib.util.find_spec(name)
        for location in (spec.submodule_search_locations or []) if spec else []:
            found.append((Path(location), f"/fp/site/{name}"))
            break
    return tuple(found)


def _driver_files() -> tuple[tuple[Path, str], ...]:
    """Driver libraries outside /usr (containers often mount them elsewhere), and the little of /sys that it reads."""
    loaded = Path("/proc/self/maps").read_text().splitlines()
    paths = {Path(line.split()[-1]) for line in loaded if "libcuda.so" in line or "libnvidia" in line}
    outside = {path.parent for path in paths if path.parts[1] not in ("usr", "lib", "lib64")}
    places = [*sorted(outside), Path("/sys/bus/pci"), Path("/sys/devices"), Path("/sys/module/nvidia")]
    return tuple((path, str(path)) for path in places if path.exists())
