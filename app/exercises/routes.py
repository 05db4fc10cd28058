"""The exercise page, drafts, hints, giving up and the solution."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import JSONResponse, Response

from app.content.markdown import code
from app.content.model import Broken
from app.deps import (
    ApiLang,
    ContentDep,
    EnsuredReader,
    MaybeReader,
    ReadSession,
    ServicesDep,
    WriteSession,
    body,
)
from app.broken import broken_page
from app.errors import Refusal
from app.exercises import service
from app.exercises.views import State, exercise_view, source_views
from app.pages import json_response
from app.submissions import service as submissions
from app.submissions.schemas import SourceIn, SubmissionRow, row
from app.submissions.service import Record
from app.visit import VisitDep
from grader.contract.job import MAX_SOURCE_BYTES, Language

router = APIRouter()

SourceBody = Annotated[SourceIn, Depends(body(SourceIn))]


@router.get("/{lang}/exercises/{slug}")
async def page(
    visit: VisitDep, slug: str, language: Annotated[str, Query()] = "", submission: Annotated[str, Query()] = ""
) -> Response:
    broken = visit.content.exercises.get(slug)
    if isinstance(broken, Broken):
        return broken_page(visit, "exercise", broken)
    found = service.find(visit.content, slug)
    session, reader = visit.session, visit.reader
    drafts = await service.drafts(session, reader, slug)
    record = (await submissions.records(session, reader)).get(slug, Record()) if reader else Record()
    may_see = await service.may_see_solution(session, reader, slug)
    state = State(visit.progress, await service.help_of(session, reader, slug), record, may_see)
    history = [row(entry, visit.lang) for entry in await submissions.history(session, reader, slug)]
    chosen = _chosen(history, submission)
    view = exercise_view(visit.content, found, visit.lang, state)
    wanted = [language, chosen.language if chosen and submission else "", drafts[-1].language if drafts else ""]
    return visit.render(
        "exercises/exercise.html",
        view.title,
        exercise=view,
        language=next((name for name in wanted if name in view.languages), view.languages[0]),
        sources=source_views(found, drafts),
        history=history,
        submission=chosen,
        max_source_bytes=MAX_SOURCE_BYTES,
    )


def _chosen(history: list[SubmissionRow], wanted: str) -> SubmissionRow | None:
    """The submission to show: the one asked for, else a running one, else the last."""
    asked = [entry for entry in history if entry.id == wanted]
    running = [entry for entry in history if entry.status != "done"]
    return next(iter([*asked, *running, *history]), None)


@router.get("/api/exercises/{slug}/draft")
async def get_draft(
    slug: str, language: Language, content: ContentDep, reader: MaybeReader, session: ReadSession
) -> Response:
    found = service.find(content, slug, language)
    drafts = await service.drafts(session, reader, slug)
    view = source_views(found, drafts)[language]
    previous = next((draft.previous for draft in drafts if draft.language == language), None)
    return json_response(
        {"language": language, "source": view.source, "saved_at": view.saved_at, "previous": previous}
    )


@router.put("/api/exercises/{slug}/draft")
async def put_draft(
    slug: str,
    source: SourceBody,
    services: ServicesDep,
    content: ContentDep,
    reader: EnsuredReader,
    session: WriteSession,
) -> Response:
    service.find(content, slug, source.language)
    draft = await service.save_draft(session, services.settings, reader, slug, source)
    return json_response({"saved_at": draft.saved_at})


@router.delete("/api/exercises/{slug}/draft")
async def delete_draft(
    slug: str, language: Language, content: ContentDep, reader: EnsuredReader, session: WriteSession
) -> Response:
    found = service.find(content, slug, language)
    draft = await service.reset_draft(session, reader, slug, language)
    starter = found.exercise.starters[language]
    return json_response({"source": starter, "previous": draft.previous if draft else None})


@router.post("/api/exercises/{slug}/draft/restore")
async def restore_draft(
    slug: str, language: Language, content: ContentDep, reader: EnsuredReader, session: WriteSession
) -> Response:
    service.find(content, slug, language)
    draft = await service.restore_draft(session, reader, slug, language)
    return json_response({"source": draft.source, "saved_at": draft.saved_at})


@router.post("/api/exercises/{slug}/hints")
async def open_hint(
    slug: str, content: ContentDep, reader: EnsuredReader, session: WriteSession, lang: ApiLang
) -> Response:
    found = service.find(content, slug)
    count = await service.open_hint(session, reader, found)
    hints = found.hints[lang]
    return JSONResponse({"hints": [str(hint) for hint in hints[:count]], "total": len(hints)})


@router.post("/api/exercises/{slug}/give-up")
async def give_up(slug: str, content: ContentDep, reader: EnsuredReader, session: WriteSession) -> Response:
    await service.give_up(session, reader, service.find(content, slug))
    return JSONResponse({"solution_open": True})


@router.get("/api/exercises/{slug}/solution")
async def solution(
    slug: str, language: Language, content: ContentDep, reader: MaybeReader, session: ReadSession, lang: ApiLang
) -> Response:
    found = service.find(content, slug, language)
    if not await service.may_see_solution(session, reader, slug):
        raise Refusal(403, "locked")
    source = found.solutions[language]
    html, explanation = str(code.to_html(source, language)), str(found.explanations.get(lang, ""))
    return json_response({"language": language, "source": source, "html": html, "explanation": explanation})
