"""Rules on layouts, types and modes of descriptors."""

from collections.abc import Iterator, Sequence

from grader.checkers.api_trace.facts import (
    Calls,
    Value,
    described,
    family,
    integer,
    is_compute,
    noted,
    objects,
    sizes,
    value,
)
from grader.checkers.api_trace.rule import Note, finding, rule
from grader.contract.verdict import Call, Finding

DATA = {"Forward": "xDesc", "BackwardData": "dyDesc", "BackwardFilter": "xDesc"}
FILTER = {"Forward": "wDesc", "BackwardData": "wDesc", "BackwardFilter": "dwDesc"}
QUERY_DATA = ("xDesc", "inputTensorDesc", "srcDesc", "dyDesc", "diffDesc")
QUERY_FILTER = ("wDesc", "filterDesc", "dwDesc", "gradDesc")
PACKED = ("NCHW", "NHWC")


def _pairs(calls: Calls) -> Iterator[tuple[Call, Value, Value]]:
    """Convolution calls, queries included, with their tensor and filter descriptor."""
    for call in calls.own:
        if not family(call.name):
            continue
        tensor = next((d for name in QUERY_DATA if (d := value(call, name)).get("kind") == "tensor"), {})
        filters = next((d for name in QUERY_FILTER if (d := value(call, name)).get("kind") == "filter"), {})
        if tensor and filters:
            yield call, tensor, filters


def _first_of_each(found: Sequence[tuple[object, Finding]]) -> list[Finding]:
    """One finding for each subject: the same descriptors go through several calls."""
    chosen: dict[object, Finding] = {}
    for subject, entry in found:
        chosen.setdefault(subject, entry)
    return list(chosen.values())


FORMATS = {"NCHW": "FLOAT", "NHWC": "DOUBLE", "NCHW_VECT_C": "HALF"}
"""Format → the data type of the same number."""


def _swapped(tensor: Value, filters: Value) -> bool:
    """Whether the filter has the tensor's type and format, each in the other's place."""
    given = str(filters.get("dtype")), str(filters.get("format"))
    meant = str(tensor.get("dtype")), str(tensor.get("format"))
    crossed = FORMATS.get(meant[1]), next((f for f, d in FORMATS.items() if d == meant[0]), None)
    return given != meant and given == crossed


@rule("filter_layout_differs", "filter-descriptors")
def filter_layout_differs(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """Tensor and filter of a convolution have different layouts."""
    found = []
    for call, tensor, filters in _pairs(calls):
        formats = tensor.get("format"), filters.get("format")
        differ = formats[0] in PACKED and formats[1] in PACKED and formats[0] != formats[1]
        if differ and not _same_bytes(tensor) and not _swapped(tensor, filters):
            data = {"tensor": formats[0], "filter": formats[1]}
            subject = (tensor.get("id"), filters.get("id"))
            found.append((subject, finding("filter_layout_differs", call, **data)))
    return _first_of_each(found)


def _same_bytes(tensor: Value) -> bool:
    """Whether NCHW and NHWC are the same order in memory, so that a layout found from strides says nothing."""
    dims = sizes(tensor)
    return len(dims) < 3 or dims[1] == 1 or all(n == 1 for n in dims[2:])


def _reversed_dims(calls: Calls, layout: str) -> Iterator[tuple[Call, Value, list[int]]]:
    """Tensors whose dimensions were given as n,h,w,c: the filter's channels match the last one, not the second."""
    for call, tensor, filters in _pairs(calls):
        dims, kernel = sizes(tensor), sizes(filters)
        groups = integer(value(call, "convDesc").get("groups")) or 1
        if tensor.get("format") != layout or len(dims) != 4 or len(kernel) != 4:
            continue
        channels = kernel[0] if family(call.name) == "BackwardData" else kernel[1] * groups
        if dims[1] != channels and dims[3] == channels:
            yield call, tensor, dims


@rule("nhwc_order_swapped", "tensor-descriptors")
def nhwc_order_swapped(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """An NHWC descriptor got its dimensions as n,h,w,c; the order of the arguments is always n,c,h,w."""
    return _first_of_each(
        [
            (tensor.get("id"), finding("nhwc_order_swapped", call, given=dims, meant=[dims[0], dims[3], *dims[1:3]]))
            for call, tensor, dims in _reversed_dims(calls, "NHWC")
        ]
    )


@rule("nhwc_data_with_nchw_descriptor", "tensor-descriptors")
def nhwc_data_with_nchw_descriptor(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """An NCHW descriptor got the dimensions of NHWC data, in the order in which they lie in memory."""
    return _first_of_each(
        [
            (tensor.get("id"), finding("nhwc_data_with_nchw_descriptor", call, given=dims))
            for call, tensor, dims in _reversed_dims(calls, "NCHW")
        ]
    )


@rule("swapped_dtype_and_format", "filter-descriptors")
def swapped_dtype_and_format(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A filter descriptor got format and data type in the tensor setter's order."""
    found = []
    for call, tensor, filters in _pairs(calls):
        if _swapped(tensor, filters):
            data = {"dtype": filters.get("dtype"), "format": filters.get("format")}
            data |= {"meant_dtype": tensor.get("dtype"), "meant_format": tensor.get("format")}
            found.append((filters.get("id"), finding("swapped_dtype_and_format", call, **data)))
    return _first_of_each(found)


@rule("data_types_differ", "filter-descriptors")
def data_types_differ(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """Tensor and filter of a convolution have different data types, and the library refuses."""
    found = []
    for call, tensor, filters in _pairs(calls):
        types = tensor.get("dtype"), filters.get("dtype")
        if None not in types and types[0] != types[1] and call.status and not _swapped(tensor, filters):
            subject = (tensor.get("id"), filters.get("id"))
            entry = finding("data_types_differ", call, tensor=types[0], filter=types[1], status=call.status_name)
            found.append((subject, entry))
    return _first_of_each(found)


@rule("convolution_mode_flip", "convolution-descriptors", severity="info", suspicion=True)
def convolution_mode_flip(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """The mode CUDNN_CONVOLUTION rotates the filter by 180 degrees; frameworks use CUDNN_CROSS_CORRELATION."""
    found = []
    for call in calls.computing:
        convolutions = [d for _, d in objects(call) if d["kind"] == "convolution"]
        if any(d.get("mode") == "CONVOLUTION" for d in convolutions) and _kernel_size(call) > 1:
            found.append(finding("convolution_mode_flip", call))
    return found


def _kernel_size(call: Call) -> int:
    """Elements of the filter window; turning one of size 1 changes nothing."""
    kernel = sizes(value(call, FILTER.get(family(call.name), "wDesc")))[2:]
    size = 1
    for n in kernel:
        size *= n
    return size if kernel else 0


@rule("view_described_as_packed", "tensor-descriptors")
def view_described_as_packed(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """An array that is a view (sliced, transposed) goes in with a descriptor that has other strides."""
    found = []
    for note, call in noted(calls, notes, "strided_array"):
        name = str(note.get("argument", ""))
        if call is None or not is_compute(call.name):
            continue
        descriptor = value(call, described(call.name).get(name, ""))
        strides, told = sizes(note, "strides"), _strides(descriptor)
        if told and strides and _steps(sizes(note), strides) != _steps(sizes(descriptor), told):
            found.append(finding("view_described_as_packed", call, argument=name, strides=strides, told=told))
    return found


def _strides(descriptor: Value) -> list[int]:
    """Of a tensor as they were set; of a filter, which has none of its own, as its format packs K, C and the window."""
    dims = sizes(descriptor)
    if descriptor.get("kind") != "filter" or len(dims) < 2:
        return sizes(descriptor, "strides")
    order = [0, *range(2, len(dims)), 1] if descriptor.get("format") == "NHWC" else list(range(len(dims)))
    strides, step = [0] * len(dims), 1
    for axis in reversed(order):
        strides[axis], step = step, step * dims[axis]
    return strides


def _steps(dims: Sequence[int], strides: Sequence[int]) -> list[tuple[int, int]]:
    """(stride, size) of the axes that have more than one element: equal where the same memory is read in some order."""
    return sorted((stride, size) for size, stride in zip(dims, strides, strict=False) if size > 1)


BIAS = {"cudnnAddTensor": ("aDesc", "cDesc"), "cudnnConvolutionBiasActivationForward": ("biasDesc", "yDesc")}


@rule("bias_not_per_channel", "bias-and-activation")
def bias_not_per_channel(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A bias with one value a channel is described along another axis, so that it is added along that one."""
    found = []
    for call in calls.computing:
        names = BIAS.get(call.name)
        bias, output = (sizes(value(call, name)) for name in names) if names else ([], [])
        along = [axis for axis, size in enumerate(bias) if size > 1]
        if len(output) < 4 or len(bias) != len(output) or len(along) != 1 or along[0] < 2:
            continue
        if bias[along[0]] == output[1]:
            meant = [1, output[1], *[1] * (len(output) - 2)]
            found.append(finding("bias_not_per_channel", call, given=bias, meant=meant))
    return found
