"""The page in place of a lesson or exercise that cannot be loaded."""

from dataclasses import dataclass

from starlette.responses import Response

from app.content.model import Broken
from app.i18n import messages
from app.settings import ROOT
from app.visit import Visit


@dataclass(frozen=True, slots=True)
class ProblemView:
    file: str
    line: int
    message: str
    mend: str


def broken_page(visit: Visit, kind: str, broken: Broken) -> Response:
    """Status 500. Only in development does the page say what is wrong, for authors. kind: lesson or exercise."""
    title, _ = messages.error("broken_content", visit.lang, {})
    problems = [
        ProblemView(str(p.file.relative_to(ROOT) if p.file.is_relative_to(ROOT) else p.file), p.line, p.message, p.mend)
        for p in broken.problems
    ]
    told = problems if visit.services.settings.authoring else []
    current = broken.slug if kind == "lesson" else ""
    return visit.render(
        "courses/broken.html", title, current=current, status=500, kind=kind, slug=broken.slug, problems=told
    )
