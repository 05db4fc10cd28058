"""The pages of the clinic and of the challenges."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.deps import ContentDep, EnsuredReader, MaybeReader, PageLang, ReadSession, ServicesDep, WriteSession
from app.i18n.messages import title
from app.leaderboard import service as leaderboard
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
    found = cards(content, "challenge", lang, progress)
    return services.pages.render(
        request,
        lang,
        "practice/challenges.html",
        title("challenges", lang),
        challenges=found,
        boards={card.slug: await leaderboard.boards(session, reader, card.slug) for card in found},
        identity=await leaderboard.identity(session, reader),
        nav=course_view(content, lang, progress),
        grader=services.grader_view(),
    )


# Forms without fields: they work without scripts. 303 makes the browser fetch the page anew.
@router.post("/{lang}/challenges/hide")
async def hide(lang: PageLang, reader: EnsuredReader, session: WriteSession) -> Response:
    await leaderboard.show(session, reader, hidden=True)
    return RedirectResponse(f"/{lang}/challenges", 303)


@router.post("/{lang}/challenges/show")
async def show(lang: PageLang, reader: EnsuredReader, session: WriteSession) -> Response:
    await leaderboard.show(session, reader, hidden=False)
    return RedirectResponse(f"/{lang}/challenges", 303)
