"""Every table, in one place to import: migrations and tests need them all known."""

from app.accounts.models import Reader
from app.exercises.models import Draft, Help
from app.leaderboard.models import BestTime, BoardName
from app.progress.models import LessonProgress
from app.quizzes.models import QuizAnswer
from app.submissions.models import Submission, SubmissionEvent

__all__ = [
    "BestTime",
    "BoardName",
    "Draft",
    "Help",
    "LessonProgress",
    "QuizAnswer",
    "Reader",
    "Submission",
    "SubmissionEvent",
]
