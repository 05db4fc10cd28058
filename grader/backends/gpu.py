"""Real cuDNN on an NVIDIA GPU: libraries from the NVIDIA wheels or the system, the driver from the machine."""

import importlib.util
import os
from pathlib import Path

from grader.backends import nvidia
from grader.backends.base import Backend, BackendUnavailableError
from grader.backends.nvidia import Libraries
from grader.contract.verdict import BackendInfo
from grader.native.freshness import why_stale
from grader.paths import native_build
from grader.sandbox.device_memory import free_bytes

INSIDE = "/fp/nvidia"
SITE = "/fp/site"
"""An existing directory satisfies CuPy, which would make its kernel cache there although it keeps it in memory."""
DEVICE_MIB = int(os.environ.get("FORWARDPASS_GPU_MEMORY_MIB") or 6144)
"""GPU memory that one sandbox may hold, its context and cuDNN's kernels (about 0.6 GiB) included."""
LEAST_FREE_MIB = 1536
"""Less free memory than this, and a sandbox's start would fail or its first convolution run out."""
SYSTEM = ("/usr", "/lib", "/lib64")

_found: Backend | None = None
_refused: BackendUnavailableError | None = None


def find() -> Backend:
    """The backend, looked for once. Raises BackendUnavailableError naming what is missing and how to mend it."""
    global _found
    if _refused is not None:
        raise _refused
    if _found is None:
        _found = _look()
    return _found


def refuse(reason: str, mend: str) -> None:
    """From now on `find` raises this: the self-test in the sandbox has failed."""
    global _refused
    _refused = BackendUnavailableError(reason, mend)


def _look() -> Backend:
    devices = nvidia.nodes()
    nvidia.driver()
    found = nvidia.libraries()
    version = nvidia.check_versions(found)
    if importlib.util.find_spec("cupy") is None:
        raise BackendUnavailableError("CuPy is not installed", nvidia.INSTALL)
    if not (native_build() / "bin" / "fp_runner").exists():
        raise BackendUnavailableError(f"{native_build()}/bin/fp_runner is missing", "run `make native`")
    if reason := why_stale(native_build()):
        raise BackendUnavailableError(reason, "run `make native`")
    check_memory(free_bytes())
    return _backend(found, version, devices)


def check_memory(free: list[int]) -> None:
    """Raises BackendUnavailableError where the emptiest GPU has too little room. [] (not told) passes."""
    if free and max(free) < LEAST_FREE_MIB << 20:
        reason = f"no memory left on the GPU: {max(free) >> 20} MiB are free, a sandbox needs {LEAST_FREE_MIB}"
        raise BackendUnavailableError(reason, "end what else uses the GPU (nvidia-smi lists it)")


def _inside(path: Path, found: Libraries) -> str:
    """Where the sandbox sees a path: the wheels under one root, system directories and others as they are."""
    root = found.folders[0]
    if len(found.folders) == 1 and path.is_relative_to(root):
        return f"{INSIDE}/{path.relative_to(root)}"
    return str(path)


def _backend(found: Libraries, version: int, devices: tuple[int, ...]) -> Backend:
    build = native_build()
    outside = [folder for folder in found.folders if not str(folder).startswith(SYSTEM)]
    driver_files = _driver_files()
    search = [_inside(path, found) for path in found.search] + sorted({str(p.parent) for p, _ in driver_files})
    return Backend(
        info=BackendInfo("gpu", version, nvidia.device_name(), nvidia.driver_version()),
        libcudnn=_inside(found.cudnn, found),
        libcudart=_inside(found.cudart, found),
        headers=_headers(found, build),
        mounts=(
            *((folder, _inside(folder, found).rstrip("/.")) for folder in outside),
            (build / "lib" / "libfp_recorder.so", "/fp/lib/libfp_recorder.so"),
            (build / "python" / "libcudnn", "/fp/python/libcudnn"),
            (build / "bin", "/fp/bin"),
            *_cupy_packages(),
            *driver_files,
        ),
        environment={
            "LD_LIBRARY_PATH": ":".join(search),
            "CUDA_PATH": _inside(found.cuda, found),
            "CUDA_CACHE_DISABLE": "1",
            # With a PATH, loading CuPy looks for a compiler and needs temporary files; without one it goes on.
            "PATH": "/nonexistent",
            "CUPY_CACHE_IN_MEMORY": "1",
            "CUPY_CACHE_DIR": SITE,
            "FP_GPU": "1",
            "FP_GPU_CLOCK": "1",
        },
        gpu=True,
        devices=devices,
        device_mib=DEVICE_MIB,
        tf32=True,
    )


def _headers(found: Libraries, build: Path) -> tuple[Path, ...]:
    """NVIDIA's headers where they are complete (the runtime wheels lack `crt/`), else those of our API table."""
    if any((path / "crt" / "host_config.h").exists() for path in found.headers):
        return found.headers
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
