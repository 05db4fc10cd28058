"""The page in place of a lesson or exercise that cannot be loaded."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from app.content.model import Broken
from app.i18n import messages
from app.i18n.locales import Lang
from app.services import Services
from app.settings import ROOT
from app.views import CourseView


@dataclass(frozen=True, slots=True)
class ProblemView:
    file: str
    line: int
    message: str
    mend: str


def broken_page(
    request: Request, services: Services, lang: Lang, kind: str, broken: Broken, nav: CourseView
) -> Response:
    """Status 500. Only in development does the page say what is wrong, for authors."""
    title, _ = messages.error("broken_content", lang, {})
    problems = [
        ProblemView(str(p.file.relative_to(ROOT) if p.file.is_relative_to(ROOT) else p.file), p.line, p.message, p.mend)
        for p in broken.problems
    ]
    return services.pages.render(
        request,
        lang,
        "courses/broken.html",
        title,
        status=500,
        kind=kind,
        slug=broken.slug,
        problems=problems if services.settings.authoring else [],
        nav=nav,
        grader=services.grader_view(),
    )
