"""Cookies that code below a route wants to set, added to whatever response goes out."""

from http.cookies import SimpleCookie

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send


def set_cookie(request: Request, name: str, value: str, *, max_age: int, secure: bool) -> None:
    """An HttpOnly, SameSite=Lax cookie for the whole site."""
    cookie: SimpleCookie = SimpleCookie()
    cookie[name] = value
    cookie[name]["max-age"] = max_age
    cookie[name]["path"] = "/"
    cookie[name]["samesite"] = "Lax"
    cookie[name]["httponly"] = True
    cookie[name]["secure"] = secure
    request.scope["state"].setdefault("cookies", []).append(cookie.output(header="").strip())


class Cookies:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_cookies(message: Message) -> None:
            if message["type"] == "http.response.start":
                lines = scope.get("state", {}).get("cookies", [])
                message["headers"] = [*message.get("headers", []), *((b"set-cookie", line.encode()) for line in lines)]
            await send(message)

        await self.app(scope, receive, send_with_cookies)
