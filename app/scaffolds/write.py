"""Copies the files of a scaffold into place, with the names filled in."""

import re
from pathlib import Path

from app.content.lesson import digest
from grader.contract.exercise_types import SLUG
from grader.contract.marked_yaml import load_marked
from grader.contract.problems import ContentError, Problem

HERE = Path(__file__).parent
SUFFIX = ".tmpl"
"""Scaffold files end in it, so that no tool takes them for content or code of ours."""
STEP = 10


def _copy(source: Path, target: Path, names: dict[str, str]) -> list[Path]:
    written: list[Path] = []
    for file in sorted(source.rglob(f"*{SUFFIX}")):
        text = file.read_text(encoding="utf-8")
        for name, value in names.items():
            text = text.replace(f"@{name}@", value)
        place = target / file.relative_to(source).with_suffix("")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        written.append(place)
    return written


def _refuse(file: Path, message: str, mend: str) -> ContentError:
    return ContentError([Problem(file, 0, message, mend)])


def new_lesson(root: Path, slug: str, section: str) -> list[Path]:
    """Writes `NNN-slug/` after the last lesson and lists it in course.yaml. Raises ContentError, writing nothing."""
    if not SLUG.match(slug):
        raise _refuse(root, f"{slug!r} is not a slug", "use a-z, 0-9 and hyphens")
    folders = [path.name for path in root.glob("[0-9][0-9][0-9]-*")]
    if any(name[4:] == slug for name in folders):
        raise _refuse(root / slug, "this lesson exists", "choose another slug")
    course = root / "course.yaml"
    changed = _listed(course, slug, section)
    number = max((int(name[:3]) for name in folders), default=0) // STEP * STEP + STEP
    source = digest((HERE / "lesson" / f"en.md{SUFFIX}").read_text(encoding="utf-8"))
    written = _copy(HERE / "lesson", root / f"{number:03d}-{slug}", {"slug": slug, "source": source})
    course.write_text(changed, encoding="utf-8")
    return [*written, course]


def _listed(course: Path, slug: str, section: str) -> str:
    """Text of course.yaml with the lesson at the end of the section; comments and layout stay."""
    document = load_marked(course)
    sections = document.data.get("sections", [])
    known = [str(entry.get("slug")) for entry in sections]
    if section not in known:
        raise _refuse(course, f"there is no section {section!r}", f"use one of: {', '.join(known)}")
    index = known.index(section)
    count = len(sections[index].get("lessons", []))
    lines = course.read_text(encoding="utf-8").splitlines(keepends=True)
    if not count:
        raise _refuse(course, f"section {section!r} has no lesson to write behind", f"add {slug!r} to it by hand")
    at = document.lines["sections", index, "lessons", count - 1] - 1
    item = re.match(r"^(\s*-\s+)[\w-]+\s*$", lines[at])
    if item:
        lines.insert(at + 1, f"{item[1]}{slug}\n")
    else:
        place = lines[at].rindex("]")
        lines[at] = f"{lines[at][:place]}, {slug}{lines[at][place:]}"
    return "".join(lines)


def new_exercise(root: Path, slug: str, lesson: str) -> list[Path]:
    """Writes `slug/`: an exercise that is solvable and checked as it stands. Raises ContentError, writing nothing."""
    if not SLUG.match(slug):
        raise _refuse(root, f"{slug!r} is not a slug", "use a-z, 0-9 and hyphens")
    if (root / slug).exists():
        raise _refuse(root / slug, "this exercise exists", "choose another slug")
    return _copy(HERE / "exercise", root / slug, {"slug": slug, "lesson": lesson})


def new_clinic(root: Path, slug: str, lesson: str) -> list[Path]:
    """Writes `slug/`: a case of the clinic that is checked as it stands. Raises ContentError, writing nothing."""
    written = new_exercise(root, slug, lesson)
    written += _copy(HERE / "clinic", root / slug, {"slug": slug, "lesson": lesson})
    broken = root / slug / "solutions" / "wrong" / "elements-for-bytes.cpp"
    broken.unlink()  # what the case begins with is no mend of it
    return sorted({*written} - {broken})
