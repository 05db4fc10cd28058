"""What went wrong while learner code ran, as the code and data of a case. Hidden cases give no texts away."""

import contextlib
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from grader.contract.codes import Code
from grader.contract.removed import removed_function
from grader.contract.verdict import CaseResult
from grader.inside.frames import FrameError
from grader.sandbox.supervise import LimitHit
from grader.session import SessionEnded, SessionFault

_LIMIT_CODES = {
    "wall": Code.TIME_LIMIT,
    "memory": Code.MEMORY_LIMIT,
    "output": Code.OUTPUT_LIMIT,
    "cancelled": Code.CANCELLED,
}
_UNITS = {"wall": "s", "memory": "MiB", "output": "KiB"}


@contextmanager
def catching(result: CaseResult, shown: bool) -> Iterator[None]:
    """Turns what can go wrong with learner code into the case's code and data. Hidden cases give no texts away."""
    try:
        yield
    except LimitHit as hit:
        result.code = _LIMIT_CODES[hit.name]
        if hit.name in _UNITS:
            unit = _UNITS[hit.name]
            result.data = {"limit": round(hit.limit, 3), "value": round(hit.value, 3), "unit": unit}
    except SessionEnded as ended:
        result.code = Code.RUNTIME_ERROR
        result.data = {"problem": "ended_early", **describe_status(ended.status)}
    except SessionFault as fault:
        result.code, result.data = describe_fault(fault, shown)
    except FrameError:
        result.code = Code.RUNTIME_ERROR
        result.data = {"problem": "protocol"}


def describe_status(status: int) -> dict[str, Any]:
    """Exit status as data: the signal's name where one ended the process."""
    with contextlib.suppress(ValueError):
        return {"signal": signal.Signals(status - 128).name}
    return {"exit": status}


def describe_fault(fault: SessionFault, shown: bool) -> tuple[Code, dict[str, Any]]:
    """Code and data of what the harness reports."""
    fields = fault.fields
    data: dict[str, Any] = {}
    code = Code.RUNTIME_ERROR
    if "missing" in fields:
        return Code.RUNTIME_ERROR, {"problem": "missing_function", "function": fields["missing"]}
    for key in ("exception", "library"):
        if key in fields:
            data[key] = fields[key][:200]
    if "cuda" in fields:
        data["cuda_error"] = fault.text[:200]
    for key in ("line", "status", "cuda"):
        if fields.get(key, "").lstrip("-").isdigit() and int(fields[key]):
            data[key] = int(fields[key])
    if fields.get("exception") in ("MemoryError", "St9bad_alloc"):
        code = Code.MEMORY_LIMIT
    if data.get("exception") == "AttributeError":
        data |= removed_function(fault.text)
    if shown and fault.text:
        data["traceback" if "exception" in fields else "message"] = fault.text
    return code, data


def ended_process(result: CaseResult) -> bool:
    """Whether the sandbox has ended with this case, so that none can follow."""
    return result.code not in (Code.ACCEPTED, Code.WRONG_ANSWER, Code.BAD_OUTPUT)
