"""Answering a question."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from app.deps import ApiLang, ContentDep, EnsuredReader, WriteSession, body
from app.pages import json_response
from app.progress.service import find_lesson
from app.quizzes import service

router = APIRouter(prefix="/api/lessons")


class AnswerIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    answer: Any
    variant: str = ""
    """Of a question with parameters: the drawing that was shown."""


@router.post("/{slug}/quiz/{question}")
async def answer(
    slug: str,
    question: str,
    given: Annotated[AnswerIn, Depends(body(AnswerIn))],
    content: ContentDep,
    reader: EnsuredReader,
    session: WriteSession,
    lang: ApiLang,
) -> Response:
    lesson = find_lesson(content, slug)
    found = service.find(lesson, question)
    view = await service.answer(session, reader, lesson, found, given.answer, given.variant, lang)
    shown: dict[str, Any] = {
        "correct": view.correct,
        "feedback": view.feedback,
        "choices": view.choices,
        "attempts": view.attempts,
    }
    if view.correct_answer is not None:
        shown["correct_answer"] = view.correct_answer
    return json_response(shown)
