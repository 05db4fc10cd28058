"""The pages of the clinic and of the challenges."""

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from app.deps import EnsuredReader, PageLang, WriteSession
from app.i18n.messages import title
from app.leaderboard import service as leaderboard
from app.practice.views import cards, groups
from app.visit import VisitDep

router = APIRouter()


@router.get("/{lang}/clinic")
async def clinic(visit: VisitDep) -> Response:
    cases = groups(visit.content, "clinic", visit.lang, visit.progress)
    return visit.render("practice/clinic.html", title("clinic", visit.lang), groups=cases)


@router.get("/{lang}/challenges")
async def challenges(visit: VisitDep) -> Response:
    found = cards(visit.content, "challenge", visit.lang, visit.progress)
    return visit.render(
        "practice/challenges.html",
        title("challenges", visit.lang),
        challenges=found,
        boards={card.slug: await leaderboard.boards(visit.session, visit.reader, card.slug) for card in found},
        identity=await leaderboard.identity(visit.session, visit.reader),
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
