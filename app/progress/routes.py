"""Marking a lesson read and keeping the reader's place in it."""

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from app.deps import ContentDep, EnsuredReader, WriteSession, body
from app.errors import Refusal
from app.progress import service

router = APIRouter(prefix="/api/lessons")


class PlaceIn(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    heading: str = Field(max_length=200)


@router.post("/{slug}/read")
async def mark_read(slug: str, content: ContentDep, reader: EnsuredReader, session: WriteSession) -> Response:
    service.find_lesson(content, slug)
    await service.mark_read(session, reader, slug)
    return JSONResponse({"read": True})


@router.put("/{slug}/place")
async def keep_place(
    slug: str,
    place: Annotated[PlaceIn, Depends(body(PlaceIn))],
    content: ContentDep,
    reader: EnsuredReader,
    session: WriteSession,
) -> Response:
    lesson = service.find_lesson(content, slug)
    headings = {heading.id for text in lesson.texts.values() for heading in text.headings}
    if place.heading and place.heading not in headings:
        raise Refusal(422, "invalid", field="heading", reason="heading: no heading of this lesson")
    await service.keep_place(session, reader, slug, place.heading)
    return JSONResponse({"saved": True})
