"""Our simulated cuDNN and CUDA runtime on the CPU."""

import functools
import re
from pathlib import Path

from grader.backends.base import Backend, BackendUnavailableError
from grader.contract.verdict import BackendInfo
from grader.native.freshness import why_stale
from grader.paths import native_build

NEEDED = (
    "bin/fp_runner",
    "include/cudnn.h",
    "include/cuda_runtime.h",
    "lib/libcudnn.so.9",
    "lib/libcudart.so.12",
    "lib/libfp_recorder.so",
    "python/libcudnn/__init__.py",
    "python/cupy/__init__.py",
)
MEMORY_MIB = 1024
"""Simulated device memory of one sandbox. Only pages that are written count against the memory limit."""


def find() -> Backend:
    """Raises BackendUnavailableError where the native part is not built, or from other sources."""
    build = native_build()
    missing = [name for name in NEEDED if not (build / name).exists()]
    if missing:
        reason = f"the simulator is not built: {build / missing[0]} is missing"
        raise BackendUnavailableError(reason, "run `make native`")
    if reason := why_stale(build):
        raise BackendUnavailableError(reason, "run `make native`")
    return _backend(build)


@functools.cache
def _backend(build: Path) -> Backend:
    return Backend(
        info=BackendInfo("simulated", _version(build), "simulated cuDNN (CPU)"),
        libcudnn="/fp/lib/libcudnn.so.9",
        libcudart="/fp/lib/libcudart.so.12",
        headers=(build / "include",),
        mounts=((build / "lib", "/fp/lib"), (build / "python", "/fp/python"), (build / "bin", "/fp/bin")),
        environment={"FP_SIM_MEMORY_MIB": str(MEMORY_MIB)},
    )


def _version(build: Path) -> int:
    """As cudnnGetVersion() gives it; 0 where the header does not say."""
    text = "".join(path.read_text() for path in sorted((build / "include").glob("cudnn_version*.h")))
    parts = dict(re.findall(r"#define CUDNN_(MAJOR|MINOR|PATCHLEVEL)\s+(\d+)", text))
    if len(parts) != 3:
        return 0
    return int(parts["MAJOR"]) * 10000 + int(parts["MINOR"]) * 100 + int(parts["PATCHLEVEL"])
