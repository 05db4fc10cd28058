"""The search page and its API."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from app.deps import ApiLang, ContentDep, MaybeReader, PageLang, ReadSession, ServicesDep
from app.i18n.messages import title
from app.pages import json_response
from app.progress import service as progress_service
from app.views import course_view

router = APIRouter()

MAX_QUERY = 200
Q = Annotated[str, Query(max_length=MAX_QUERY)]


# Before the page: `/{lang}/search` would take `api` for a language.
@router.get("/api/search")
async def api(services: ServicesDep, lang: ApiLang, q: Q = "") -> Response:
    results = services.search.search(q, lang)
    return json_response({"query": q, "results": results, "total": len(results)})


@router.get("/{lang}/search")
async def page(
    request: Request,
    lang: PageLang,
    services: ServicesDep,
    content: ContentDep,
    reader: MaybeReader,
    session: ReadSession,
    q: Q = "",
) -> Response:
    results = services.search.search(q, lang)
    suggestions = services.suggest(lang, q) if q.strip() and not results else []
    return services.pages.render(
        request,
        lang,
        "search/search.html",
        title("search", lang),
        query=q,
        results=results,
        total=len(results),
        suggestions=suggestions,
        nav=course_view(content, lang, await progress_service.of(session, reader)),
        grader=services.grader_view(),
    )
