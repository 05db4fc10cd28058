"""Reads course.yaml and glossary.yaml."""

from pathlib import Path

from app.content.model import Course, Section, Term, Texts
from app.content.pairs import both
from grader.contract.exercise_types import SLUG
from grader.contract.marked_yaml import Section as Yaml
from grader.contract.marked_yaml import load_marked
from grader.contract.problems import ContentError, Problem


def load_course(file: Path) -> tuple[Course, list[Problem]]:
    """The course, empty where the file cannot be read, and what is wrong with it."""
    try:
        document = load_marked(file)
    except ContentError as error:
        return Course({"ko": "", "en": ""}, ()), error.problems
    top = Yaml(document)
    top.only("title", "sections")
    sections: list[Section] = []
    seen: set[str] = set()
    for entry in top.sections("sections", required=True):
        entry.only("slug", "title", "lessons")
        lessons = entry.texts("lessons", required=True)
        for slug in lessons:
            if slug in seen:
                entry.problem("lessons", f"lesson {slug!r} is listed twice", "list it once")
            seen.add(slug)
        name = entry.text("slug", required=True)
        if any(section.slug == name for section in sections):
            entry.problem("slug", f"two sections are called {name!r}", "give each its own slug")
        sections.append(Section(name, both(entry, "title"), lessons))
    return Course(both(top, "title"), tuple(sections)), document.problems


def load_glossary(file: Path) -> tuple[dict[str, Term], list[Problem]]:
    try:
        document = load_marked(file)
    except ContentError as error:
        return {}, error.problems
    top = Yaml(document)
    top.only("terms")
    terms: dict[str, Term] = {}
    for entry in top.sections("terms", required=True):
        entry.only("id", "ko", "en", "definition")
        name = entry.text("id", required=True)
        if name and not SLUG.match(name):
            entry.problem("id", f"{name!r} is no id", "use a-z, 0-9 and hyphens")
        if name in terms:
            entry.problem("id", f"the term {name!r} is defined twice", "keep one of them")
        names: Texts = {"ko": entry.text("ko", required=True), "en": entry.text("en", required=True)}
        for lang, text in names.items():
            if other := next((term.id for term in terms.values() if text and term.name[lang] == text), ""):
                entry.problem(lang, f"{text!r} is also the name of the term {other!r}", "name one of them differently")
        line = document.line(entry.path)
        terms[name] = Term(name, names, both(entry, "definition"), line)
    return terms, document.problems
