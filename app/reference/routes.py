"""Reference pages and the editor's completions."""

from functools import cache

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.errors import NotFound
from app.i18n import locales
from app.i18n.locales import Lang
from app.i18n.messages import title
from app.reference.completions import completion_file
from app.reference.views import Reference
from app.visit import Visit, VisitDep
from grader.contract.api import load_api

router = APIRouter()


@router.get("/{lang}/reference/")
async def index(visit: VisitDep) -> Response:
    reference = _reference(visit)
    return visit.render(
        "reference/index.html",
        title("reference", visit.lang),
        groups=reference.groups(),
        enums=reference.enums(),
        structs=reference.structs(),
        statuses=reference.statuses(),
        macros=reference.macros(),
    )


@router.get("/{lang}/reference/{name}")
async def entry(visit: VisitDep, name: str) -> Response:
    found = _reference(visit).entry(name)
    return visit.render(f"reference/{found.kind}.html", found.name, entry=found)


def _reference(visit: Visit) -> Reference:
    return Reference(visit.services.api, visit.content, visit.lang, visit.progress)


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
