"""The glossary page."""

import re
from dataclasses import dataclass

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from app.content.model import Content
from app.deps import ContentDep, MaybeReader, PageLang, ReadSession, ServicesDep
from app.i18n.locales import Lang
from app.i18n.messages import title
from app.progress import service as progress_service
from app.views import LessonCard, Progress, course_view, lessons_with

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
            term.name[other],
            content.definitions[term.id][lang],
            lessons_with(content, lang, progress, re.compile(rf":term\[(?:[^\]<]*<)?{re.escape(term.id)}>?\]")),
        )
        for term in content.terms.values()
    ]
    return sorted(views, key=lambda view: view.term.casefold())


@router.get("/{lang}/glossary")
async def page(
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
        "glossary/glossary.html",
        title("glossary", lang),
        terms=terms(content, lang, progress),
        nav=course_view(content, lang, progress),
        grader=services.grader_view(),
    )
