"""Proves an exercise: every accepted solution passes, every wrong program gets the verdict that it declares."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from grader.backends import find_backend
from grader.checkers.api_trace import known_uses
from grader.contract.codes import Code
from grader.contract.exercise import list_exercises, load_exercise
from grader.contract.exercise_types import Exercise, Sample
from grader.contract.job import SUFFIX, BackendName, Job
from grader.contract.problems import ContentError, Problem
from grader.contract.verdict import Verdict
from grader.grade import grade
from grader.workshop import Workshop


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a sample program got. complaint is empty where it is as declared."""

    sample: Sample
    complaint: str
    starter: bool = False


def complaint(sample: Sample, verdict: Verdict) -> str:
    """What differs between declaration and verdict; "" where nothing does."""
    on_gpu = verdict.backend is not None and verdict.backend.name == "gpu"
    declared = sample.on_gpu if on_gpu and sample.on_gpu is not None else sample.code
    if verdict.code is not declared:
        detail = f" in case {verdict.first_failed!r}" if verdict.first_failed else ""
        return f"declared {declared}, got {verdict.code}{detail}: {verdict.data or _first_difference(verdict)}"
    if sample.case and sample.case != verdict.first_failed:
        return f"declared to fail first in case {sample.case!r}, failed in {verdict.first_failed!r}"
    rules = {finding.rule for finding in verdict.findings}
    if sample.rule and declared is not Code.ACCEPTED and sample.rule not in rules:
        return f"declared to break rule {sample.rule!r}, broke {sorted(rules) or 'none'}"
    patterns = {output.pattern for case in verdict.cases for output in case.outputs if output.pattern}
    if sample.pattern and sample.pattern not in patterns:
        return f"declared to show pattern {sample.pattern!r}, showed {sorted(patterns) or 'none'}"
    if sample.code is Code.ACCEPTED and (broken := [f.rule for f in verdict.findings if f.severity != "info"]):
        return f"accepted, but breaks {', '.join(sorted(set(broken)))}"
    return ""


def _first_difference(verdict: Verdict) -> str:
    for case in verdict.cases:
        for output in case.outputs:
            if output.bad:
                return f"{output.name}: {output.bad} of {output.count} wrong, largest difference {output.max_abs_err:g}"
    return "; ".join(d.message for d in verdict.diagnostics[:3])


def starters(exercise: Exercise) -> list[Sample]:
    """What learners begin with: it runs, and is not accepted."""
    files = {language: exercise.folder / f"starter{SUFFIX[language]}" for language in exercise.starters}
    return [Sample(file, language, Code.WRONG_ANSWER, why="a starter") for language, file in files.items()]


def starter_complaint(verdict: Verdict) -> str:
    match verdict.code:
        case Code.ACCEPTED:
            return "the starter is accepted as it stands"
        case Code.COMPILE_ERROR | Code.GRADER_FAULT:
            return f"the starter gets {verdict.code}: {verdict.data or _first_difference(verdict)}"
        case _:
            return ""


def mend(outcome: Outcome) -> str:
    """How an author mends what the complaint says."""
    if "grader_fault" in outcome.complaint:
        return "mend reference.py or exercise.yaml: the grader could not judge"
    if outcome.starter:
        return "leave out what learners are to write; the rest must compile"
    if outcome.sample.code is Code.ACCEPTED:
        return "mend the program, or the case, tolerance or rule that rejects it"
    if "got accepted" in outcome.complaint:
        return "add a case that this mistake fails"
    return "mend the program, or declare in its first lines what it gets"


def run_starter(slug: str, sample: Sample, workshop: Workshop, backend: BackendName) -> Outcome:
    try:
        source = sample.path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return Outcome(sample, f"cannot be read: {error}", starter=True)
    job = Job(sample.path.name, sample.language, source, slug, backend=backend)
    return Outcome(sample, starter_complaint(grade(job, lambda _: None, workshop)), starter=True)


def run_sample(slug: str, sample: Sample, workshop: Workshop, backend: BackendName) -> Outcome:
    try:
        source = sample.path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return Outcome(sample, f"cannot be read: {error}")
    job = Job(sample.path.name, sample.language, source, slug, backend=backend)
    return Outcome(sample, complaint(sample, grade(job, lambda _: None, workshop)))


def verify(root: Path, slugs: list[str], backend: BackendName, processes: int = 2) -> int:
    """Prints each complaint and a last line of totals. 0 where every sample is as declared, else 1."""
    folders = [root / slug for slug in slugs] if slugs else list_exercises(root)
    samples: list[tuple[str, Sample]] = []
    broken = 0
    for folder in folders:
        try:
            exercise = load_exercise(folder)
            check_uses(exercise)
            samples += [(folder.name, sample) for sample in (*exercise.samples, *starters(exercise))]
        except ContentError as error:
            broken += 1
            print(error)
    workshops = [Workshop(root, slot=slot) for slot in range(processes)]
    begin = time.monotonic()
    outcomes = _run_all(samples, workshops, backend)
    spent = time.monotonic() - begin
    accepted = [o for o in outcomes if o.sample.code is Code.ACCEPTED]
    wrong = [o for o in outcomes if o.sample.code is not Code.ACCEPTED and not o.starter]
    begun = [o for o in outcomes if o.starter]
    good = [sum(not o.complaint for o in group) for group in (accepted, wrong, begun)]
    if broken:
        print(f"{broken} exercises cannot be loaded")
    ran_on = find_backend(backend).info.name
    print(f"graded: {len(outcomes)} programs in {spent:.0f} s, {processes} at a time, backend {ran_on}")
    print(f"starters: {good[2]} of {len(begun)} run and are not accepted")
    print(f"verified: {good[0]} of {len(accepted)} accepted, {good[1]} of {len(wrong)} rejected as declared")
    return 0 if not broken and sum(good) == len(outcomes) and outcomes else 1


def check_uses(exercise: Exercise) -> None:
    """Raises ContentError for a word in `uses` that is neither a function nor a rule."""
    known = known_uses()
    words = [word for word in (*exercise.uses.required, *exercise.uses.advised) if word.islower() and word not in known]
    file = exercise.folder / "exercise.yaml"
    if words:
        mend = f"use a function's name, or one of: {', '.join(sorted(known))}"
        raise ContentError([Problem(file, 0, f"unknown rule {word!r} in `uses`", mend) for word in words])


def _shown(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _run_all(samples: list[tuple[str, Sample]], workshops: list[Workshop], backend: BackendName) -> list[Outcome]:
    free = list(workshops)

    def run(item: tuple[str, Sample]) -> Outcome:
        workshop = free.pop()
        try:
            judge = run_starter if item[1].path.stem == "starter" else run_sample
            outcome = judge(item[0], item[1], workshop, backend)
            if outcome.complaint:
                where = f"{_shown(outcome.sample.path)}:1"
                print(f"{where}: {outcome.complaint}\n    mend: {mend(outcome)}", flush=True)
            return outcome
        finally:
            free.append(workshop)

    with ThreadPoolExecutor(min(len(workshops), os.cpu_count() or 1)) as executor:
        return list(executor.map(run, samples))
