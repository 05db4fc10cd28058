"""Reads the call recorder's trace buffer. Its content is hostile: the learner's process can write into it."""

import json
import math
import struct
from dataclasses import dataclass, field
from typing import Any

from grader.contract.api import Api, load_api
from grader.contract.api_types import STATUS_ENUM
from grader.contract.verdict import Call, Reason

MAGIC = b"FPTRACE1"
HEADER_BYTES = 4096
COUNTERS = struct.Struct("<QQQI")
"""written, dropped, calls, inflight_length: after the magic; see grader/native/recorder/recorder.h."""

MAX_CALLS = 20_000
MAX_NOTES = 2_000
MAX_LINE_BYTES = 64 * 1024
MAX_COUNT = 2**53
"""Numbers beyond it cannot go through JSON unharmed."""
MAX_DEPTH = 8
MAX_ITEMS = 256
MAX_TEXT = 1_000
MAX_PLACES = 3
MAX_WHY = 160
TOLD = "told_by_the_simulator"
"""The reason of a refused call that is known by the simulator's own words alone."""

Note = dict[str, Any]


@dataclass(slots=True)
class Trace:
    """What one process called. Calls are in the order in which they began."""

    calls: list[Call] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    """Diagnoses of the simulator and the recorder: ``{"note": code, …, "call": index, "line": …, "case": …}``."""
    dropped: int = 0
    """Calls and notes that were lost: the buffer was full, or a line was damaged."""
    gpu_us: dict[int, float] = field(default_factory=dict)
    """Call index → microseconds of its work on the GPU, between two CUDA events (real GPU only)."""
    offsets: dict[int, list[int]] = field(default_factory=dict)
    """Call index → return address as an offset into the learner's library (C++ only)."""


def read_trace(buffer: bytes | memoryview, api: Api | None = None) -> Trace:
    """Trace in `buffer`, the whole of the recorder's memfd. Never raises: what cannot be read counts as dropped."""
    data = memoryview(buffer)
    if len(data) < HEADER_BYTES or bytes(data[: len(MAGIC)]) != MAGIC:
        return Trace()
    written, dropped, _, inflight_length = COUNTERS.unpack_from(data, len(MAGIC))
    trace = Trace(dropped=min(dropped, MAX_COUNT))
    names = api or load_api()
    start = len(MAGIC) + COUNTERS.size
    returned = bytes(data[HEADER_BYTES : HEADER_BYTES + min(written, len(data) - HEADER_BYTES)])
    for line in returned.split(b"\n"):
        _read_line(line, trace, names)
    seen = {call.index for call in trace.calls}
    for line in bytes(data[start : start + min(inflight_length, HEADER_BYTES - start)]).split(b"\n"):
        _read_line(line, trace, names, seen)
    trace.calls.sort(key=lambda call: call.index)
    for call in trace.calls:
        call.gpu_us = trace.gpu_us.get(call.index)
    return trace


def _read_line(line: bytes, trace: Trace, api: Api, seen: set[int] | None = None) -> None:
    """seen: given for calls in flight, which have no status, and which a returned call of the same index replaces."""
    line = line.strip(b"\0\r ")
    if not line:
        return
    record = _parse(line)
    if record is None or len(trace.calls) >= MAX_CALLS or len(trace.notes) >= MAX_NOTES:
        trace.dropped += 1
    elif "note" in record:
        trace.notes.append(record)
    elif "gpu" in record:
        _read_gpu_time(record, trace)
    elif (call := _call(record, api, in_flight=seen is not None)) is None:
        trace.dropped += 1
    elif seen is None or call.index not in seen:
        trace.calls.append(call)
        if offset := _integer(record.get("pc")):
            trace.offsets[call.index] = [offset, *_places(record.get("pcs"))]


def _read_gpu_time(record: dict[str, Any], trace: Trace) -> None:
    index, micros = _integer(record.get("gpu")), record.get("us")
    if index is None or not isinstance(micros, int | float) or not micros >= 0 or len(trace.gpu_us) >= MAX_CALLS:
        trace.dropped += 1
    else:
        trace.gpu_us[index] = float(micros)


def _parse(line: bytes) -> dict[str, Any] | None:
    if len(line) > MAX_LINE_BYTES:
        return None
    try:
        record = json.loads(line.decode("utf-8", "replace"), parse_constant=str)
    except (ValueError, RecursionError):
        return None
    record = _bounded(record)
    return record if isinstance(record, dict) else None


def _bounded(value: Any, depth: int = 0) -> Any:
    """A copy that is small and flat enough to store and to show."""
    if depth > MAX_DEPTH:
        return None
    if isinstance(value, dict):
        items = {str(key)[:80]: _bounded(item, depth + 1) for key, item in list(value.items())[:MAX_ITEMS]}
        return items | {key: str(items[key]) for key in ("id", "kind") if key in items}
    if isinstance(value, list):
        return [_bounded(item, depth + 1) for item in value[:MAX_ITEMS]]
    if isinstance(value, str):
        return value[:MAX_TEXT]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, bool) or value is None:
        return value
    return value if abs(value) <= MAX_COUNT else str(value)[:40]


def _call(record: dict[str, Any], api: Api, in_flight: bool) -> Call | None:
    name = record.get("f")
    index = _integer(record.get("i"))
    status = None if in_flight else _integer(record.get("s"))
    function = api.functions.get(name) if isinstance(name, str) else None
    if function is None or index is None or (status is None and not in_flight):
        return None
    micros, at, why = record.get("us"), record.get("at"), record.get("why")
    return Call(
        index=index,
        name=function.name,
        args=_object(record.get("a")),
        outs=_object(record.get("o")),
        status=status,
        status_name="" if status is None else api.enumerator_name(STATUS_ENUM[function.library], status),
        micros=float(micros) if isinstance(micros, int | float) else 0.0,
        at=float(at) if isinstance(at, int | float) else 0.0,
        line=_integer(record.get("line")) or 0,
        via=_places(record.get("via")),
        case=_text(record.get("case")),
        thread=_integer(record.get("t")) or 0,
        reason=Reason(TOLD, {"text": why[:MAX_WHY]}) if status and isinstance(why, str) and why else None,
    )


def _places(value: Any) -> list[int]:
    """Lines or offsets of the functions that led to a call."""
    found = [_integer(item) for item in value[:MAX_PLACES]] if isinstance(value, list) else []
    return [item for item in found if item]


def _integer(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _text(value: Any) -> str:
    return value[:80] if isinstance(value, str) else ""


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
