"""Rules on recurrent networks: their spaces, their weights and the order of the backward calls."""

from collections.abc import Sequence

from grader.checkers.api_trace.facts import Calls, failed, integer, succeeded, value, written
from grader.checkers.api_trace.rule import Note, finding, rule
from grader.contract.verdict import Call, Finding

WORK = ("cudnnRNNForward", "cudnnRNNBackwardData_v8", "cudnnRNNBackwardWeights_v8")
TRAINING = "CUDNN_FWD_MODE_TRAINING"


def _trains(call: Call) -> bool:
    return call.name == "cudnnRNNForward" and call.args.get("fwdMode") == TRAINING


def _buffer(call: Call, argument: str) -> str:
    """Id of the memory that is given; "" where there is none."""
    return str(value(call, argument).get("id") or "")


def _given(call: Call, space: str) -> bool:
    """Whether memory and a size are given for a space."""
    return value(call, space).get("kind") != "null" and integer(call.args.get(f"{space}Size")) not in (None, 0)


@rule("rnn_space_not_asked", "rnn-lstm-gru")
def rnn_space_not_asked(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A recurrent network gets a workspace, or weights of the program's own, of a size that was never asked for."""
    found = []
    mine = {life.id for life in calls.lives}
    asked: set[str] = set()
    for call in calls.own:
        if call.name.startswith("cudnnGetRNN"):
            asked.add(call.name)
        if call.name not in WORK:
            continue
        if "cudnnGetRNNTempSpaceSizes" not in asked and (failed(call) or _given(call, "workSpace")):
            data = {
                "argument": "workSpace",
                "bytes": call.args.get("workSpaceSize"),
                "ask": "cudnnGetRNNTempSpaceSizes",
            }
            found.append(finding("rnn_space_not_asked", call, **data))
        elif "cudnnGetRNNWeightSpaceSize" not in asked and _buffer(call, "weightSpace") in mine:
            size, ask = integer(call.args.get("weightSpaceSize")), "cudnnGetRNNWeightSpaceSize"
            found.append(finding("rnn_space_not_asked", call, argument="weightSpace", bytes=size, ask=ask))
    return found


@rule("rnn_reserve_missing", "rnn-lstm-gru")
def rnn_reserve_missing(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A forward call for training gets no reserve space, where the sizes were asked for."""
    found = []
    asked = ""
    for call in calls.own:
        if call.name == "cudnnGetRNNTempSpaceSizes":
            asked = str(call.args.get("fwdMode"))
        if asked and _trains(call) and not _given(call, "reserveSpace"):
            data = {"asked": asked} if asked != TRAINING else {}
            found.append(finding("rnn_reserve_missing", call, **data))
    return found


@rule("rnn_backward_order", "rnn-lstm-gru")
def rnn_backward_order(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """The gradients of the weights are asked for before those of the data, which prepare the reserve space."""
    found = []
    forward_only: set[str] = set()
    for call in calls.own:
        reserve = _buffer(call, "reserveSpace")
        if _trains(call) and succeeded(call):
            forward_only.add(reserve)
        elif call.name == "cudnnRNNBackwardData_v8":
            forward_only.discard(reserve)
        elif call.name == "cudnnRNNBackwardWeights_v8" and reserve and reserve in forward_only:
            found.append(finding("rnn_backward_order", call, id=reserve))
        elif call.name.startswith("cudaMemcpy"):
            forward_only.discard(_buffer(call, "dst"))
    return found


@rule("rnn_gradient_not_cleared", "backward")
def rnn_gradient_not_cleared(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """The gradients of the weights are added to memory that the program allocated and never wrote."""
    found = []
    fresh = {life.id for life in calls.lives if life.kind == "device"}
    for call in calls.own:
        buffer = _buffer(call, "dweightSpace")
        if call.name == "cudnnRNNBackwardWeights_v8" and buffer in fresh and succeeded(call):
            found.append(finding("rnn_gradient_not_cleared", call, argument="dweightSpace", id=buffer))
        fresh -= set(written(call))
    return found


@rule("rnn_offsets_assumed", "rnn-lstm-gru")
def rnn_offsets_assumed(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """Weights are copied in parts of unequal size into the weight space, whose layout was never asked for.

    One copy of everything, or equal pieces of it, may be a saved weight space that is put back.
    """
    if any(call.name == "cudnnGetRNNWeightParams" for call in calls.own):
        return []
    found = []
    parts: dict[str, list[Call]] = {}
    for call in calls.own:
        if call.name.startswith("cudaMemcpy") and succeeded(call):
            parts.setdefault(_buffer(call, "dst"), []).append(call)
        elif call.name == "cudnnRNNForward":
            copies = parts.pop(_buffer(call, "weightSpace"), [])
            if len({_where(copy) for copy in copies}) > 1 and len({_bytes(copy) for copy in copies}) > 1:
                later = next(copy for copy in copies if _where(copy) != _where(copies[0]))
                found.append(finding("rnn_offsets_assumed", later, id=_buffer(call, "weightSpace"),
                                     offset=_where(later), count=len(copies)))  # fmt: skip
    return found


def _bytes(copy: Call) -> int | None:
    """What a copy moves; of rows, all of them together."""
    width, height = integer(copy.args.get("width")), integer(copy.args.get("height"))
    return integer(copy.args.get("count")) if width is None or height is None else width * height


def _where(copy: Call) -> int | None:
    return integer(value(copy, "dst").get("offset"))
