"""`/`, the course page, lesson pages and their figures."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import FileResponse, RedirectResponse, Response

from app.broken import broken_page
from app.content.model import Broken
from app.courses.views import lesson_view
from app.deps import ContentDep, MaybeReader, PageLang, ReadSession, ServicesDep
from app.errors import NotFound
from app.i18n import locales
from app.pages import json_response
from app.progress import service as progress_service
from app.quizzes import service as quizzes
from app.quizzes import variants
from app.views import course_view

router = APIRouter()

MEDIA = {".svg": "image/svg+xml", ".png": "image/png", ".webp": "image/webp"}
# A figure's own style elements count as inline styles. As a document of its own it may do nothing else.
FIGURE_HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}


@router.get("/")
async def start(request: Request) -> Response:
    return RedirectResponse(f"/{locales.preferred(request)}/", 302, {"Vary": "Cookie, Accept-Language"})


@router.get("/{lang}/")
async def course(
    request: Request,
    lang: PageLang,
    services: ServicesDep,
    content: ContentDep,
    reader: MaybeReader,
    session: ReadSession,
) -> Response:
    view = course_view(content, lang, await progress_service.of(session, reader))
    problems = [str(problem) for problem in content.problems] if services.settings.authoring else []
    return services.pages.render(
        request,
        lang,
        "courses/course.html",
        view.title,
        course=view,
        nav=view,
        problems=problems,
        grader=services.grader_view(),
    )


@router.get("/{lang}/lessons/{slug}")
async def lesson(
    request: Request,
    lang: PageLang,
    slug: str,
    services: ServicesDep,
    content: ContentDep,
    reader: MaybeReader,
    session: ReadSession,
    ask: Annotated[list[str] | None, Query()] = None,
) -> Response:
    progress = await progress_service.of(session, reader)
    nav = course_view(content, lang, progress, slug)
    broken = content.lessons.get(slug)
    if isinstance(broken, Broken):
        return broken_page(request, services, lang, "lesson", broken, nav)
    found = progress_service.find_lesson(content, slug)
    asks = variants.wanted(found, ask or ())
    questions = await quizzes.question_views(session, reader, found, lang, asks)
    view = lesson_view(content, found, lang, progress, questions)
    return services.pages.render(
        request, lang, "courses/lesson.html", view.title, lesson=view, nav=nav, grader=services.grader_view()
    )


@router.get("/api/preview")
async def preview(services: ServicesDep, content: ContentDep) -> Response:
    """For authors' pages, which ask for it each second: changes whenever a file of the content does."""
    if not services.settings.authoring:
        raise NotFound("page", "preview")
    return json_response({"version": content.version})


@router.get("/media/lessons/{slug}/{name}")
async def figure(slug: str, name: str, content: ContentDep) -> Response:
    found = content.lessons.get(slug)
    suffix = name[name.rfind(".") :]
    if found is None or isinstance(found, Broken) or suffix not in MEDIA:
        raise NotFound("page", name)
    file = found.folder / name
    if file.parent != found.folder or not file.is_file():
        raise NotFound("page", name)
    return FileResponse(file, media_type=MEDIA[suffix], headers=FIGURE_HEADERS)
