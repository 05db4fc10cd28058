"""Reads an exercise folder into an `Exercise`, or says everything that its author must mend.

The format is described in docs/architecture.md, "An exercise".
"""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from grader.contract.arguments import expression, read_arguments
from grader.contract.case_checks import check_cases
from grader.contract.exercise_types import (
    SLUG,
    TIMED,
    Argument,
    Case,
    Exercise,
    Form,
    Limits,
    ProgramOutput,
    Timing,
    Tolerance,
    Value,
)
from grader.contract.job import LANGUAGES, SUFFIX, Language
from grader.contract.kinds import check_mends, read_kind
from grader.contract.marked_yaml import Section, load_marked
from grader.contract.problems import ContentError, Problem
from grader.contract.reading import read_text
from grader.contract.samples import load_samples
from grader.contract.uses import read_uses

_TOP = (
    "schema",
    "kind",
    "difficulty",
    "symptom",
    "form",
    "title",
    "lesson",
    "languages",
    "function",
    "derived",
    "cases",
    "tolerance",
    "accumulate",
    "limits",
    "timing",
    "uses",
    "program",
)


def list_exercises(root: Path) -> list[Path]:
    """Exercise folders below `root`, in name order: those that hold an exercise.yaml."""
    return sorted(path.parent for path in root.glob("*/exercise.yaml"))


def load_exercise(folder: Path, *, complete: bool = True) -> Exercise:
    """Exercise in `folder`.

    complete: also demand what only readers and authors need (prompts, hints, starters, sample programs).
    Raises ContentError with every problem found, each with file, line and mend.
    """
    if not folder.is_dir():
        problem = Problem(folder, 0, "there is no such exercise folder", "check the name below exercises/")
        raise ContentError([problem])
    document = load_marked(folder / "exercise.yaml")
    exercise = _read(folder, Section(document))
    if not document.problems:
        check_cases(exercise, document)
    texts: dict[str, Any] = _texts(exercise, document.problems) if complete else {}
    if complete:
        texts["samples"] = load_samples(folder, exercise.languages, exercise.cases, document.problems)
        check_mends(exercise, texts["samples"], document.problems)
    if not (folder / "reference.py").is_file() and not _judged_by_lines(exercise):
        mend = "create it with `def reference(inputs, parameters)` (or `expected_stdout` for a program)"
        document.problems.append(Problem(folder / "reference.py", 0, "the file is missing", mend))
    document.finish()
    return replace(exercise, **texts)


def _judged_by_lines(exercise: Exercise) -> bool:
    return exercise.form == "program" and exercise.program.stdout is not None


def _read(folder: Path, top: Section) -> Exercise:
    top.only(*_TOP)
    if top.integer("schema", required=True) != 1 and top.has("schema"):
        top.problem("schema", "only schema 1 is known", "write `schema: 1`")
    if not SLUG.match(folder.name):
        top.problem(None, f"folder name {folder.name!r} is not a slug", "use a-z, 0-9 and hyphens")
    form = cast(Form, top.choice("form", ("function", "program"), "function", required=True))
    function, arguments = _function(top, form)
    tolerance = top.section("tolerance")
    return Exercise(
        slug=folder.name,
        folder=folder,
        form=form,
        title=top.both_languages("title"),
        lesson=top.text("lesson"),
        languages=_languages(top),
        cases=_cases(top),
        function=function,
        arguments=arguments,
        derived=_derived(top),
        tolerance=_tolerance(tolerance) if tolerance else None,
        accumulate=expression(top, "accumulate", top.data["accumulate"]) if top.has("accumulate") else "",
        limits=_limits(top),
        timing=_timing(top, form),
        uses=read_uses(top),
        program=_program(top, form),
        **read_kind(top),
    )


def _function(top: Section, form: Form) -> tuple[str, tuple[Argument, ...]]:
    section = top.section("function")
    if form == "program":
        if section:
            top.problem("function", "a program has no `function:`", "remove it, or write `form: function`")
        return "", ()
    if section is None:
        top.problem("form", "`form: function` needs a `function:`", "add `function: {name: …, arguments: […]}`")
        return "", ()
    section.only("name", "arguments")
    name = section.text("name", required=True)
    if section.has("name") and not name.isidentifier():
        section.problem("name", f"{name!r} is not a function name", "use letters, digits and underscores")
    return name, read_arguments(section)


def _languages(top: Section) -> tuple[Language, ...]:
    names = top.texts("languages", required=True)
    for i, name in enumerate(names):
        if name not in LANGUAGES:
            top.problem("languages", f"unknown language {name!r} (entry {i + 1})", "use cpp, python")
        elif name in names[:i]:
            top.problem("languages", f"{name!r} is listed twice", "list it once")
    if top.has("languages") and not top.data["languages"]:
        top.problem("languages", "no language", "write `languages: [cpp, python]`")
    return tuple(name for name in LANGUAGES if name in names)


def _derived(top: Section) -> dict[str, str]:
    section = top.section("derived")
    if section is None:
        return {}
    for name in section.data:
        if not str(name).isidentifier():
            section.problem(name, f"{name!r} is not a name", "use letters, digits and underscores")
    return {str(name): expression(section, name, text) for name, text in section.data.items()}


def _cases(top: Section) -> tuple[Case, ...]:
    cases: list[Case] = []
    for section in top.sections("cases", required=True):
        section.only("name", "shown", "parameters", "tolerance")
        name = section.text("name", required=True)
        if any(case.name == name for case in cases):
            section.problem("name", f"two cases are called {name!r}", "give each case its own name")
        if name == TIMED:
            section.problem("name", f"{TIMED!r} is what verdicts call the timed runs", "give the case another name")
        tolerance = section.section("tolerance")
        limits = _tolerance(tolerance) if tolerance else None
        cases.append(Case(name, section.truth("shown"), _parameters(section), limits))
    if top.has("cases") and not cases:
        top.problem("cases", "an exercise needs at least one case", "add a case")
    elif cases and not any(case.shown for case in cases):
        top.problem("cases", "no case is shown to learners", "give one case `shown: true`")
    return tuple(cases)


def _parameters(case: Section) -> dict[str, Value]:
    section = case.section("parameters")
    if section is None:
        return {}
    for name, value in section.data.items():
        if not str(name).isidentifier():
            section.problem(name, f"{name!r} is not a parameter name", "use letters, digits and underscores")
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            section.problem(name, f"parameter {name!r} is {value!r}", "give a number or an enumerator's name")
    return {str(name): value for name, value in section.data.items() if isinstance(value, int | float | str)}


def _tolerance(section: Section) -> Tolerance:
    section.only("rtol", "atol")
    tolerance = Tolerance(section.number("rtol", required=True), section.number("atol", required=True))
    if tolerance.rtol < 0 or tolerance.atol < 0:
        section.problem(None, "a tolerance is negative", "give rtol and atol of at least 0")
    return tolerance


def _limits(top: Section) -> Limits:
    section = top.section("limits")
    if section is None:
        return Limits()
    section.only("wall_s", "compile_s", "memory_mib", "output_kib")
    default = Limits()
    limits = Limits(
        wall_s=section.number("wall_s", default.wall_s),
        compile_s=section.number("compile_s", default.compile_s),
        memory_mib=section.integer("memory_mib", default.memory_mib),
        output_kib=section.integer("output_kib", default.output_kib),
    )
    for name in Limits.__slots__:
        if getattr(limits, name) <= 0:
            section.problem(name, f"{name} must be above 0", "remove it to use the default")
    return limits


def _timing(top: Section, form: Form) -> Timing | None:
    section = top.section("timing")
    if section is None:
        return None
    section.only("case", "runs", "warmup")
    if form == "program":
        top.problem("timing", "a program has no timed runs", "remove it, or write `form: function`")
    names = [str(case.data.get("name", "")) for case in top.sections("cases")]
    default = Timing(names[-1] if names else "")
    timing = Timing(
        case=section.text("case") or default.case,
        runs=section.integer("runs", default.runs),
        warmup=section.integer("warmup", default.warmup),
    )
    if timing.case not in names:
        section.problem("case", f"there is no case {timing.case!r}", "name one of `cases:`")
    if not 3 <= timing.runs <= 100:
        section.problem("runs", f"{timing.runs} timed runs", "give 3 to 100")
    if not 0 <= timing.warmup <= 20:
        section.problem("warmup", f"{timing.warmup} calls to warm up", "give 0 to 20")
    return timing


def _program(top: Section, form: Form) -> ProgramOutput:
    section = top.section("program")
    if section is None:
        return ProgramOutput()
    if form != "program":
        top.problem("program", "only `form: program` has a `program:`", "remove it, or write `form: program`")
    section.only("stdout", "compare")
    compare = section.choice("compare", ("exact", "tokens", "numbers"), "exact")
    lines = section.texts("stdout") if section.has("stdout") else None
    return ProgramOutput(lines, cast(Any, compare))


def split_rungs(text: str) -> list[tuple[int, str]]:
    """Rungs of a hints file with the line, from 1, in which each begins; none in an empty file."""
    rungs: list[tuple[int, str]] = []
    line = 1
    for part in re.split(r"(?m)^---[ \t]*$", text) if text.strip() else ():
        body = part.lstrip("\n")
        rungs.append((line + part.count("\n") - body.count("\n"), body.rstrip()))
        line += part.count("\n")
    return rungs


def _texts(exercise: Exercise, problems: list[Problem]) -> dict[str, Any]:
    def read(name: str) -> str:
        path = exercise.folder / name
        text = read_text(path, problems)
        if text is not None and not text.strip():
            problems.append(Problem(path, 1, "the file is empty", "write its text"))
        return text or ""

    rungs = {lang: [text for _, text in split_rungs(read(f"hints.{lang}.md"))] for lang in ("ko", "en")}
    few, many = sorted(("ko", "en"), key=lambda lang: len(rungs[lang]))
    if rungs[few] and len(rungs[few]) < len(rungs[many]):
        message = f"{len(rungs[few])} hint rungs; hints.{many}.md has {len(rungs[many])}"
        mend = "give both languages the same rungs; a line `---` separates two"
        problems.append(Problem(exercise.folder / f"hints.{few}.md", 1, message, mend))
    explained = ("ko", "en") if exercise.kind == "clinic" else ()
    return {
        "explanations": {lang: read(f"explanation.{lang}.md") for lang in explained},
        "prompts": {lang: read(f"prompt.{lang}.md") for lang in ("ko", "en")},
        "hints": {lang: tuple(text.strip() for text in texts) for lang, texts in rungs.items()},
        "starters": {language: read(f"starter{SUFFIX[language]}") for language in exercise.languages},
    }
