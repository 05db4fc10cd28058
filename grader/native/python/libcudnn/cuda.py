"""The CUDA runtime's C functions for Python, in the manner of `libcudnn`. A failure raises `CudaError`.

Streams and events are those of this module or of CuPy; host memory is a NumPy array, ctypes memory or an address.
"""

from typing import Any

from libcudnn._functions import make_function
from libcudnn._table import ENUMS, FUNCTIONS, MACROS, OPAQUES
from libcudnn._types import ENUM_TYPES, OPAQUE_TYPES
from libcudnn._types import DevicePointer as DevicePointer
from libcudnn.errors import CudaError as CudaError

__all__ = ["CudaError", "DevicePointer"]


def _names() -> dict[str, Any]:
    names: dict[str, Any] = dict(MACROS["cudart"])
    for enum, (library, _) in ENUMS.items():
        if library == "cudart":
            names |= {enum: ENUM_TYPES[enum], **ENUM_TYPES[enum].__members__}
    names |= {name: OPAQUE_TYPES[name] for name, (library, _) in OPAQUES.items() if library == "cudart"}
    return names | {name: make_function(name) for name, entry in FUNCTIONS.items() if entry[0] == "cudart"}


globals().update(_names())
__all__ += [name for name in _names.__globals__ if name.startswith(("cuda", "CUDA"))]
