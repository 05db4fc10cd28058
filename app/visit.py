"""What every page of the course has in common: who visits it, in which language, with the course around it."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from app.accounts.models import Reader
from app.content.model import Content
from app.deps import ContentDep, MaybeReader, PageLang, ReadSession, ServicesDep
from app.i18n.locales import Lang
from app.progress import service as progress_service
from app.services import Services
from app.views import Progress, course_view


@dataclass(frozen=True, slots=True)
class Visit:
    request: Request
    lang: Lang
    services: Services
    content: Content
    session: AsyncSession
    reader: Reader | None
    """None for someone of whom nothing is kept yet."""
    progress: Progress

    def render(self, template: str, title: str, *, current: str = "", status: int = 200, **context: Any) -> Response:
        """The page, with the course's navigation and the grader's state. current: slug of the lesson that is read here.

        Raises jinja2.TemplateError where the template is missing or uses what it was not given.
        """
        nav = course_view(self.content, self.lang, self.progress, current)
        shared = {"nav": nav, "grader": self.services.grader_view()}
        return self.services.pages.render(self.request, self.lang, template, title, status=status, **shared, **context)


async def visit(
    request: Request,
    lang: PageLang,
    services: ServicesDep,
    content: ContentDep,
    reader: MaybeReader,
    session: ReadSession,
) -> Visit:
    progress = await progress_service.of(session, reader)
    return Visit(request, lang, services, content, session, reader, progress)


VisitDep = Annotated[Visit, Depends(visit)]
