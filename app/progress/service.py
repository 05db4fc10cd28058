"""Progress: kept for lessons, and gathered from quizzes and submissions."""

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import Reader
from app.content.model import Broken, Content, Lesson
from app.db import now
from app.errors import NotFound, Refusal
from app.exercises import service as exercises
from app.progress import queries
from app.progress.models import LessonProgress
from app.quizzes import service as quizzes
from app.submissions import service as submissions
from app.views import Progress


def find_lesson(content: Content, slug: str) -> Lesson:
    """Raises NotFound; Refusal 500 where the lesson is broken."""
    lesson = content.lessons.get(slug)
    if lesson is None:
        raise NotFound("lesson", slug)
    if isinstance(lesson, Broken):
        raise Refusal(500, "broken_content")
    return lesson


async def of(session: AsyncSession, reader: Reader | None) -> Progress:
    if reader is None:
        return Progress()
    lessons = await queries.of_reader(session, reader.id)
    records = await submissions.records(session, reader)
    written = await exercises.last_written(session, reader)
    return Progress(
        read=frozenset(lesson.lesson for lesson in lessons if lesson.read_at is not None),
        attempted=frozenset(slug for slug, record in records.items() if slug and record.attempts),
        solved=frozenset(slug for slug, record in records.items() if record.solved),
        right=await quizzes.right_by_lesson(session, reader),
        resume=(lessons[0].lesson, lessons[0].heading) if lessons else None,
        writing=written[0] if written and (not lessons or written[1] > lessons[0].visited_at) else None,
    )


async def _visit(session: AsyncSession, reader: Reader, slug: str) -> LessonProgress:
    progress = await queries.get(session, reader.id, slug)
    if progress is None:
        progress = LessonProgress(reader_id=reader.id, lesson=slug)
        session.add(progress)
    progress.visited_at = now()
    return progress


async def mark_read(session: AsyncSession, reader: Reader, slug: str) -> None:
    progress = await _visit(session, reader, slug)
    progress.read_at = progress.read_at or now()


async def keep_place(session: AsyncSession, reader: Reader, slug: str, heading: str) -> None:
    progress = await _visit(session, reader, slug)
    progress.heading = heading
