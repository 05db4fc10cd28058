"""Command line of the grader. Exit status: 0 graded, whatever the verdict; 1 a check failed; 2 unusable arguments."""

import argparse
import itertools
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from grader import paths
from grader.contract.exercise_types import Exercise
from grader.contract.job import LANGUAGES, MAX_SOURCE_BYTES, SUFFIX, Job, Language
from grader.contract.problems import ContentError
from grader.contract.verdict import Event
from grader.summary import describe


def main(arguments: list[str]) -> int:
    if arguments and arguments[0] in COMMANDS:
        return COMMANDS[arguments[0]](arguments[1:])
    return _grade(arguments)


def _grade(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m grader",
        description="Grade one file: python -m grader exercises/<slug> FILE. Other commands: " + ", ".join(COMMANDS),
    )
    parser.add_argument("exercise", type=Path, help="exercise folder, e.g. exercises/convolve-forward")
    parser.add_argument("file", type=Path, help="a .cpp or .py file")
    parser.add_argument("--backend", choices=("auto", "simulated", "gpu"), default="auto")
    parser.add_argument("--json", action="store_true", help="print the worker's JSON, one event a line")
    parser.add_argument("--seed", type=int, help="of the random inputs, to repeat a run")
    options = parser.parse_args(arguments)
    from grader.grade import grade
    from grader.workshop import Workshop

    workshop = Workshop(options.exercise.resolve().parent)
    try:
        exercise = workshop.exercise(options.exercise.resolve().name)
        job = _job(options, exercise)
    except (ContentError, ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    numbers = itertools.count(1)

    def emit(event: Event) -> None:
        if options.json:
            print(json.dumps(event.message(job, next(numbers)), ensure_ascii=False, allow_nan=False), flush=True)

    say_why_not_gpu(options.backend)
    verdict = grade(job, emit, workshop)
    if not options.json:
        print(describe(verdict))
    return 0


def say_why_not_gpu(backend: str) -> None:
    """On standard error, where `auto` has to take the simulator."""
    from grader.backends import why_not_gpu

    if backend == "auto" and (reason := why_not_gpu()):
        print(f"simulated backend: {reason}", file=sys.stderr)


def _job(options: argparse.Namespace, exercise: Exercise) -> Job:
    """Raises ValueError naming what is wrong with the file."""
    language: Language | None = next((name for name in LANGUAGES if SUFFIX[name] == options.file.suffix), None)
    if language not in exercise.languages:
        names = ", ".join(f"*{SUFFIX[name]}" for name in exercise.languages)
        raise ValueError(f"{options.file}: this exercise takes {names}")
    data = options.file.read_bytes()
    if len(data) > MAX_SOURCE_BYTES:
        raise ValueError(f"{options.file}: {len(data)} bytes, at most {MAX_SOURCE_BYTES} are taken")
    try:
        source = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{options.file}: not UTF-8: {error}") from None
    return Job("local", language, source, exercise.slug, backend=options.backend, seed=options.seed)


def _worker(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m grader worker")
    parser.add_argument("--socket", type=Path, help="serve on this Unix socket instead of standard input and output")
    parser.add_argument("--slots", type=int, default=max(1, min(4, (os.cpu_count() or 2) // 2)), help="jobs at a time")
    parser.add_argument("--pool", type=int, default=2, help="sandboxes kept ready for each language; 0: none")
    parser.add_argument("--exercises", type=Path, default=paths.ROOT / "exercises")
    parser.add_argument("--draft-load", type=float, help="load average above which drafts are not compiled ahead")
    parser.add_argument("--draft-priority", choices=["low", "normal"], default="low", help="low: niceness 19")
    options = parser.parse_args(arguments)
    from grader.serve import Serving, serve_socket, serve_stdio

    exercises = options.exercises.resolve()
    serving = Serving(options.slots, exercises, options.pool, options.draft_load, options.draft_priority)
    return serve_socket(options.socket, serving) if options.socket else serve_stdio(serving)


def _verify(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m grader verify")
    parser.add_argument("slug", nargs="*", help="exercises to verify; none: all")
    parser.add_argument("--backend", choices=("auto", "simulated", "gpu"), default="auto")
    parser.add_argument("--exercises", type=Path, default=paths.ROOT / "exercises")
    parser.add_argument("--jobs", type=int, default=2, help="programs at a time (default: 2)")
    options = parser.parse_args(arguments)
    from grader.backends import BackendUnavailableError, find_backend
    from grader.verify import verify

    say_why_not_gpu(options.backend)
    try:
        find_backend(options.backend)
    except BackendUnavailableError as error:
        print(f"verify: {error}; {error.mend}", file=sys.stderr)
        return 1
    return verify(options.exercises.resolve(), options.slug, options.backend, options.jobs)


def _env(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m grader env", description="What this machine can enforce.")
    parser.add_argument("--lang", choices=("ko", "en"), default=_language(), help="default: from LC_ALL or LANG")
    options = parser.parse_args(arguments)
    from grader.environment import check_environment, report

    checks = check_environment()
    print("\n".join(report(checks, options.lang)))
    return 0 if all(check.ok for check in checks if check.needed) else 1


def _language() -> str:
    """The language of the terminal, as far as we speak it: Korean where the locale says so, else English."""
    locale = next(filter(None, (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return "ko" if locale.startswith("ko") else "en"


def _native(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m grader native")
    parser.add_argument("action", choices=("build",))
    parser.parse_args(arguments)
    from grader.native.build import build

    return build()


COMMANDS: dict[str, Callable[[list[str]], int]] = {"worker": _worker, "verify": _verify, "env": _env, "native": _native}
