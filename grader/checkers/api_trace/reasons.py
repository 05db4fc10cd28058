"""Why a call failed, as far as its own arguments tell: a code with values, shown at the call. Not a blame: a program
may try something on purpose and handle the refusal. Each reason is a pure function of one failed call. Where none
fits, what the simulator itself said stays (``told_by_the_simulator``).
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from grader.checkers.api_trace.facts import Value, failed, family, integer, objects, roles, sizes, value
from grader.checkers.api_trace.layout import PACKED, QUERY_DATA, QUERY_FILTER
from grader.checkers.api_trace.shapes import expected_dims
from grader.contract.verdict import Call, Reason

Found = dict[str, Any] | None
BAD_PARAM, NOT_SUPPORTED = range(2000, 3000), range(3000, 4000)
NOT_INITIALIZED, OUT_OF_MEMORY = 1001, 2
DIMENSIONS = ("n", "c", "h", "w", "k")
DIMENSION_LISTS = ("dimA", "filterDimA")
QUADS = {"CUDNN_DATA_INT8x4": 4, "CUDNN_DATA_UINT8x4": 4, "CUDNN_DATA_INT8x32": 32}

REASONS: dict[str, Callable[[Call], Found]] = {}
"""In the order in which they are asked: the first that fits is shown."""


def reason(code: str) -> Callable[[Callable[[Call], Found]], Callable[[Call], Found]]:
    def enter(check: Callable[[Call], Found]) -> Callable[[Call], Found]:
        REASONS[code] = check
        return check

    return enter


def explain(calls: Iterable[Call]) -> list[Call]:
    """The calls, with a reason at each failed one whose arguments tell it."""
    return [replace(call, reason=_reason(call) or call.reason) if failed(call) else call for call in calls]


def _reason(call: Call) -> Reason | None:
    for code, check in REASONS.items():
        if (data := check(call)) is not None:
            return Reason(code, data)
    return None


def _refused(call: Call, statuses: range = BAD_PARAM) -> bool:
    return call.status in statuses


@reason("object_missing")
def object_missing(call: Call) -> Found:
    """Null where a handle or descriptor is wanted."""
    if not _refused(call):
        return None
    wanted = (name for name, role in roles(call.name).items() if role in ("handle", "descriptor"))
    return next(({"argument": name} for name in wanted if value(call, name).get("kind") == "null"), None)


@reason("dimension_not_positive")
def dimension_not_positive(call: Call) -> Found:
    """A size of 0 or less is given to a tensor or filter."""
    if not _refused(call) or not call.name.startswith(("cudnnSetTensor", "cudnnSetFilter")):
        return None
    for name in DIMENSIONS:
        size = call.args.get(name)
        if isinstance(size, int) and size <= 0:
            return {"argument": name, "given": size}
    for name in DIMENSION_LISTS:
        given = call.args.get(name)
        if isinstance(given, list) and any(isinstance(size, int) and size <= 0 for size in given):
            return {"argument": name, "given": given}
    return None


@reason("channels_not_in_vectors")
def channels_not_in_vectors(call: Call) -> Found:
    """A vectorised type whose channels do not fill the vectors."""
    per = QUADS.get(str(call.args.get("dataType")), 0)
    channels = call.args.get("c", _second(call.args.get("dimA")))
    if not _refused(call) or not per or not isinstance(channels, int) or channels % per == 0:
        return None
    return {"channels": channels, "vector": per}


def _second(given: Any) -> Any:
    return given[1] if isinstance(given, list) and len(given) > 1 else None


def _convolved(call: Call) -> tuple[Value, Value, Value]:
    """Image, filter and convolution descriptor; empty ones where a call has none."""
    image = next((d for name in QUERY_DATA if (d := value(call, name)).get("kind") == "tensor"), {})
    filters = next((d for name in QUERY_FILTER if (d := value(call, name)).get("kind") == "filter"), {})
    return image, filters, value(call, "convDesc")


@reason("channels_differ")
def channels_differ(call: Call) -> Found:
    """The channels of image and filter do not fit together."""
    image, filters, convolution = _convolved(call)
    channels, kernel = sizes(image), sizes(filters)
    if not _refused(call) or len(channels) < 3 or len(kernel) != len(channels):
        return None
    backward = family(call.name) == "BackwardData"
    groups = integer(convolution.get("groups")) or 1
    wanted = kernel[0] if backward else kernel[1] * groups
    if channels[1] == wanted:
        return None
    return {"given": channels[1], "wanted": wanted, "backward": backward, "groups": groups, "grouped": groups > 1}


@reason("filter_larger_than_input")
def filter_larger_than_input(call: Call) -> Found:
    """The window is larger than the padded image, so that no output is left."""
    image, filters, convolution = _convolved(call)
    image = image or value(call, "inputDesc") or value(call, "inputTensorDesc")
    pooling = value(call, "poolingDesc")
    window = sizes(pooling, "window") or sizes(filters)[2:]
    spatial, pad = sizes(image)[2:], sizes(pooling or convolution, "pad")
    dilation = sizes(convolution, "dilation") or [1] * len(window)
    if not _refused(call) or family(call.name) == "BackwardData":
        return None
    if not window or len({len(window), len(spatial), len(pad), len(dilation)}) != 1:
        return None
    for n, k, p, d in zip(spatial, window, pad, dilation, strict=True):
        if (k - 1) * d + 1 > n + 2 * p:
            return {"window": (k - 1) * d + 1, "padded": n + 2 * p}
    return None


@reason("output_has_other_dims")
def output_has_other_dims(call: Call) -> Found:
    """The output descriptor is not of the size that the operation gives."""
    given = sizes(value(call, "yDesc"))
    expected = expected_dims(call) if given and value(call, "xDesc") and _refused(call) else []
    return {"given": given, "expected": expected} if expected and expected != given else None


@reason("ranks_differ")
def ranks_differ(call: Call) -> Found:
    """Two tensors of one operation have different numbers of dimensions."""
    ranks = {name: len(sizes(d)) for name, d in objects(call) if d["kind"] == "tensor" and sizes(d)}
    if not _refused(call) or len(set(ranks.values())) < 2:
        return None
    least, most = min(ranks, key=lambda name: ranks[name]), max(ranks, key=lambda name: ranks[name])
    return {"argument": least, "rank": ranks[least], "other": most, "other_rank": ranks[most]}


COMPUTE = {"FLOAT": ("FLOAT",), "DOUBLE": ("DOUBLE",), "HALF": ("FLOAT", "HALF"), "BFLOAT16": ("FLOAT",)}
"""What convolutions of a type sum in; those of integers in INT32."""


@reason("compute_type_differs")
def compute_type_differs(call: Call) -> Found:
    """A convolution sums in a type that there is no kernel for with these data."""
    image, _, convolution = _convolved(call)
    data, given = str(image.get("dtype", "")), str(convolution.get("dtype", "")).removeprefix("CUDNN_DATA_")
    if not _refused(call, NOT_SUPPORTED) or not data or not given:
        return None
    wanted = COMPUTE.get(data, ("INT32",) if "INT8" in data else (given,))
    return None if given in wanted else {"data": data, "given": given, "wanted": " / ".join(wanted)}


@reason("int8_needs_fours")
def int8_needs_fours(call: Call) -> Found:
    """An INT8 convolution whose channels are no multiples of 4."""
    image, filters, _ = _convolved(call)
    kernel = sizes(filters)
    if not _refused(call, NOT_SUPPORTED) or "INT8" not in str(image.get("dtype")) or len(kernel) < 3:
        return None
    return {"k": kernel[0], "c": kernel[1]} if kernel[0] % 4 or kernel[1] % 4 else None


@reason("layouts_differ")
def layouts_differ(call: Call) -> Found:
    """Tensor and filter lie in different layouts."""
    image, filters, _ = _convolved(call)
    layouts = image.get("format"), filters.get("format")
    if not _refused(call, NOT_SUPPORTED) or layouts[0] not in PACKED or layouts[1] not in PACKED:
        return None
    return {"tensor": layouts[0], "filter": layouts[1]} if layouts[0] != layouts[1] else None


@reason("algorithm_never_works")
def algorithm_never_works(call: Call) -> Found:
    """FWD_ALGO_DIRECT has a number, but no implementation."""
    algo = str(call.args.get("algo"))
    return {"algo": algo} if _refused(call, NOT_SUPPORTED) and algo.endswith("FWD_ALGO_DIRECT") else None


@reason("winograd_needs_3x3")
def winograd_needs_3x3(call: Call) -> Found:
    """Winograd transforms are for small filters at stride 1, without dilation."""
    _, filters, convolution = _convolved(call)
    algo, window = str(call.args.get("algo")), sizes(filters)[2:]
    if not _refused(call, NOT_SUPPORTED) or "WINOGRAD" not in algo or not window:
        return None
    steps = (*sizes(convolution, "stride"), *sizes(convolution, "dilation"))
    allowed = {3, 5} if "NONFUSED" in algo else {3}
    fits = set(window) <= allowed and set(steps) == {1}
    return None if fits else {"algo": algo, "window": window, "stride": sizes(convolution, "stride")}


@reason("sequences_not_sorted")
def sequences_not_sorted(call: Call) -> Found:
    """Packed sequences must come in decreasing length."""
    lengths = call.args.get("seqLengthArray")
    packed = str(call.args.get("layout")).endswith("_PACKED")
    if (
        not _refused(call)
        or not packed
        or not isinstance(lengths, list)
        or not all(isinstance(n, int) for n in lengths)
    ):
        return None
    return {"given": lengths} if lengths != sorted(lengths, reverse=True) else None


@reason("sequence_too_long")
def sequence_too_long(call: Call) -> Found:
    """A sequence is longer than the maximum that is given with it."""
    lengths, most = call.args.get("seqLengthArray"), call.args.get("maxSeqLength")
    if not _refused(call) or not isinstance(lengths, list) or not isinstance(most, int):
        return None
    long = [n for n in lengths if isinstance(n, int) and n > most]
    return {"given": long[0], "most": most} if long else None


@reason("epsilon_too_small")
def epsilon_too_small(call: Call) -> Found:
    """Batch normalisation wants an epsilon of at least CUDNN_BN_MIN_EPSILON, which is 0."""
    epsilon = call.args.get("epsilon")
    fits = not isinstance(epsilon, int | float) or epsilon >= 0
    return None if fits or not _refused(call) else {"epsilon": epsilon}


@reason("no_room_for_a_handle")
def no_room_for_a_handle(call: Call) -> Found:
    """cudnnCreate found no context, or no memory left for the handle."""
    return {} if call.name == "cudnnCreate" and call.status == NOT_INITIALIZED else None


@reason("out_of_device_memory")
def out_of_device_memory(call: Call) -> Found:
    """The device has no block of that size left."""
    size = integer(call.args.get("size"))
    if not call.name.startswith("cudaMalloc") or call.status != OUT_OF_MEMORY or size is None:
        return None
    return {"mebibytes": round(size / (1 << 20), 1)}


@reason("elements_differ")
def elements_differ(call: Call) -> Found:
    """A tensor cannot be stretched over another: a size is neither equal nor 1."""
    small, large = value(call, "aDesc") or value(call, "biasDesc"), value(call, "cDesc") or value(call, "yDesc")
    a, c = sizes(small), sizes(large)
    if not _refused(call) or not a or len(a) != len(c):
        return None
    fits = all(n in (1, m) for n, m in zip(a, c, strict=True))
    return None if fits else {"given": a, "other": c}
