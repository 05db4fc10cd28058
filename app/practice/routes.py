"""The pages of the clinic and of the challenges."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.deps import ContentDep, MaybeReader, PageLang, ReadSession, ServicesDep
from app.i18n.messages import title
from app.practice.views import cards, groups
from app.progress import service as progress_service
from app.views import course_view

router = APIRouter()


@router.get("/{lang}/clinic")
async def clinic(
    request: Request,
    lang: PageLang,
    services: ServicesDep,
    content: ContentDep,
    reader: MaybeReader,
    session: ReadSession,
) -> Response:
    progress = await progress_service.of(session, reader)
    return services.pages.render(
        request,
        lang,
        "practice/clinic.html",
        title("clinic", lang),
        groups=groups(content, "clinic", lang, progress),
        nav=course_view(content, lang, progress),
        grader=services.grader_view(),
    )


@router.get("/{lang}/challenges")
async def challenges(
    request: Request,
    lang: PageLang,
    services: ServicesDep,
    content: ContentDep,
    reader: MaybeReader,
    session: ReadSession,
) -> Response:
    progress = await progress_service.of(session, reader)
    return services.pages.render(
        request,
        lang,
        "practice/challenges.html",
        title("challenges", lang),
        challenges=cards(content, "challenge", lang, progress),
        nav=course_view(content, lang, progress),
        grader=services.grader_view(),
    )
