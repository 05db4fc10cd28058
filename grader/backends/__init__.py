"""Where learner code runs its cuDNN calls: on a GPU with the real library, or on the simulator."""

from grader.backends import gpu, simulated
from grader.backends.base import Backend, BackendUnavailableError
from grader.contract.job import BackendName

__all__ = ["Backend", "BackendUnavailableError", "find_backend", "why_not_gpu"]


def find_backend(name: BackendName) -> Backend:
    """The backend of this name; `auto` takes the GPU where it truly works, else the simulator.

    Raises BackendUnavailableError with the reason and the mend.
    """
    if name == "simulated":
        return simulated.find()
    if name == "gpu":
        return gpu.find()
    try:
        return gpu.find()
    except BackendUnavailableError:
        return simulated.find()


def why_not_gpu() -> str:
    """What keeps `auto` from the GPU, and the mend; "" where nothing does."""
    try:
        gpu.find()
    except BackendUnavailableError as error:
        return f"{error}; {error.mend}"
    return ""
