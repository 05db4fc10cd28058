"""Proves at start that the GPU works from inside the sandbox, and says what is wrong where it does not."""

import functools

from grader.backends import Backend, BackendUnavailableError, gpu
from grader.launch import HarnessError, launch
from grader.sandbox.jail import JailError

_MENDS = {
    "/dev/nvidia": "make the device nodes (nvidia-modprobe -u -c=0), or give the container its GPU (--gpus all)",
    "cuInit": "the sandbox lacks the driver: see `python -m grader env` and docs/deploying.md, section on GPUs",
    "cudnnCreate": "the sandbox cannot start cuDNN: look for free GPU memory with nvidia-smi",
    "cannot be loaded": "the sandbox cannot read NVIDIA's libraries: chmod -R o+rX their folder",
    "MemoryAllocation": "no memory is left on the GPU: end what else uses it (nvidia-smi lists it)",
}
_OTHER = "look at the text above, then at nvidia-smi and `dmesg | grep -i nvrm`"


@functools.cache
def prove_gpu() -> Backend:
    """The GPU backend, after a sandbox of each GPU has started a context and a cuDNN handle on it.

    Raises BackendUnavailableError; from then on `gpu.find` raises the same.
    """
    backend = gpu.find()
    for slot in range(len(backend.devices)):
        try:
            launch("cpp", backend, slot=slot).close()
        except (HarnessError, JailError) as error:
            text = f"the GPU does not work inside the sandbox: {error}"
            mend = next((mend for sign, mend in _MENDS.items() if sign in str(error)), _OTHER)
            gpu.refuse(text, mend)
            raise BackendUnavailableError(text, mend) from None
    return backend
