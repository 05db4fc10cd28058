"""cuDNN's C functions for Python: the C names, the C arguments in their order without the out-parameters, which become
return values. A status other than CUDNN_STATUS_SUCCESS raises `CudnnError`.

    import libcudnn
    handle = libcudnn.cudnnCreate()
    x = libcudnn.cudnnCreateTensorDescriptor()
    libcudnn.cudnnSetTensor4dDescriptor(x, libcudnn.CUDNN_TENSOR_NCHW, libcudnn.CUDNN_DATA_FLOAT, 1, 3, 8, 8)
    n, c, h, w = libcudnn.cudnnGetConvolution2dForwardOutputDim(conv, x, filter)

The graph API takes typed attributes as lists; descriptors that a call fills are given as its last argument:

    libcudnn.cudnnBackendSetAttribute(x, libcudnn.CUDNN_ATTR_TENSOR_DIMENSIONS, libcudnn.CUDNN_TYPE_INT64, 2, [8, 8])
    found = libcudnn.cudnnBackendGetAttribute(heuristic, libcudnn.CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                              libcudnn.CUDNN_TYPE_BACKEND_DESCRIPTOR, 4, configurations)

alpha and beta are Python numbers; they go over as float or double, as the tensor descriptor demands. Device pointers
are addresses, CuPy arrays, or None. The CUDA runtime is in `libcudnn.cuda`.
"""

from typing import Any

from libcudnn import cuda as cuda
from libcudnn._functions import last_error_string, make_function
from libcudnn._native import set_learner_file as set_learner_file
from libcudnn._table import ENUMS, FUNCTIONS, MACROS, OPAQUES
from libcudnn._types import ENUM_TYPES, OPAQUE_TYPES
from libcudnn._types import DevicePointer as DevicePointer
from libcudnn.errors import CudaError as CudaError
from libcudnn.errors import CudnnError as CudnnError
from libcudnn.errors import StatusError as StatusError

__all__ = ["CudaError", "CudnnError", "DevicePointer", "StatusError", "cuda", "set_learner_file"]


def _names() -> dict[str, Any]:
    names: dict[str, Any] = dict(MACROS["cudnn"])
    for enum, (library, _) in ENUMS.items():
        if library == "cudnn":
            names |= {enum: ENUM_TYPES[enum], **ENUM_TYPES[enum].__members__}
    names |= {name: OPAQUE_TYPES[name] for name, (library, _) in OPAQUES.items() if library == "cudnn"}
    names |= {name: make_function(name) for name, entry in FUNCTIONS.items() if entry[0] == "cudnn"}
    return names | {"cudnnGetLastErrorString": last_error_string}


globals().update(_names())
__all__ += [name for name in _names.__globals__ if name.startswith(("cudnn", "CUDNN"))]
