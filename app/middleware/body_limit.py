"""A limit on the size of a request's body, whether or not the client declares its length."""

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import Refusal
from app.respond import refuse


class BodyLimit:
    def __init__(self, app: ASGIApp, *, limit: int) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        declared = request.headers.get("content-length", "0")
        size = int(declared) if declared.isdigit() else 0
        if size > self.limit:
            await refuse(request, self._refusal(size))(scope, receive, send)
            return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.limit:
                raise self._refusal(read)
            return message

        await self.app(scope, counted, send)

    def _refusal(self, size: int) -> Refusal:
        # The rest of the body stays unread: the connection cannot be used for another request.
        return Refusal(413, "too_large", headers={"Connection": "close"}, limit=self.limit, size=size)
