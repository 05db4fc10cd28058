"""Answering with an error: JSON for `/api`, a page in the reader's language for the rest."""

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app.errors import Refusal
from app.i18n import locales, messages

INTERNAL = ("kind", "name")


@dataclass(frozen=True, slots=True)
class ErrorView:
    status: int
    code: str
    message: str
    mend: str
    suggestions: list[Any]


def wants_json(request: Request) -> bool:
    return request.url.path.startswith("/api/")


def refuse(request: Request, refusal: Refusal) -> Response:
    """The response for a refusal. Unlike raising it, returning this lets the transaction commit."""
    lang = locales.of_request(request)
    message, mend = messages.error(refusal.code, lang, refusal.data)
    if wants_json(request):
        body: dict[str, Any] = {"error": refusal.code, "message": message}
        body |= {"mend": mend} if mend else {}
        body |= {"field": refusal.field} if refusal.field else {}
        body |= {key: value for key, value in refusal.data.items() if key not in INTERNAL}
        return JSONResponse(body, refusal.status, refusal.headers)
    services = request.app.state.services
    suggestions = services.suggest(lang, str(refusal.data.get("name") or request.url.path)) if services else []
    error = ErrorView(refusal.status, refusal.code, message, mend, suggestions)
    response: Response = services.pages.render(
        request, lang, "errors/error.html", message, status=refusal.status, error=error, grader=services.grader_view()
    )
    response.headers.update(refusal.headers)
    return response
