"""Everything about content that a page can be shown in spite of, and that `forwardpass check` complains of."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from app.content.files import check_exercise_files, check_language, check_lesson_files, check_pairs, check_saved
from app.content.model import Content
from app.content.programs import check_programs
from app.content.quiz_checks import check_quiz
from app.content.relations import check_anchors, check_exercise, check_lesson
from app.content.settings_checks import check_settings
from app.content.statuses import check_statuses
from app.i18n.locales import LANGS, Lang
from grader.contract.problems import Problem


def review(content: Content, lessons: Path, exercises: Path) -> list[Problem]:
    """Problems of what could be loaded, and of how all files are saved, in the order of the files."""
    found = [*check_saved(_files(lessons)), *check_saved(_files(exercises)), *_languages((lessons, exercises))]
    texts = {file: lang for root in (lessons, exercises) for file, lang in _texts(root)}
    found += check_anchors(content, texts)
    for lesson in content.good_lessons():
        found += [*check_lesson(content, lesson), *check_quiz(lesson), *check_lesson_files(lesson.folder)]
    for exercise in content.good_exercises():
        found += check_exercise(content, exercise)
        found += [*check_programs(exercise.exercise), *check_settings(exercise.exercise)]
        found += check_exercise_files(exercise.exercise.folder, exercise.exercise.kind)
    return sorted(dict.fromkeys(found), key=lambda problem: (str(problem.file), problem.line))


def _files(root: Path) -> Iterator[Path]:
    return (path for path in sorted(root.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)


def _texts(root: Path) -> Iterator[tuple[Path, Lang]]:
    """Markdown files of one language, `ko.md` and `prompt.ko.md`."""
    for file in _files(root):
        for lang in LANGS:
            if file.name == f"{lang}.md" or file.name.endswith(f".{lang}.md"):
                yield file, lang


def _languages(roots: Iterable[Path]) -> Iterator[Problem]:
    for root in roots:
        for file in _files(root):
            if file.suffix in (".yaml", ".md"):
                yield from check_statuses(file)
            if file.suffix == ".yaml":
                yield from check_pairs(file)
        for file, lang in _texts(root):
            yield from check_language(file, lang)
