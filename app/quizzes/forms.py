"""Answering a question without JavaScript: its form is posted, and the reader comes back to it with the feedback."""

from typing import Annotated, Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from app.content.model import Question
from app.deps import ContentDep, EnsuredReader, PageLang, WriteSession
from app.progress.service import find_lesson
from app.quizzes import service, variants

router = APIRouter()

Fields = dict[str, list[str]]


@router.post("/{lang}/lessons/{slug}/quiz/{question}")
async def answer(
    request: Request,
    lang: PageLang,
    slug: str,
    question: str,
    content: ContentDep,
    reader: EnsuredReader,
    session: WriteSession,
    ask: Annotated[list[str] | None, Query()] = None,
) -> Response:
    lesson = find_lesson(content, slug)
    found = service.find(lesson, question)
    fields = parse_qs((await request.body()).decode("utf-8", "replace"))
    variant = fields.get("variant", [""])[0]
    await service.answer(session, reader, lesson, found, read_answer(found, fields), variant, lang)
    pins = variants.wanted(lesson, ask or ())
    if question in pins:
        pins[question] = variant
    address = f"/{lang}/lessons/{slug}{variants.query(pins)}#question-{question}"
    return RedirectResponse(address, 303)


def read_answer(question: Question, fields: Fields) -> Any:
    """The answer in the form that the API takes; what is no answer is left for the check to refuse."""
    given = [value.strip() for value in fields.get(question.id, [])]
    match question.kind:
        case "several":
            return given
        case "shape":
            return [int(size) for size in given] if all(map(_is_integer, given)) else given
        case "order":
            return _in_order(question, fields)
        case _:
            return given[0] if given else None


def _in_order(question: Question, fields: Fields) -> list[str] | None:
    """Each item has a field for its place; None unless they give every place once."""
    places = {item.id: fields.get(f"{question.id}.{item.id}", [""])[0].strip() for item in question.items}
    if sorted(places.values()) != sorted(str(place) for place in range(1, len(places) + 1)):
        return None
    return sorted(places, key=lambda name: int(places[name]))


def _is_integer(text: str) -> bool:
    return text.isascii() and text.removeprefix("-").isdigit() and len(text) < 19
