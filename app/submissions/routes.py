"""`/api/submissions/…`, `/api/exercises/{slug}/submissions` and `/api/run`."""

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from app.db import after_commit
from app.deps import (
    ApiLang,
    ContentDep,
    EnsuredReader,
    MaybeReader,
    ReaderNumber,
    ReadSession,
    ServicesDep,
    WriteSession,
    body,
)
from app.errors import Refusal
from app.exercises import service as exercises
from app.i18n.locales import Lang
from app.i18n.sentences import localise
from app.pages import json_response
from app.respond import refuse
from app.submissions import journal, queries, service
from app.submissions.ahead import DraftOrder
from app.submissions.models import Submission
from app.submissions.schemas import SourceIn, row
from app.submissions.service import Order
from app.submissions.stream import is_over, stream
from grader.contract.draft import DraftReport

router = APIRouter(prefix="/api")

SourceBody = Annotated[SourceIn, Depends(body(SourceIn))]
EVENT_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def _accepted(submission: Submission, position: int, lang: Lang) -> JSONResponse:
    answer: dict[str, Any] = {
        "id": submission.id,
        "status": submission.status,
        "position": position,
        "url": row(submission, lang).url,
        "events": f"/api/submissions/{submission.id}/events?lang={lang}",
    }
    return JSONResponse(answer, 201)


@router.post("/exercises/{slug}/submissions")
async def submit(
    request: Request,
    slug: str,
    source: SourceBody,
    services: ServicesDep,
    content: ContentDep,
    reader: EnsuredReader,
    session: WriteSession,
    lang: ApiLang,
) -> Response:
    exercises.find(content, slug, source.language)
    await exercises.keep_submitted(session, services.settings, reader, slug, source)
    try:
        order = Order(reader, source.language, source.source, slug)
        submission = await service.submit(session, services, order)
    except Refusal as refusal:  # answered, not raised: what was submitted stays as the draft
        return refuse(request, refusal)
    after_commit(session, services.dispatcher.wake)
    return _accepted(submission, await service.queue_position(session, submission), lang)


@router.post("/exercises/{slug}/draft/compile")
async def compile_draft(
    slug: str, source: SourceBody, services: ServicesDep, content: ContentDep, reader: ReaderNumber
) -> Response:
    """Waits for the compiler, but for nothing that others wait for; answers 200 also where nothing was compiled."""
    exercises.find(content, slug, source.language)
    service.check_source(source.source)
    report = DraftReport("", "off")
    if reader is not None and services.settings.compile_drafts:
        allowed = not services.draft_limit.wait_s(str(reader))
        order = DraftOrder(reader, slug, source.language, source.source)
        report = await services.dispatcher.ahead.compile(order) if allowed else DraftReport("", "busy")
    data = {name: getattr(report, name) for name in ("state", "code", "diagnostics", "seconds", "cached")}
    return json_response(data)


@router.post("/run")
async def run(
    source: SourceBody, services: ServicesDep, reader: EnsuredReader, session: WriteSession, lang: ApiLang
) -> Response:
    submission = await service.submit(session, services, Order(reader, source.language, source.source, purpose="run"))
    after_commit(session, services.dispatcher.wake)
    return _accepted(submission, await service.queue_position(session, submission), lang)


@router.get("/exercises/{slug}/submissions")
async def history(slug: str, content: ContentDep, reader: MaybeReader, session: ReadSession, lang: ApiLang) -> Response:
    exercises.find(content, slug)
    rows = [row(submission, lang) for submission in await service.history(session, reader, slug)]
    return json_response({"submissions": rows})


@router.get("/submissions/{submission_id}")
async def show(
    submission_id: str, content: ContentDep, reader: MaybeReader, session: ReadSession, lang: ApiLang
) -> Response:
    submission = await service.own(session, reader, submission_id)
    verdict = await queries.verdict(session, submission.number)
    shown = localise("verdict", verdict, lang, content.lessons)[0] if verdict else None
    position = await service.queue_position(session, submission)
    return json_response(
        row(submission, lang), position=position, source=submission.source, verdict=shown, purpose=submission.purpose
    )


@router.post("/submissions/{submission_id}/cancel")
async def cancel(submission_id: str, services: ServicesDep, reader: MaybeReader, session: WriteSession) -> Response:
    submission = await service.own(session, reader, submission_id, lock=True)
    await journal.cancel(session, submission)
    after_commit(session, services.dispatcher.wake)
    after_commit(session, partial(services.notifier.notify, submission.id))
    return JSONResponse({"id": submission.id, "status": submission.status})


@router.get("/submissions/{submission_id}/events")
async def events(
    submission_id: str,
    services: ServicesDep,
    reader: MaybeReader,
    session: ReadSession,
    lang: ApiLang,
    last_event_id: Annotated[str, Header()] = "",
    last: Annotated[str, Query()] = "",
) -> Response:
    await service.own(session, reader, submission_id)
    given = last_event_id or last
    number = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0
    if number and await is_over(services, submission_id, number):
        return Response(status_code=204)
    frames = stream(services, submission_id, number, lang)
    return StreamingResponse(frames, media_type="text/event-stream", headers=EVENT_HEADERS)
