"""Finds NVIDIA's libraries on this machine: the driver, cuDNN 9 and a CUDA runtime that fit together.

Places, in this order: the NVIDIA wheels of this Python, what cuda-pathfinder finds (Conda, CUDA_HOME), the system's
linker cache. Every complaint says what was found and how to mend it.
"""

import ctypes
import functools
import importlib.util
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grader.backends.base import BackendUnavailableError

INSTALL = "install the extra `gpu` (CUDA 12) or `gpu-cu13` (CUDA 13): pip install 'forwardpass[gpu]'"
SUBLIBRARIES = ("graph", "ops", "cnn", "adv", "heuristic", "engines_precompiled", "engines_runtime_compiled")
DEVICES = Path("/dev")
CUINIT: dict[int, tuple[str, str]] = {
    2: ("no memory left on the GPU", "end what else uses it (nvidia-smi lists it)"),
    100: (
        "the driver sees no GPU",
        "unset CUDA_VISIBLE_DEVICES, or give the container its GPU (docker run --gpus all)",
    ),
    802: ("the GPU's system is not ready", "start the fabric manager of the driver's version"),
    803: (
        "libcuda.so.1 and the kernel module are of different versions",
        "reboot after the driver's update; in a container, remove a libcuda of its own",
    ),
    804: (
        "this GPU cannot use the compatibility package of a newer driver",
        "remove cuda-compat from LD_LIBRARY_PATH, or update the driver",
    ),
}
"""What cuInit's commonest failures mean, and how to mend them."""
VERSION_CHECKS = ("cudnnGraphVersionCheck", "cudnnOpsVersionCheck", "cudnnCnnVersionCheck", "cudnnAdvVersionCheck")


@dataclass(frozen=True, slots=True)
class Libraries:
    """folders: what the sandbox must see. search: directories of libraries. headers: may be incomplete."""

    cudnn: Path
    cudart: Path
    folders: tuple[Path, ...]
    search: tuple[Path, ...]
    headers: tuple[Path, ...]
    cuda: Path
    """Root of the CUDA installation, for CuPy's headers."""


def nodes() -> tuple[int, ...]:
    """Numbers of the GPUs whose device nodes exist here. Raises BackendUnavailableError where one is missing."""
    numbers = sorted(int(path.name[6:]) for path in DEVICES.glob("nvidia[0-9]*") if path.name[6:].isdigit())
    for node in (DEVICES / "nvidiactl", DEVICES / "nvidia-uvm"):
        if not numbers or not node.exists():
            missing = node if numbers or not node.exists() else DEVICES / "nvidia0"
            mend = "install the NVIDIA driver, or give the container its GPU (docker run --gpus all)"
            raise BackendUnavailableError(f"no NVIDIA GPU: {missing} is missing", mend)
    return tuple(numbers)


@functools.cache
def driver() -> ctypes.CDLL:
    """The driver, started. Raises BackendUnavailableError."""
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        mend = "install the NVIDIA driver; in a container, the NVIDIA Container Toolkit brings it in"
        raise BackendUnavailableError(f"the driver's libcuda.so.1: {error}", mend) from None
    if (status := library.cuInit(0)) != 0:
        meaning, mend = CUINIT.get(status, ("", "see nvidia-smi; reload the driver or reboot"))
        reason = f"{meaning}: " if meaning else ""
        raise BackendUnavailableError(f"{reason}cuInit failed with {status}", mend)
    return library


def device_name() -> str:
    device, name = ctypes.c_int(), ctypes.create_string_buffer(256)
    if driver().cuDeviceGet(ctypes.byref(device), 0) != 0 or driver().cuDeviceGetName(name, 256, device) != 0:
        raise BackendUnavailableError("the GPU does not tell its name", "see nvidia-smi")
    return name.value.decode("utf-8", "replace")


def driver_version() -> str:
    """As nvidia-smi shows it; "" where the kernel module does not tell."""
    path = Path("/proc/driver/nvidia/version")
    words = path.read_text().split() if path.exists() else []
    return next((word for word in words if word.count(".") >= 1 and word[0].isdigit()), "")


def libraries() -> Libraries:
    """Raises BackendUnavailableError naming the library that is missing."""
    for find in (_wheels, _pathfinder, _system):
        if (found := find()) is not None:
            return found
    raise BackendUnavailableError("libcudnn.so.9 or a libcudart is not installed", INSTALL)


def _wheels() -> Libraries | None:
    spec = importlib.util.find_spec("nvidia")
    roots = [Path(path) for path in (spec.submodule_search_locations or [])] if spec else []
    found = {path.name: path for root in roots for path in root.iterdir() if (path / "lib").is_dir()}
    if "cu13" in found:
        found.setdefault("cuda_runtime", found["cu13"])
    if "cudnn" not in found or "cuda_runtime" not in found:
        return None
    return Libraries(
        _file(found["cudnn"] / "lib", "libcudnn.so.9"),
        _file(found["cuda_runtime"] / "lib", "libcudart.so.1*"),
        (found["cudnn"].parent,),
        tuple(path / "lib" for path in found.values()),
        tuple(path / "include" for path in found.values() if (path / "include").is_dir()),
        found["cuda_runtime"],
    )


def _file(directory: Path, pattern: str) -> Path:
    matching = sorted(directory.glob(pattern))
    if not matching:
        raise BackendUnavailableError(f"{directory}/{pattern} is missing", f"reinstall it: {INSTALL}")
    return matching[0]


def _pathfinder() -> Libraries | None:
    if importlib.util.find_spec("cuda") is None or importlib.util.find_spec("cuda.pathfinder") is None:
        return None
    from cuda.pathfinder import load_nvidia_dynamic_lib

    def path(name: str) -> Path | None:
        try:
            found = load_nvidia_dynamic_lib(name).abs_path
        except Exception:  # its errors differ between releases; the next place is asked
            return None
        return Path(found) if found else None

    return _pair(path("cudnn"), path("cudart"))


def _system() -> Libraries | None:
    cache = _linker_cache()

    def path(pattern: str) -> Path | None:
        return next((Path(file) for name, file in cache.items() if re.fullmatch(pattern, name)), None)

    return _pair(path(r"libcudnn\.so\.9"), path(r"libcudart\.so\.1[23]"))


def _linker_cache() -> dict[str, str]:
    for program in ("/sbin/ldconfig", "/usr/sbin/ldconfig"):
        if Path(program).exists():
            lines = subprocess.run([program, "-p"], capture_output=True, text=True, check=False).stdout.splitlines()
            return {line.split()[0]: line.split("=> ")[1] for line in lines if "=> " in line}
    return {}


def _pair(cudnn: Path | None, cudart: Path | None) -> Libraries | None:
    if cudnn is None or cudart is None:
        return None
    search = tuple(dict.fromkeys((cudnn.parent, cudart.parent)))
    headers = tuple(dict.fromkeys(path for folder in search if (path := folder.parent / "include").is_dir()))
    return Libraries(cudnn, cudart, search, search, headers, cudart.parent.parent)


def check_versions(found: Libraries, load: Callable[[str], ctypes.CDLL] = ctypes.CDLL) -> int:
    """cuDNN's version number. Raises BackendUnavailableError where driver, runtime and cuDNN do not fit together."""
    try:
        cudnn, cudart = load(str(found.cudnn)), load(str(found.cudart))
    except OSError as error:
        raise BackendUnavailableError(f"{found.cudnn} cannot be loaded: {error}", f"reinstall it: {INSTALL}") from None
    for name in ("cudnnGetVersion", "cudnnGetCudartVersion"):
        getattr(cudnn, name).restype = ctypes.c_size_t
    version, built_for = int(cudnn.cudnnGetVersion()), int(cudnn.cudnnGetCudartVersion()) // 1000
    supported, runtime = ctypes.c_int(), ctypes.c_int()
    driver().cuDriverGetVersion(ctypes.byref(supported))
    cudart.cudaRuntimeGetVersion(ctypes.byref(runtime))
    major = runtime.value // 1000
    if version < 90000:
        raise BackendUnavailableError(f"cuDNN {version} is too old: the course needs 9", INSTALL)
    if built_for != major:
        reason = f"mixed versions: cuDNN is built for CUDA {built_for}, the runtime {found.cudart} is CUDA {major}"
        raise BackendUnavailableError(reason, f"keep one of them: {INSTALL}")
    if supported.value // 1000 < major:
        reason = f"the driver is too old: it supports CUDA {_dotted(supported.value)}, the libraries are CUDA {major}"
        raise BackendUnavailableError(reason, f"update the driver, or install the libraries for CUDA {major - 1}")
    _check_sublibraries(found, cudnn)
    return version


def _dotted(version: int) -> str:
    return f"{version // 1000}.{version % 1000 // 10}"


def _check_sublibraries(found: Libraries, cudnn: ctypes.CDLL) -> None:
    for name in SUBLIBRARIES:
        if not (found.cudnn.parent / f"libcudnn_{name}.so.9").exists():
            reason = f"libcudnn_{name}.so.9 is missing beside {found.cudnn}"
            raise BackendUnavailableError(reason, f"reinstall it: {INSTALL}")
    for name in VERSION_CHECKS:
        check = getattr(cudnn, name, None)
        if check is not None and (status := check()) != 0:
            reason = f"mixed versions: {name} of {found.cudnn} answers {status}{_strangers(found)}"
            raise BackendUnavailableError(reason, f"remove all cuDNN packages and install one: {INSTALL}")


def _strangers(found: Libraries) -> str:
    """Parts of cuDNN that this process has loaded from another directory than cuDNN itself."""
    files = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "/libcudnn_" in line}
    others = sorted(file for file in files if Path(file).parent.resolve() != found.cudnn.parent.resolve())
    return f"; loaded from elsewhere: {', '.join(others)}" if others else ""
