"""FastAPI dependencies: services, session, reader, language, body."""

import json
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request
from pydantic import BaseModel, ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import service as accounts
from app.accounts.models import Reader
from app.content.model import Content
from app.errors import NotFound, Refusal, TooMany
from app.i18n import locales
from app.i18n.locales import Lang
from app.middleware.cookies import set_cookie
from app.services import Services

M = TypeVar("M", bound=BaseModel)


def get_services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


ServicesDep = Annotated[Services, Depends(get_services)]


def get_content(services: ServicesDep) -> Content:
    return services.library.current()


ContentDep = Annotated[Content, Depends(get_content)]


async def read_session(services: ServicesDep) -> AsyncIterator[AsyncSession]:
    async with services.database.transaction(write=False) as session:
        yield session


async def write_session(services: ServicesDep) -> AsyncIterator[AsyncSession]:
    async with services.database.transaction(write=True) as session:
        yield session


# "function": the transaction is committed before the response is sent, so that a reader finds what they just saved.
ReadSession = Annotated[AsyncSession, Depends(read_session, scope="function")]
WriteSession = Annotated[AsyncSession, Depends(write_session, scope="function")]


async def visitor(request: Request, session: ReadSession) -> Reader | None:
    return await accounts.find(session, request.cookies.get(accounts.COOKIE, ""))


async def visitor_number(request: Request, services: ServicesDep) -> int | None:
    """The reader's number, from a transaction that is over: for handlers that wait for long."""
    async with services.database.transaction(write=False) as session:
        reader = await accounts.find(session, request.cookies.get(accounts.COOKIE, ""))
        return reader.id if reader else None


async def ensured_reader(request: Request, services: ServicesDep, session: WriteSession) -> Reader:
    """The reader, made now where the cookie names none. Raises Refusal 429 when one address makes too many."""
    reader = await accounts.find(session, request.cookies.get(accounts.COOKIE, ""), lock=True)
    if reader is not None:
        return reader
    address = request.client.host if request.client else ""
    if wait := services.reader_limit.wait_s(address):
        raise TooMany(wait, "guest")
    reader, token = await accounts.create(session)
    secure = services.settings.secure
    set_cookie(request, accounts.COOKIE, token, max_age=accounts.COOKIE_AGE_S, secure=secure)
    return reader


MaybeReader = Annotated[Reader | None, Depends(visitor)]
"""The reader, or None for someone of whom nothing is kept yet."""
ReaderNumber = Annotated[int | None, Depends(visitor_number)]
EnsuredReader = Annotated[Reader, Depends(ensured_reader)]


def page_lang(lang: str) -> Lang:
    """The language prefix of a page. Raises NotFound."""
    found = locales.known(lang)
    if found is None:
        raise NotFound("language", lang)
    return found


PageLang = Annotated[Lang, Depends(page_lang)]
ApiLang = Annotated[Lang, Depends(locales.of_request)]


def body(model: type[M]) -> Callable[[Request], Coroutine[Any, Any, M]]:
    """A dependency that reads a JSON body. Raises Refusal 422: not_utf8 or invalid, with the field."""

    async def read(request: Request) -> M:
        raw = await request.body()
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Refusal(422, "not_utf8", position=error.start) from None
        try:
            data = json.loads(text)
        except ValueError as error:
            raise Refusal(422, "invalid", reason=f"JSON: {error}") from None
        try:
            return model.model_validate(data)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            raise Refusal(422, "invalid", field=field, reason=f"{field}: {first['msg']}") from None

    return read
