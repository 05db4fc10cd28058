"""Sequences for functions that no recorded scenario reaches.

Descriptors and their getters, forward convolution, memory, streams, events, the device, the log's callback, attention,
the ends of objects.
"""

import ctypes
from itertools import product
from typing import Any

from grader.contract.api_types import Function, Parameter
from tests.native.fuzz.mutate import callback
from tests.native.fuzz.session import FuzzSession, Sequence_
from tests.native.h200.session import BF16, DOUBLE, FLOAT, HALF, INT8, INT32, NCHW, NHWC, UINT8
from tests.native.parity.values import ENUMS, FUNCTIONS

BYTES = 4096
OUTS = ("host_out", "host_array", "pointer_out", "text_out", "perf", "element")
TYPES = (FLOAT, DOUBLE, HALF, BF16, INT8, UINT8, INT32)


def out() -> Any:
    """Host memory for one value of any kind."""
    return ctypes.create_string_buffer(BYTES)


def made(s: FuzzSession, function: str, *more: int) -> int:
    """What a function that creates something wrote into its first argument."""
    pointer = ctypes.c_void_p()
    getattr(s.lib, function)(ctypes.byref(pointer), *more)
    return pointer.value or 0


def tensors(s: FuzzSession) -> None:
    for layout, dtype in product((NCHW, NHWC), TYPES):
        d = s.create("Tensor")
        s.lib.cudnnSetTensor4dDescriptor(d, layout, dtype, 2, 4, 3, 5)
        s.lib.cudnnGetTensor4dDescriptor(d, *(out() for _ in range(9)))
        s.lib.cudnnSetTensor4dDescriptorEx(d, dtype, 2, 4, 3, 5, 60, 15, 5, 1)
        s.lib.cudnnGetTensorNdDescriptor(d, 4, out(), out(), (ctypes.c_int * 4)(), (ctypes.c_int * 4)())
        s.lib.cudnnSetTensorNdDescriptor(d, dtype, 5, s.ints([2, 3, 4, 5, 6]), s.ints([360, 120, 30, 6, 1]))
        s.lib.cudnnGetTensorSizeInBytes(d, out())
        s.lib.cudnnDestroyTensorDescriptor(d)


def filters(s: FuzzSession) -> None:
    for layout, dtype in product((NCHW, NHWC), TYPES):
        d = s.create("Filter")
        s.lib.cudnnSetFilter4dDescriptor(d, dtype, layout, 8, 4, 3, 3)
        s.lib.cudnnGetFilter4dDescriptor(d, *(out() for _ in range(6)))
        s.lib.cudnnGetFilterNdDescriptor(d, 4, out(), out(), out(), (ctypes.c_int * 4)())
        s.lib.cudnnGetFilterSizeInBytes(d, out())
        s.lib.cudnnDestroyFilterDescriptor(d)


def convolution(s: FuzzSession, dtype: int, groups: int, mode: int) -> int:
    d = s.create("Convolution")
    compute = {DOUBLE: DOUBLE, INT8: INT32}.get(dtype, FLOAT)
    s.lib.cudnnSetConvolution2dDescriptor(d, 1, 1, 1, 1, 1, 1, mode, compute)
    s.lib.cudnnSetConvolutionGroupCount(d, groups)
    s.lib.cudnnSetConvolutionMathType(d, 0)
    s.lib.cudnnSetConvolutionReorderType(d, 0)
    return d


def forward_convolutions(s: FuzzSession) -> None:
    for dtype, layout, groups, mode in product((FLOAT, DOUBLE, HALF, BF16, INT8), (NCHW, NHWC), (1, 2), (0, 1)):
        conv = convolution(s, dtype, groups, mode)
        x, y = s.tensor(dtype, (2, 8, 6, 5), layout), s.tensor(dtype, (2, 16, 6, 5), layout)
        w = s.filter(dtype, (16, 8 // groups, 3, 3), layout)
        s.lib.cudnnGetConvolution2dForwardOutputDim(conv, x, w, out(), out(), out(), out())
        s.lib.cudnnGetConvolutionNdForwardOutputDim(conv, x, w, 4, (ctypes.c_int * 4)())
        forward(s, (conv, x, w, y), dtype)


def forward(s: FuzzSession, descriptors: tuple[int, int, int, int], dtype: int) -> None:
    """Lists, workspaces and runs of every algorithm."""
    conv, x, w, y = descriptors
    problem = (s.handle, x, w, conv, y)
    xb, wb, yb = (s.random_buffer(count, dtype).address for count in (480, 1152, 960))
    s.lib.cudnnGetConvolutionForwardAlgorithmMaxCount(s.handle, out())
    for name in ("cudnnGetConvolutionForwardAlgorithm_v7", "cudnnFindConvolutionForwardAlgorithm"):
        getattr(s.lib, name)(*problem, 8, out(), ctypes.create_string_buffer(8 * 48))
    room = (8, out(), ctypes.create_string_buffer(8 * 48), s.space(1 << 16), 1 << 16)
    s.lib.cudnnFindConvolutionForwardAlgorithmEx(s.handle, x, xb, w, wb, conv, y, yb, *room)
    for algo in range(8):
        space, size = s.sized_space("cudnnGetConvolutionForwardWorkspaceSize", *problem, algo)
        one, beta = s.scalar(1, dtype), s.scalar(algo % 2, dtype)
        s.lib.cudnnConvolutionForward(s.handle, one, x, xb, w, wb, conv, algo, space, size, beta, y, yb)


def objects(s: FuzzSession) -> None:
    """Descriptors that hold a few values."""
    op, reduction, pooling, activation = (
        s.create(kind) for kind in ("OpTensor", "ReduceTensor", "Pooling", "Activation")
    )
    s.lib.cudnnSetOpTensorDescriptor(op, 0, FLOAT, 0)
    s.lib.cudnnSetReduceTensorDescriptor(reduction, 0, FLOAT, 0, 0, 0)
    s.lib.cudnnSetPooling2dDescriptor(pooling, 0, 0, 2, 2, 0, 0, 2, 2)
    s.lib.cudnnSetActivationDescriptor(activation, 1, 0, 6.0)
    convolution(s, FLOAT, 1, 1)
    lrn = s.create("LRN")
    s.lib.cudnnSetLRNDescriptor(lrn, 5, 1e-4, 0.75, 2.0)
    recurrent(s)
    ask_everything(s)


def recurrent(s: FuzzSession) -> None:
    drop, rnn, data, attention = (s.create(kind) for kind in ("Dropout", "RNN", "RNNData", "Attn"))
    states = ctypes.c_size_t()
    s.lib.cudnnDropoutGetStatesSize(s.handle, ctypes.byref(states))
    s.lib.cudnnSetDropoutDescriptor(drop, s.handle, 0.25, s.space(states.value), states.value, 1)
    s.lib.cudnnSetRNNDescriptor_v8(rnn, 0, 2, 2, 0, 0, FLOAT, FLOAT, 0, 4, 4, 4, 1, drop, 0)
    s.lib.cudnnRNNSetClip_v8(rnn, 1, 0, -1.0, 1.0)
    s.lib.cudnnRNNGetClip_v8(rnn, out(), out(), out(), out())
    s.lib.cudnnBuildRNNDynamic(s.handle, rnn, 3)
    s.lib.cudnnSetRNNDataDescriptor(data, FLOAT, 0, 3, 2, 4, s.ints([3, 2]), None)
    s.lib.cudnnGetRNNDataDescriptor(data, out(), out(), out(), out(), out(), 2, (ctypes.c_int * 2)(), out())
    s.lib.cudnnSetAttnDescriptor(attention, 0, 2, 0.5, FLOAT, FLOAT, 0, None, drop, 6, 5, 4, 3, 3, 2, 7, 4, 5, 2, 1)
    s.lib.cudnnGetAttnDescriptor(attention, *(out() for _ in range(19)))


def ask_everything(s: FuzzSession) -> None:
    """Every function that only answers, about every object there is."""
    for function in FUNCTIONS.values():
        if not hasattr(s.lib, function.name) or not is_question(function):
            continue
        first = function.parameters[0] if function.parameters else None
        known = s.lib.pool.live.get(first.base, []) if first and first.role in ("handle", "descriptor") else [0]
        for pointer in known[-3:]:
            getattr(s.lib, function.name)(*(answer(parameter, pointer, s.handle) for parameter in function.parameters))


def is_question(function: Function) -> bool:
    """Whether it reads one object at most and writes host memory."""
    rest = function.parameters[1:]
    first = not function.parameters or function.parameters[0].role in ("handle", "descriptor", "enum", "value", *OUTS)
    named = "Get" in function.name or function.name.endswith(("VersionCheck", "Version", "LastError"))
    return first and named and all(p.role in (*OUTS, "handle", "value", "enum") for p in rest)


def answer(parameter: Parameter, pointer: int, handle: int) -> Any:
    if parameter.role == "descriptor":
        return pointer
    if parameter.role == "handle":
        return handle
    return out() if parameter.role in OUTS else 4 if "equested" in parameter.name else 0


def memory(s: FuzzSession) -> None:
    host, lib = ctypes.create_string_buffer(BYTES), s.lib
    stream = made(s, "cudaStreamCreate")
    lib.cudaMemGetInfo(out(), out())
    for name, more in (("cudaMalloc", ()), ("cudaMallocAsync", (stream,)), ("cudaMallocHost", ()),
                       ("cudaHostAlloc", (0,)), ("cudaMallocManaged", (1,))):  # fmt: skip
        pointer = made(s, name, BYTES, *more)
        lib.cudaPointerGetAttributes(out(), pointer)
        if name != "cudaHostAlloc" and name != "cudaMallocHost":
            lib.cudaMemset(pointer, 0, BYTES)
            lib.cudaMemsetAsync(pointer, 1, BYTES // 2, stream)
        lib.cudaMemcpy(pointer, host, BYTES, 4)
        lib.cudaMemcpyAsync(host, pointer, BYTES, 4, stream)
        lib.cudaMemcpy2D(pointer, 64, host, 32, 16, 8, 4)
        lib.cudaMemcpy2DAsync(host, 16, pointer, 64, 16, 8, 4, stream)
        if name.startswith("cudaMallocHost") or name == "cudaHostAlloc":
            lib.cudaFreeHost(pointer)
        elif name == "cudaMallocAsync":
            lib.cudaFreeAsync(pointer, stream)
        else:
            lib.cudaFree(pointer)
    lib.cudaStreamDestroy(stream)


def streams(s: FuzzSession) -> None:
    lib = s.lib
    for flags in (0, 1):
        stream, other = made(s, "cudaStreamCreate"), made(s, "cudaStreamCreateWithFlags", flags)
        start, end = made(s, "cudaEventCreate"), made(s, "cudaEventCreateWithFlags", flags)
        lib.cudnnSetStream(s.handle, stream)
        lib.cudnnGetStream(s.handle, out())
        lib.cudaEventRecord(start, stream)
        lib.cudaStreamWaitEvent(other, start, 0)
        lib.cudaEventRecord(end, other)
        lib.cudaEventSynchronize(end)
        lib.cudaEventQuery(end)
        lib.cudaEventElapsedTime(out(), start, end)
        lib.cudaStreamQuery(stream)
        lib.cudaStreamSynchronize(other)
        lib.cudnnSetStream(s.handle, None)
        for event in (start, end):
            lib.cudaEventDestroy(event)
        for one in (stream, other):
            lib.cudaStreamDestroy(one)


def device(s: FuzzSession) -> None:
    lib = s.lib
    lib.cudaGetDeviceCount(out())
    lib.cudaSetDevice(0)
    lib.cudaGetDevice(out())
    lib.cudaGetDeviceProperties(out(), 0)
    for attribute in ENUMS["cudaDeviceAttr"].values:
        lib.cudaDeviceGetAttribute(out(), attribute.value, 0)
    for status in (0, 1, 700, 2000, 3000, 9999):
        for name in ("cudaGetErrorName", "cudaGetErrorString", "cudnnGetErrorString"):
            getattr(lib, name)(status)
    for _ in range(2):
        lib.cudaGetLastError()
        lib.cudaPeekAtLastError()
    lib.cudaDeviceReset()


def callbacks(s: FuzzSession) -> None:
    for mask in (15, 1, 0):
        s.lib.cudnnSetCallback(mask, 8, callback)
        s.lib.cudnnGetCallback(out(), out(), out())
        objects(s)
    s.lib.cudnnSetCallback(0, None, None)


def handles(s: FuzzSession) -> None:
    """Several handles, some used after their end, some ended twice."""
    many = [made(s, "cudnnCreate") for _ in range(6)]
    for handle in (*many, *many[:2]):
        s.lib.cudnnSetStream(handle, None)
        s.lib.cudnnDestroy(handle)
    node = made_node(s)
    s.lib.cudnnBackendInitialize(node)
    for _ in range(2):
        s.lib.cudnnBackendDestroyDescriptor(node)


def made_node(s: FuzzSession) -> int:
    pointer = ctypes.c_void_p()
    s.lib.cudnnBackendCreateDescriptor(17, ctypes.byref(pointer))
    return pointer.value or 0


SEQUENCES: tuple[Sequence_, ...] = (  # type: ignore[assignment]
    tensors, filters, forward_convolutions, objects, memory, streams, device, callbacks, handles,
)  # fmt: skip
