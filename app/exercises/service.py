"""Drafts, hints and solutions of an exercise."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import Reader
from app.content.model import Broken, Content, ExerciseContent
from app.db import now
from app.errors import NotFound, Refusal
from app.exercises import queries
from app.exercises.models import Draft, Help
from app.settings import Settings
from app.submissions import service as submissions
from app.submissions.schemas import SourceIn
from app.text import storable


def find(content: Content, slug: str, language: str | None = None) -> ExerciseContent:
    """Raises NotFound; Refusal 500 where the exercise is broken, 422 where it has no such language."""
    exercise = content.exercises.get(slug)
    if exercise is None:
        raise NotFound("exercise", slug)
    if isinstance(exercise, Broken):
        raise Refusal(500, "broken_content")
    if language is not None and language not in exercise.exercise.languages:
        known = ", ".join(exercise.exercise.languages)
        raise Refusal(422, "invalid", field="language", reason=f"language: this exercise takes {known}")
    return exercise


async def save_draft(session: AsyncSession, settings: Settings, reader: Reader, slug: str, source: SourceIn) -> Draft:
    """Raises Refusal: 422 not_utf8, 413 too_large; the draft that was there stays."""
    if not storable(source.source):
        raise Refusal(422, "not_utf8", field="source")
    size = len(source.source.encode())
    if size > settings.max_draft_bytes:
        raise Refusal(413, "too_large", field="source", limit=settings.max_draft_bytes, size=size)
    return await _put(session, reader, slug, source)


async def keep_submitted(session: AsyncSession, settings: Settings, reader: Reader, slug: str, source: SourceIn) -> None:
    """Keeps what is submitted as the draft, where it can be kept: a submission that is then refused loses nothing."""
    if storable(source.source) and source.source.strip() and len(source.source.encode()) <= settings.max_draft_bytes:
        await _put(session, reader, slug, source)


async def _put(session: AsyncSession, reader: Reader, slug: str, source: SourceIn) -> Draft:
    draft = await queries.draft(session, reader.id, slug, source.language)
    if draft is None:
        draft = Draft(reader_id=reader.id, exercise=slug, language=source.language)
        session.add(draft)
    draft.source = source.source
    draft.saved_at = now()
    await session.flush()
    return draft


async def reset_draft(session: AsyncSession, reader: Reader, slug: str, language: str) -> Draft | None:
    """Back to the starter; what was there becomes `previous`. None where there is no draft."""
    draft = await queries.draft(session, reader.id, slug, language)
    if draft is not None and draft.source is not None:
        draft.previous, draft.source, draft.saved_at = draft.source, None, now()
    return draft


async def restore_draft(session: AsyncSession, reader: Reader, slug: str, language: str) -> Draft:
    """Swaps the draft and what the last reset put away. Raises NotFound where nothing was put away."""
    draft = await queries.draft(session, reader.id, slug, language)
    if draft is None or draft.previous is None:
        raise NotFound("page", "previous")
    draft.source, draft.previous, draft.saved_at = draft.previous, draft.source, now()
    return draft


async def drafts(session: AsyncSession, reader: Reader | None, slug: str) -> list[Draft]:
    """Drafts of all languages, the one saved last at the end."""
    return list(await queries.drafts(session, reader.id, slug)) if reader else []


async def last_written(session: AsyncSession, reader: Reader) -> tuple[str, datetime] | None:
    """The exercise that the reader last wrote a program for, and when."""
    return await queries.last_written(session, reader.id)


async def help_of(session: AsyncSession, reader: Reader | None, slug: str) -> Help:
    found = await queries.help_of(session, reader.id, slug) if reader else None
    return found or Help(exercise=slug, hints=0)


async def _help_for_change(session: AsyncSession, reader: Reader, slug: str) -> Help:
    found = await queries.help_of(session, reader.id, slug)
    if found is None:
        found = Help(reader_id=reader.id, exercise=slug, hints=0)
        session.add(found)
    return found


async def open_hint(session: AsyncSession, reader: Reader, exercise: ExerciseContent) -> int:
    """Opens the next rung of the ladder: how many are open now."""
    given = await _help_for_change(session, reader, exercise.slug)
    given.hints = min(given.hints + 1, len(exercise.hints["ko"]))
    return given.hints


async def give_up(session: AsyncSession, reader: Reader, exercise: ExerciseContent) -> None:
    given = await _help_for_change(session, reader, exercise.slug)
    given.gave_up_at = given.gave_up_at or now()


async def may_see_solution(session: AsyncSession, reader: Reader | None, slug: str) -> bool:
    """After solving the exercise or giving up."""
    if reader is None:
        return False
    given = await queries.help_of(session, reader.id, slug)
    if given is not None and given.gave_up_at is not None:
        return True
    record = (await submissions.records(session, reader)).get(slug)
    return record is not None and record.solved
