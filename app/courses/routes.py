"""`/`, the course page, lesson pages and their figures."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import FileResponse, RedirectResponse, Response

from app.broken import broken_page
from app.content.model import Broken
from app.courses.views import lesson_view
from app.deps import ContentDep, ServicesDep
from app.errors import NotFound
from app.i18n import locales
from app.pages import json_response
from app.progress.service import find_lesson
from app.quizzes import service as quizzes
from app.quizzes import variants
from app.views import course_view
from app.visit import VisitDep

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
async def course(visit: VisitDep) -> Response:
    view = course_view(visit.content, visit.lang, visit.progress)
    problems = [str(problem) for problem in visit.content.problems] if visit.services.settings.authoring else []
    return visit.render("courses/course.html", view.title, course=view, problems=problems)


@router.get("/{lang}/lessons/{slug}")
async def lesson(visit: VisitDep, slug: str, ask: Annotated[list[str] | None, Query()] = None) -> Response:
    broken = visit.content.lessons.get(slug)
    if isinstance(broken, Broken):
        return broken_page(visit, "lesson", broken)
    found = find_lesson(visit.content, slug)
    asks = variants.wanted(found, ask or ())
    questions = await quizzes.question_views(visit.session, visit.reader, found, visit.lang, asks)
    view = lesson_view(visit.content, found, visit.lang, visit.progress, questions)
    return visit.render("courses/lesson.html", view.title, current=slug, lesson=view)


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
