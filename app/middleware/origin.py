"""Cross-site request forgery: an unsafe request must come from our own pages."""

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.errors import Refusal
from app.respond import refuse

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def is_ours(headers: Headers, public_origin: str) -> bool:
    """Sec-Fetch-Site decides where a browser sends it; without it, Origin must be the public origin."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    return (headers.get("origin") or "").lower() == public_origin


class SameOrigin:
    def __init__(self, app: ASGIApp, *, public_origin: str) -> None:
        self.app = app
        self.public_origin = public_origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in SAFE:
            request = Request(scope, receive)
            if not is_ours(request.headers, self.public_origin):
                refusal = Refusal(403, "forbidden_origin", origin=self.public_origin)
                await refuse(request, refusal)(scope, receive, send)
                return
        await self.app(scope, receive, send)
