"""What the grader needs to know of a backend: its libraries, its headers, and what the sandbox must see of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.contract.verdict import BackendInfo


class BackendUnavailableError(Exception):
    """The backend cannot be used on this machine. `mend` says what to do about it."""

    def __init__(self, reason: str, mend: str) -> None:
        super().__init__(reason)
        self.mend = mend


@dataclass(frozen=True, slots=True)
class Backend:
    """mounts: (path on this machine, path inside). libcudnn, libcudart: paths inside. headers: directories here.

    site: extra Python packages for learner code (path here); environment: variables inside.
    """

    info: BackendInfo
    libcudnn: str
    libcudart: str
    headers: tuple[Path, ...]
    mounts: tuple[tuple[Path, str], ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    gpu: bool = False
    devices: tuple[int, ...] = ()
    """Numbers of the GPUs, as in /dev/nvidia<n>; slot n takes the n-th of them, in turn."""
    device_mib: int | None = None
    """GPU memory that one sandbox may hold, its context and cuDNN's kernels included."""
    tf32: bool = False
    """Whether float32 convolutions may round their inputs to 10 bits of mantissa, as Tensor Cores do."""
