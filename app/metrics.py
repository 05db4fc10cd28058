"""`/metrics` in Prometheus' text format: the queue, and what the grader says of itself. Needs the operator's token."""

import secrets
from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from app.deps import ReadSession, ServicesDep
from app.errors import NotFound
from app.submissions import service

router = APIRouter()

Labels = dict[str, str]
TYPE = "text/plain; version=0.0.4; charset=utf-8"


@router.get("/metrics")
async def metrics(request: Request, services: ServicesDep, session: ReadSession) -> Response:
    """Raises NotFound where no token is set, or another is given."""
    token = services.settings.metrics_token
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not token or not secrets.compare_digest(token.encode(), given.encode()):
        raise NotFound("page", request.url.path)
    waiting = await service.waiting(session)
    lines = [*_own(waiting, services.dispatcher.running(), services.dispatcher.slots())]
    lines += _grader(await services.dispatcher.metrics())
    return PlainTextResponse("\n".join(lines) + "\n", media_type=TYPE)


def _own(waiting: int, running: int, slots: int) -> Iterator[str]:
    yield from _family("queue_length", "gauge", "Submissions that wait.", [({}, waiting)])
    yield from _family("running", "gauge", "Submissions that are being graded.", [({}, running)])
    yield from _family(
        "grader_slots", "gauge", "Jobs that graders can take at a time; 0: none is ready.", [({}, slots)]
    )


def _grader(data: dict[str, Any]) -> Iterator[str]:
    """What a grader reports; entries that are not numbers are left out."""
    jobs = [({"code": code}, count) for code, count in _items(data.get("jobs"))]
    yield from _family("jobs_total", "counter", "Jobs graded since the grader's start, by code.", jobs)
    phases = data.get("phases")
    if isinstance(phases, dict):
        yield from _histogram("phase_seconds", "Seconds of a job, by phase.", phases)
    pool = data.get("pool")
    if isinstance(pool, dict):
        for name, kind, text in POOL:
            entries = _items(pool.get(name)) if kind == "gauge" else [("", pool.get(name))]
            values = [({"kind": key} if key else {}, value) for key, value in entries]
            yield from _family(f"pool_{name}{'_total' if kind == 'counter' else ''}", kind, text, values)
    drafts = [({"state": state}, count) for state, count in _items(data.get("drafts"))]
    yield from _family("drafts_total", "counter", "Drafts compiled in the background, or refused.", drafts)


POOL = (
    ("ready", "gauge", "Sandboxes that wait for a job."),
    ("size", "gauge", "Sandboxes to keep ready."),
    ("hits", "counter", "Jobs that found a sandbox ready."),
    ("misses", "counter", "Jobs that had to start one."),
    ("made", "counter", "Sandboxes made ahead."),
    ("failed", "counter", "Sandboxes that could not be made."),
    ("discarded", "counter", "Sandboxes that had ended while they waited."),
)


def _items(found: Any) -> list[tuple[str, Any]]:
    return [(str(key)[:80], value) for key, value in found.items()] if isinstance(found, dict) else []


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _family(name: str, kind: str, text: str, values: list[tuple[Labels, Any]]) -> Iterator[str]:
    kept = [(labels, value) for labels, value in values if _number(value)]
    if kept:
        yield f"# HELP forwardpass_{name} {text}"
        yield f"# TYPE forwardpass_{name} {kind}"
    for labels, value in kept:
        yield f"forwardpass_{name}{_labels(labels)} {value}"


def _labels(labels: Labels) -> str:
    escaped = {key: text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") for key, text in labels.items()}
    return "{" + ",".join(f'{key}="{text}"' for key, text in escaped.items()) + "}" if labels else ""


def _histogram(name: str, text: str, phases: dict[str, Any]) -> Iterator[str]:
    yield f"# HELP forwardpass_{name} {text}"
    yield f"# TYPE forwardpass_{name} histogram"
    for phase, data in _items(phases):
        buckets = data.get("buckets") if isinstance(data, dict) else None
        for bucket in buckets if isinstance(buckets, list) else ():
            if isinstance(bucket, list) and len(bucket) == 2 and _number(bucket[1]):
                bound = "+Inf" if bucket[0] is None else str(bucket[0])
                yield f"forwardpass_{name}_bucket{_labels({'phase': phase, 'le': bound})} {bucket[1]}"
        for part in ("sum", "count"):
            if isinstance(data, dict) and _number(data.get(part)):
                yield f"forwardpass_{name}_{part}{_labels({'phase': phase})} {data[part]}"
