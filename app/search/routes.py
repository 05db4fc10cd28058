"""The search page and its API."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from app.deps import ApiLang, ServicesDep
from app.i18n.messages import title
from app.pages import json_response
from app.visit import VisitDep

router = APIRouter()

MAX_QUERY = 200
Q = Annotated[str, Query(max_length=MAX_QUERY)]


# Before the page: `/{lang}/search` would take `api` for a language.
@router.get("/api/search")
async def api(services: ServicesDep, lang: ApiLang, q: Q = "") -> Response:
    results = services.search.search(q, lang)
    return json_response({"query": q, "results": results, "total": len(results)})


@router.get("/{lang}/search")
async def page(visit: VisitDep, q: Q = "") -> Response:
    results = visit.services.search.search(q, visit.lang)
    suggestions = visit.services.similar(visit.lang, q) if q.strip() and not results else []
    return visit.render(
        "search/search.html",
        title("search", visit.lang),
        query=q,
        results=results,
        total=len(results),
        suggestions=suggestions,
    )
