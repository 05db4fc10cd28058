"""The glossary page."""

import re
from dataclasses import dataclass

from fastapi import APIRouter
from markupsafe import Markup
from starlette.responses import Response

from app.content.model import Content
from app.i18n.locales import Lang
from app.i18n.messages import title
from app.views import LessonCard, Progress, lessons_with
from app.visit import VisitDep

router = APIRouter()


@dataclass(frozen=True, slots=True)
class TermView:
    id: str
    term: str
    other: str
    definition: Markup
    lessons: list[LessonCard]


def terms(content: Content, lang: Lang, progress: Progress) -> list[TermView]:
    """In the order of the language; code points order Hangul syllables as Korean does."""
    other: Lang = "en" if lang == "ko" else "ko"
    views = [
        TermView(
            term.id,
            term.name[lang],
            term.name[other] if term.name[other] != term.name[lang] else "",
            content.definitions[term.id][lang],
            lessons_with(content, lang, progress, re.compile(rf":term\[(?:[^\]<]*<)?{re.escape(term.id)}>?\]")),
        )
        for term in content.terms.values()
    ]
    return sorted(views, key=lambda view: view.term.casefold())


@router.get("/{lang}/glossary")
async def page(visit: VisitDep) -> Response:
    found = terms(visit.content, visit.lang, visit.progress)
    return visit.render("glossary/glossary.html", title("glossary", visit.lang), terms=found)
