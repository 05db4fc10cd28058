"""JSON of submissions (docs/pages.md)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from app.i18n.locales import Lang
from app.i18n.sentences import row_sentence
from app.submissions.models import Submission
from grader.contract.job import Language


class SourceIn(BaseModel):
    """Code as a browser sends it. Its size is checked by the service, which names limit and size."""

    model_config = ConfigDict(extra="forbid", strict=True)

    language: Language
    source: str


@dataclass(frozen=True, slots=True)
class SubmissionRow:
    id: str
    exercise: str
    language: str
    status: str
    code: str
    sentence: str
    backend: str
    passed: int
    total: int
    attempt: int
    created_at: datetime
    finished_at: datetime | None
    url: str


def row(submission: Submission, lang: Lang) -> SubmissionRow:
    detail: dict[str, Any] = submission.detail or {}
    sentence = row_sentence(submission.code, lang, detail, submission.passed, submission.total)
    page = f"/{lang}/exercises/{submission.exercise}?submission={submission.id}" if submission.exercise else ""
    return SubmissionRow(
        id=submission.id,
        exercise=submission.exercise,
        language=submission.language,
        status=submission.status,
        code=submission.code,
        sentence=sentence,
        backend=submission.backend,
        passed=submission.passed,
        total=submission.total,
        attempt=submission.attempt,
        created_at=submission.created_at,
        finished_at=submission.finished_at,
        url=page,
    )
