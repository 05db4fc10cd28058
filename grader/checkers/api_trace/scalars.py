"""Rules on alpha and beta, as they arrived: read as float or double, whichever the tensor demands."""

import math
import struct
from collections.abc import Iterator, Sequence

from grader.checkers.api_trace.facts import Calls, is_compute, objects, outputs, roles, succeeded, value, written
from grader.checkers.api_trace.rule import Note, finding, rule
from grader.contract.api import load_api
from grader.contract.verdict import Call, Finding

TINY = 1e-30
"""Nobody scales by less: a number below it is the bits of another type."""
HUGE = 1e30
SMALLEST = {"float": 2.0**-149, "double": 5e-324}
"""Value of the bits of the integer 1."""
SMALL_INTEGER = 1000


def _number(found: object) -> float | None:
    """A scalar as recorded; infinities and NaN come as text."""
    if isinstance(found, str) and found in ("nan", "inf", "-inf"):
        return float(found)
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None


def _demanded(call: Call, name: str) -> str:
    known = load_api().functions.get(call.name)
    of = next((p.of[0] for p in known.parameters if p.name == name and p.of), "") if known else ""
    return "double" if value(call, of).get("dtype") == "DOUBLE" else "float"


def _scalars(calls: Calls) -> Iterator[tuple[Call, str, float, str]]:
    """Call, parameter, value as read, type that the tensor demands."""
    for call in calls.own:
        for name, role in roles(call.name).items():
            number = _number(call.args.get(name)) if role == "scalar" else None
            if number is not None:
                yield call, name, number, _demanded(call, name)


def _integer_bits(number: float, demanded: str) -> int:
    """The small integer whose bits give this number; 0 where there is none."""
    if not 0 < number < TINY:
        return 0
    # The trace has the shortest digits that a float needs, so as a double the number is not exact.
    exact = struct.unpack("<f", struct.pack("<f", number))[0] if demanded == "float" else number
    count = exact / SMALLEST[demanded]
    return int(count) if count <= SMALL_INTEGER else 0


@rule("integer_scalars", "forward-convolution")
def integer_scalars(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """alpha or beta points to an integer."""
    return [
        finding("integer_scalars", call, argument=name, integer=integer, demanded=demanded)
        for call, name, number, demanded in _scalars(calls)
        if (integer := _integer_bits(number, demanded))
    ]


@rule("scalar_wrong_type", "forward-convolution")
def scalar_wrong_type(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """alpha or beta points to a number of another type than the tensor demands."""
    found = []
    for call, name, number, demanded in _scalars(calls):
        strange = not math.isfinite(number) or 0 < abs(number) < TINY or abs(number) > HUGE
        if strange and not _integer_bits(number, demanded):
            given = "float" if demanded == "double" else "double"
            data = {"argument": name, "read": f"{number:.3g}", "demanded": demanded, "given": given}
            found.append(finding("scalar_wrong_type", call, **data))
    return found + _all_zero(calls)


def _all_zero(calls: Calls) -> list[Finding]:
    """alpha and beta both 0: doubles such as 1.0 read as floats, since their lower half is zero.

    A lone factor may be 0 on purpose: cudnnScaleTensor clears a tensor so.
    """
    found = []
    for call in calls.computing:
        scalars = {name: _number(call.args.get(name)) for name, role in roles(call.name).items() if role == "scalar"}
        alphas = [number for name, number in scalars.items() if name.startswith("alpha")]
        if len(scalars) > len(alphas) > 0 and all(number == 0 for number in scalars.values()):
            name = next(iter(scalars))
            if _demanded(call, name) == "float":
                data = {"argument": name, "read": "0", "demanded": "float", "given": "double"}
                found.append(finding("scalar_wrong_type", call, **data))
    return found


@rule("beta_nonzero_on_fresh_output", "forward-convolution")
def beta_nonzero_on_fresh_output(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """beta adds the old content of an output that the program allocated and never wrote."""
    found = []
    fresh = {life.id: life.created for life in calls.lives if life.kind == "device"}
    for call in calls.own:
        beta = _number(call.args.get("beta")) if is_compute(call.name) else None
        for name in outputs(call.name) if beta else ():
            buffer = str(value(call, name).get("id"))
            if buffer in fresh:
                found.append(finding("beta_nonzero_on_fresh_output", call, argument=name, beta=beta, id=buffer))
        for buffer in written(call):
            fresh.pop(buffer, None)
    return found


@rule("output_cleared_for_beta", "forward-convolution", severity="info")
def output_cleared_for_beta(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """An output is filled with zeros only so that a beta of 1 may add to it, and nothing is added to it after that."""
    chosen: list[Finding] = []
    open_: dict[str, tuple[Call, Finding | None]] = {}
    for call in calls.own:
        results = (
            {str(value(call, name).get("id")): name for name in outputs(call.name)} if is_compute(call.name) else {}
        )
        for buffer in {str(used.get("id")) for _, used in objects(call)} & set(open_):
            cleared, entry = open_.pop(buffer)
            adds = buffer in results and _number(call.args.get("beta")) == 1
            if entry is None and adds:
                data = {"argument": results[buffer], "cleared": cleared.name}
                open_[buffer] = cleared, finding("output_cleared_for_beta", call, **data)
            elif entry is not None and not adds:
                chosen.append(entry)
        if call.name in ("cudaMemset", "cudaMemsetAsync") and call.args.get("value") == 0 and succeeded(call):
            open_[str(value(call, "devPtr").get("id"))] = call, None
    return chosen + [entry for _, entry in open_.values() if entry is not None]


GRADIENTS = ("cudnnConvolutionBackwardFilter", "cudnnConvolutionBackwardData", "cudnnConvolutionBackwardBias")


@rule("gradient_not_accumulated", "backward", on_request=True)
def gradient_not_accumulated(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """In some case every gradient overwrites: nothing is added to what an earlier call has left."""
    found = []
    for case in calls.by_case.values():
        gradients = [call for call in case if call.name in GRADIENTS and succeeded(call)]
        if gradients and not any(_number(call.args.get("beta")) for call in gradients):
            found.append(finding("gradient_not_accumulated", gradients[-1], count=len(gradients)))
    return found
