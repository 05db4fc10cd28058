"""Calls into the simulated CUDA runtime that the recorder leaves out of the trace, as it does not see real CuPy's."""

import ctypes
from typing import Any

from libcudnn._native import library
from libcudnn._table import ENUMS

_INT, _SIZE, _POINTER, _UNSIGNED = ctypes.c_int, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_uint
_ERRORS = {value: name for name, value in ENUMS["cudaError_t"][1].items()}


class CUDARuntimeError(RuntimeError):
    """A CUDA runtime call failed. status: the cudaError_t."""

    def __init__(self, status: int) -> None:
        self.status = status
        text = _text("cudaGetErrorString", status)
        super().__init__(f"{_ERRORS.get(status, status)}: {text}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status,)


def function(name: str, *argtypes: Any) -> Any:
    """The function as the library exports it; it returns the status."""
    address = library.fp_recorder_symbol(name.encode())
    if not address:
        raise RuntimeError(f"the CUDA runtime library has no {name}; is FP_CUDART_LIBRARY right?")
    return ctypes.CFUNCTYPE(_INT, *argtypes)(address)


def _text(name: str, status: int) -> str:
    address = library.fp_recorder_symbol(name.encode())
    text = ctypes.CFUNCTYPE(ctypes.c_char_p, _INT)(address)(status) if address else b""
    return text.decode()


_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "cudaMalloc": (_POINTER, _SIZE),
    "cudaFree": (_POINTER,),
    "cudaMemcpy": (_POINTER, _POINTER, _SIZE, _INT),
    "cudaMemcpyAsync": (_POINTER, _POINTER, _SIZE, _INT, _POINTER),
    "cudaMemcpy2D": (_POINTER, _SIZE, _POINTER, _SIZE, _SIZE, _SIZE, _INT),
    "cudaMemcpy2DAsync": (_POINTER, _SIZE, _POINTER, _SIZE, _SIZE, _SIZE, _INT, _POINTER),
    "cudaMemset": (_POINTER, _INT, _SIZE),
    "cudaMemsetAsync": (_POINTER, _INT, _SIZE, _POINTER),
    "cudaMemGetInfo": (_POINTER, _POINTER),
    "cudaDeviceSynchronize": (),
    "cudaGetDeviceCount": (_POINTER,),
    "cudaGetDevice": (_POINTER,),
    "cudaSetDevice": (_INT,),
    "cudaGetDeviceProperties_v2": (_POINTER, _INT),
    "cudaDeviceGetAttribute": (_POINTER, _INT, _INT),
    "cudaRuntimeGetVersion": (_POINTER,),
    "cudaDriverGetVersion": (_POINTER,),
    "cudaStreamCreate": (_POINTER,),
    "cudaStreamCreateWithFlags": (_POINTER, _UNSIGNED),
    "cudaStreamDestroy": (_POINTER,),
    "cudaStreamSynchronize": (_POINTER,),
    "cudaStreamQuery": (_POINTER,),
    "cudaStreamWaitEvent": (_POINTER, _POINTER, _UNSIGNED),
    "cudaEventCreateWithFlags": (_POINTER, _UNSIGNED),
    "cudaEventDestroy": (_POINTER,),
    "cudaEventRecord": (_POINTER, _POINTER),
    "cudaEventSynchronize": (_POINTER,),
    "cudaEventQuery": (_POINTER,),
    "cudaEventElapsedTime": (_POINTER, _POINTER, _POINTER),
}
_functions: dict[str, Any] = {}


def call(name: str, *arguments: Any) -> None:
    """Raises CUDARuntimeError for a status other than success."""
    if status := status_of(name, *arguments):
        raise CUDARuntimeError(status)


def status_of(name: str, *arguments: Any) -> int:
    if name not in _functions:
        _functions[name] = function(name, *_ARGUMENTS[name])
    return int(_functions[name](*arguments))


def get(name: str, out: Any, *arguments: Any) -> Any:
    """Value that the function writes through its first parameter, of the ctypes type `out`."""
    memory = out()
    call(name, ctypes.addressof(memory), *arguments)
    return memory.value
