"""Reference pages and the editor's completions."""

from functools import cache

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.deps import ContentDep, MaybeReader, PageLang, ReadSession, ServicesDep
from app.errors import NotFound
from app.i18n import locales
from app.i18n.locales import Lang
from app.i18n.messages import title
from app.progress import service as progress_service
from app.reference.completions import completion_file
from app.reference.views import Reference
from app.views import course_view
from grader.contract.api import load_api

router = APIRouter()


@router.get("/{lang}/reference/")
async def index(
    request: Request,
    lang: PageLang,
    services: ServicesDep,
    content: ContentDep,
    reader: MaybeReader,
    session: ReadSession,
) -> Response:
    progress = await progress_service.of(session, reader)
    reference = Reference(services.api, content, lang, progress)
    return services.pages.render(
        request,
        lang,
        "reference/index.html",
        title("reference", lang),
        groups=reference.groups(),
        enums=reference.enums(),
        structs=reference.structs(),
        statuses=reference.statuses(),
        macros=reference.macros(),
        nav=course_view(content, lang, progress),
        grader=services.grader_view(),
    )


@router.get("/{lang}/reference/{name}")
async def entry(
    request: Request,
    lang: PageLang,
    name: str,
    services: ServicesDep,
    content: ContentDep,
    reader: MaybeReader,
    session: ReadSession,
) -> Response:
    progress = await progress_service.of(session, reader)
    found = Reference(services.api, content, lang, progress).entry(name)
    return services.pages.render(
        request,
        lang,
        f"reference/{found.kind}.html",
        found.name,
        entry=found,
        nav=course_view(content, lang, progress),
        grader=services.grader_view(),
    )


@cache
def _completions(lang: Lang) -> tuple[bytes, str]:
    return completion_file(load_api(), lang)


@router.get("/api/completions/{name}")
async def completions(request: Request, name: str) -> Response:
    lang = locales.known(name.removesuffix(".json"))
    if lang is None or not name.endswith(".json"):
        raise NotFound("language", name)
    body, tag = _completions(lang)
    headers = {"ETag": tag, "Cache-Control": "public, max-age=3600", "Content-Language": lang}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)
