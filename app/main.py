"""Builds the web program: services, middleware, routes, and what starts and stops with the server."""

import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.content.library import Library
from app.courses.routes import router as courses
from app.db import Database
from app.errors import NotFound, Refusal
from app.exercises.routes import router as exercises
from app.glossary.routes import router as glossary
from app.health import router as health
from app.i18n import locales
from app.limiter import Limiter
from app.metrics import router as metrics
from app.middleware.body_limit import BodyLimit
from app.middleware.cookies import Cookies
from app.middleware.origin import SameOrigin
from app.middleware.security import SecurityHeaders
from app.pages import Pages
from app.practice.routes import router as practice
from app.preferences.routes import router as preferences
from app.progress.routes import router as progress
from app.quizzes.forms import router as quiz_forms
from app.quizzes.routes import router as quizzes
from app.reference.routes import router as reference
from app.respond import refuse
from app.search.index import SearchIndex
from app.search.routes import router as search
from app.services import Services
from app.settings import Settings
from app.staticfiles import PrecompressedFiles
from app.submissions.dispatcher import Dispatcher
from app.submissions.link import open_link
from app.submissions.notifier import Notifier
from app.submissions.routes import router as submissions
from grader.contract.api import load_api

log = logging.getLogger(__name__)

ROUTERS = (
    courses,
    exercises,
    practice,
    submissions,
    quizzes,
    quiz_forms,
    progress,
    reference,
    glossary,
    search,
    preferences,
    health,
    metrics,
)


def create_app(settings: Settings) -> FastAPI:
    """The program, not yet started: the dispatcher and the grader start with the server (lifespan).

    Raises ContentError where the table of the API is broken; broken lessons and exercises raise nothing.
    """
    app = FastAPI(
        title="Forward Pass",
        lifespan=_lifespan,
        openapi_url=None,
        redirect_slashes=False,
        middleware=[
            Middleware(SecurityHeaders, secure=settings.secure),
            Middleware(Cookies),
            Middleware(SameOrigin, public_origin=settings.public_origin),
            Middleware(BodyLimit, limit=settings.max_body_bytes),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),  # leaves event streams alone
        ],
    )
    app.state.services = build_services(settings)
    app.add_exception_handler(Refusal, _on_refusal)
    app.add_exception_handler(HTTPException, _on_http_exception)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(Exception, _on_failure)
    for router in ROUTERS:
        _answer_head(router)
        app.include_router(router)
    app.mount("/static", PrecompressedFiles(settings.static_dir), name="static")
    return app


def _answer_head(router: APIRouter) -> None:
    """Lets what answers GET answer HEAD too (the server drops the body), except event streams, which never end."""
    for route in router.routes:
        if isinstance(route, APIRoute) and "GET" in (route.methods or ()) and not route.path.endswith("/events"):
            route.methods = {*(route.methods or ()), "HEAD"}


def build_services(settings: Settings) -> Services:
    api = load_api()
    database = Database(settings.database_url)
    library = Library(settings.lessons_dir, settings.exercises_dir, api, authoring=settings.authoring)
    notifier = Notifier()
    opener = None if settings.grader == "off" else partial(open_link, settings)
    return Services(
        settings=settings,
        database=database,
        library=library,
        api=api,
        pages=Pages(settings),
        search=SearchIndex(library, api),
        notifier=notifier,
        dispatcher=Dispatcher(database, notifier, settings, opener),
        submission_limit=Limiter(settings.submissions_per_minute, 60.0),
        draft_limit=Limiter(settings.drafts_per_minute, 60.0),
        reader_limit=Limiter(settings.readers_per_minute, 60.0),
    )


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    services: Services = app.state.services
    for problem in services.library.current().problems:
        log.warning("content: %s", problem)
    services.dispatcher.start()
    yield
    await services.dispatcher.stop()
    await services.database.close()


async def _on_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)  # noqa: S101  (registered for this type only)
    return refuse(request, error)


async def _on_http_exception(request: Request, error: Exception) -> Response:
    """Starlette's own: an unknown path, or a method that the path does not take."""
    assert isinstance(error, HTTPException)  # noqa: S101
    if error.status_code == 405:
        return refuse(request, Refusal(405, "method_not_allowed", headers=error.headers))
    if error.status_code == 404:
        return await _missing(request)
    return refuse(request, Refusal(error.status_code, "invalid", reason=str(error.detail)))


async def _missing(request: Request) -> Response:
    """A page without or with one slash too many is redirected; an unknown language is named."""
    path = request.url.path
    prefix = path.split("/", 2)[1]
    if path in ("/ko", "/en", "/ko/reference", "/en/reference"):
        return RedirectResponse(path + "/", 308)
    if request.method in ("GET", "HEAD") and path.endswith("/") and len(path) > 1 and locales.known(prefix):
        return RedirectResponse(path.rstrip("/"), 308)
    return refuse(request, NotFound("page", path))


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    first = error.errors()[0]
    field = str(first["loc"][-1])
    return refuse(request, Refusal(422, "invalid", field=field, reason=f"{field}: {first['msg']}"))


async def _on_failure(request: Request, error: Exception) -> Response:
    """Anything unforeseen: logged under a number that the reader can pass on."""
    incident = secrets.token_hex(4)
    log.error("incident %s: %s %s", incident, request.method, request.url.path, exc_info=error)
    return refuse(request, Refusal(500, "server_error", incident=incident))
