"""Rules on the dimensions of outputs."""

from collections.abc import Sequence

from grader.checkers.api_trace.facts import Calls, Value, content, family, integer, is_compute, sizes, succeeded, value
from grader.checkers.api_trace.rule import Note, finding, rule
from grader.contract.verdict import Call, Finding

ASKS = {
    "Forward": ("cudnnGetConvolution2dForwardOutputDim", "cudnnGetConvolutionNdForwardOutputDim"),
    "pooling": ("cudnnGetPooling2dForwardOutputDim", "cudnnGetPoolingNdForwardOutputDim"),
}


def _operation(call: Call) -> str:
    """Key of ASKS; "" for operations whose output has the shape of an input."""
    if call.name == "cudnnPoolingForward":
        return "pooling"
    return "Forward" if family(call.name) == "Forward" else ""


def _window(call: Call) -> tuple[Value, list[int], list[int], list[int]]:
    """Descriptor with pad and stride, filter or window sizes, dilations, and the sizes in front (N, K)."""
    x = sizes(value(call, "xDesc"))
    if _operation(call) == "pooling":
        pooling = value(call, "poolingDesc")
        window = sizes(pooling, "window")
        return pooling, window, [1] * len(window), x[:2]
    filters = sizes(value(call, "wDesc"))
    convolution = value(call, "convDesc")
    return convolution, filters[2:], sizes(convolution, "dilation"), x[:1] + filters[:1]


def expected_dims(call: Call) -> list[int]:
    """Dimensions that y must have, by the formula of the output queries; empty where the descriptors do not fit."""
    window, kernel, dilation, front = _window(call)
    spatial = sizes(value(call, "xDesc"))[2:]
    pad, stride = sizes(window, "pad"), sizes(window, "stride")
    if not spatial or len({len(spatial), len(kernel), len(dilation), len(pad), len(stride)}) > 1 or len(front) != 2:
        return []
    result = list(front)
    for n, k, d, p, s in zip(spatial, kernel, dilation, pad, stride, strict=True):
        span = n + 2 * p - ((k - 1) * d + 1)
        if s <= 0 or span < 0:
            return []
        result.append(span // s + 1)
    return result


@rule("output_dims_wrong", "convolution-descriptors")
def output_dims_wrong(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """The output descriptor has other dimensions than the operation gives."""
    found = []
    for call in calls.computing:
        expected, given = expected_dims(call) if _operation(call) else [], sizes(value(call, "yDesc"))
        if expected and given and expected != given:
            found.append(finding("output_dims_wrong", call, given=given, expected=expected))
    return found


@rule("output_dims_not_queried", "convolution-descriptors", on_request=True)
def output_dims_not_queried(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """The output's dimensions were never asked for."""
    found = []
    asked: set[tuple[str, object]] = set()
    for call in calls.own:
        operation = _operation(call)
        if operation and is_compute(call.name):
            if not asked & _subjects(call, operation):
                found.append(finding("output_dims_not_queried", call, query=ASKS[operation][0]))
        elif query := next((op for op, names in ASKS.items() if call.name in names), ""):
            asked |= _subjects(call, query) if succeeded(call) else set()
    return found


def _subjects(call: Call, operation: str) -> set[tuple[str, object]]:
    """What ties a query to a computation: the descriptor's identity, or equal content; no size hangs on the mode."""
    descriptor = value(call, "poolingDesc" if operation == "pooling" else "convDesc")
    return {(operation, descriptor.get("id")), (operation, content({**descriptor, "mode": None}))}


@rule("group_count_stale", "convolution-descriptors")
def group_count_stale(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A convolution descriptor was set again and still has the group count of before, which does not fit."""
    found = []
    grouped: dict[object, Call] = {}
    reset: dict[object, Call] = {}
    for call in calls:
        subject = value(call, "convDesc").get("id")
        if call.status != 0 or not call.case:
            pass
        elif call.name == "cudnnSetConvolutionGroupCount":
            grouped[subject] = call
            reset.pop(subject, None)
        elif call.name in ("cudnnSetConvolution2dDescriptor", "cudnnSetConvolutionNdDescriptor") and subject in grouped:
            reset[subject] = call
        if subject in reset and (groups := _misfit(call)):
            found.append(finding("group_count_stale", call, groups=groups, set_again=reset.pop(subject).index))
    return found


def _misfit(call: Call) -> int:
    """The group count, where channels fit without groups but not with it; else 0."""
    groups = integer(value(call, "convDesc").get("groups")) or 1
    tensor = value(call, "xDesc") or value(call, "inputTensorDesc") or value(call, "srcDesc")
    filters = sizes(value(call, "wDesc") or value(call, "filterDesc"))
    channels = sizes(tensor)
    if groups == 1 or len(channels) < 2 or len(filters) < 2:
        return 0
    return groups if channels[1] == filters[1] else 0
