"""What a grader says, checked before any of it is believed."""

import json
from dataclasses import dataclass
from typing import Any, get_args

from grader.contract.codes import FINAL
from grader.contract.draft import DRAFT_STATES, DraftReport
from grader.contract.verdict import BackendInfo, EventType

TYPES: tuple[str, ...] = get_args(EventType)


class Malformed(ValueError):
    """A line that is not a message of the worker protocol."""


@dataclass(frozen=True, slots=True)
class GraderEvent:
    job: str
    attempt: int
    seq: int
    type: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ready:
    slots: int
    backend: BackendInfo | None
    """None where the grader found none: it will answer jobs with grader_fault."""


@dataclass(frozen=True, slots=True)
class GraderMetrics:
    """What a grader says of itself; whoever shows it checks each number."""

    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pong:
    pass


Message = GraderEvent | DraftReport | GraderMetrics | Ready | Pong


def parse(line: bytes) -> Message:
    """Raises Malformed. NaN and infinity, which JSON and PostgreSQL do not know, become null."""
    try:
        data = json.loads(line, parse_constant=lambda _name: None)
    except ValueError as error:
        raise Malformed(f"not JSON: {error}") from None
    if not isinstance(data, dict):
        raise Malformed("not an object")
    if isinstance(data.get("event"), dict):
        return _event(data["event"])
    if isinstance(data.get("draft"), dict):
        return _draft(data["draft"])
    if isinstance(data.get("metrics"), dict):
        return GraderMetrics(data["metrics"])
    if isinstance(data.get("ready"), dict):
        return _ready(data["ready"])
    if "pong" in data:
        return Pong()
    if "error" in data:
        raise Malformed(f"the grader did not understand us: {data['error']}")
    raise Malformed(f"unknown message with keys {sorted(data)}")


def _ready(data: dict[str, Any]) -> Ready:
    slots, backend = data.get("slots"), data.get("backend")
    if not isinstance(slots, int) or slots < 1 or not isinstance(backend, dict | None):
        raise Malformed("ready: needs `slots` of at least 1 and `backend`")
    return Ready(slots, _backend(backend) if backend else None)


def _backend(data: dict[str, Any]) -> BackendInfo:
    name, version = data.get("name"), data.get("cudnn_version")
    if name not in ("simulated", "gpu"):
        raise Malformed(f"ready: the backend {name!r} is not known")
    version = version if isinstance(version, int) else 0
    return BackendInfo(name, version, str(data.get("device", "")), str(data.get("driver", "")))


def _draft(data: dict[str, Any]) -> DraftReport:
    name, state, diagnostics = data.get("id"), data.get("state"), data.get("diagnostics", [])
    if not isinstance(name, str) or state not in DRAFT_STATES:
        raise Malformed("draft: needs `id` and a known `state`")
    if not isinstance(diagnostics, list) or not all(isinstance(entry, dict) for entry in diagnostics):
        raise Malformed(f"draft {name}: `diagnostics` must be a list of objects")
    seconds = data.get("seconds", 0.0)
    if not isinstance(seconds, int | float):
        raise Malformed(f"draft {name}: `seconds` must be a number")
    return DraftReport(name, state, str(data.get("code", "")), diagnostics, seconds, data.get("cached") is True)


def _event(data: dict[str, Any]) -> GraderEvent:
    job, attempt, seq = data.get("job"), data.get("attempt"), data.get("seq")
    kind, payload = data.get("type"), data.get("data")
    if not isinstance(job, str) or type(attempt) is not int or type(seq) is not int:
        raise Malformed("event: needs `job`, `attempt` and `seq`")
    if kind not in TYPES or not isinstance(payload, dict):
        raise Malformed(f"event of {job}: type {kind!r} or its data is not known")
    return GraderEvent(job, attempt, seq, kind, payload)


def is_good_verdict(data: dict[str, Any]) -> bool:
    """Whether a verdict can be recorded and shown: a final code, and lists where lists belong."""
    lists = ("cases", "diagnostics", "findings", "calls")
    good_lists = all(
        isinstance(data.get(key, []), list) and all(isinstance(entry, dict) for entry in data.get(key, []))
        for key in lists
    )
    counts = all(isinstance(data.get(key, 0), int) for key in ("passed", "total"))
    return data.get("code") in FINAL and good_lists and counts
