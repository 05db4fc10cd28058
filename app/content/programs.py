"""Looks at the programs and hints of an exercise without running them; `python -m grader verify` runs them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from app.content.markdown import code
from grader.contract.codes import Code
from grader.contract.exercise import split_rungs
from grader.contract.exercise_types import Exercise, Sample
from grader.contract.job import SUFFIX, Language
from grader.contract.problems import Problem
from grader.contract.reading import read_text

RUNGS = 3
"""Fewest hints: a nudge, the idea, nearly the code."""
WRONG = 3
"""Fewest wrong programs in each language."""
COMMENT = re.compile(r"//[^\n]*|#(?!\s*include)[^\n]*|/\*.*?\*/", re.DOTALL)
FENCE = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def check_programs(exercise: Exercise) -> Iterator[Problem]:
    yield from _reference(exercise)
    yield from _starters(exercise)
    yield from _samples(exercise)
    yield from _hints(exercise)


def _reference(exercise: Exercise) -> Iterator[Problem]:
    file = exercise.folder / "reference.py"
    if not file.is_file():
        return
    source, problems = _source(file)
    yield from problems
    if problems:
        return
    wanted = "reference" if exercise.form == "function" else "expected_stdout"
    defined = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    if wanted not in defined and not (wanted == "expected_stdout" and exercise.program.stdout is not None):
        signature = "reference(inputs, parameters)" if wanted == "reference" else "expected_stdout(parameters)"
        yield Problem(file, 1, f"there is no function {wanted!r}", f"add `def {signature}`")
    elif wanted == "reference" and len(defined[wanted].args.args) != 2:
        yield Problem(
            file, defined[wanted].lineno, "reference takes two arguments", "write `def reference(inputs, parameters)`"
        )


def _source(file: Path) -> tuple[str, list[Problem]]:
    """A Python file and what keeps it from being parsed."""
    problems: list[Problem] = []
    source = read_text(file, problems) or ""
    if error := code.python_error(source):
        problems.append(Problem(file, error[0], f"not valid Python: {error[1]}", "mend it, then run it once"))
    return source, problems


def _starters(exercise: Exercise) -> Iterator[Problem]:
    accepted = {_bare(s.path.read_text("utf-8", "replace")): s for s in exercise.samples if s.code is Code.ACCEPTED}
    for language, source in exercise.starters.items():
        file = exercise.folder / f"starter{SUFFIX[language]}"
        yield from _signature(exercise, file, language)
        if same := accepted.get(_bare(source)):
            mend = "leave out what learners are to write"
            yield Problem(file, 1, f"the starter is the accepted solution {same.path.name}", mend)


def _signature(exercise: Exercise, file: Path, language: Language) -> Iterator[Problem]:
    """A program can be parsed, and defines the function that is called with its arguments in order."""
    if language == "python":
        source, problems = _source(file)
        yield from problems
        if not problems and exercise.form == "function":
            yield from _python_function(exercise, file, source)
    elif exercise.form == "function":
        problems = []
        source = read_text(file, problems) or ""
        yield from problems
        if not problems and not re.search(rf"\b{exercise.function}\b", COMMENT.sub("", source)):
            mend = f"define {exercise.function} as the exercise's page declares it"
            yield Problem(file, 1, f"does not define {exercise.function!r}", mend)


def _python_function(exercise: Exercise, file: Path, source: str) -> Iterator[Problem]:
    names = [argument.name for argument in exercise.arguments]
    mend = f"write `def {exercise.function}({', '.join(names)}):`"
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    found = next((function for function in functions if function.name == exercise.function), None)
    if found is None:
        if not re.search(rf"\b{exercise.function}\s*=", source):
            yield Problem(file, 1, f"does not define {exercise.function!r}", mend)
    elif not found.args.vararg and len(found.args.args) != len(names):
        yield Problem(file, found.lineno, f"{exercise.function!r} takes other arguments", mend)


def _samples(exercise: Exercise) -> Iterator[Problem]:
    seen: dict[str, Sample] = {}
    for sample in exercise.samples:
        if sample.code is Code.ACCEPTED:
            yield from _signature(exercise, sample.path, sample.language)
        elif sample.language == "python" and sample.code is not Code.COMPILE_ERROR:
            yield from _source(sample.path)[1]
        bare = _bare(sample.path.read_text("utf-8", "replace"))
        if other := seen.get(bare):
            yield Problem(sample.path, 1, f"the same program as {other.path.name}", "remove it, or show another way")
        seen[bare] = sample
    for language in exercise.languages:
        wrong = sum(sample.language == language and sample.code is not Code.ACCEPTED for sample in exercise.samples)
        if wrong < WRONG and exercise.kind != "clinic":  # whose mends the contract counts
            mend = f"add solutions/wrong/<name>{SUFFIX[language]}: mistakes that learners make"
            message = f"{wrong} wrong {language} programs, at least {WRONG} are needed"
            yield Problem(exercise.folder / "solutions" / "wrong", 0, message, mend)


def _bare(source: str) -> str:
    """A program without comments and spacing."""
    return "".join(COMMENT.sub("", source).split())


def _hints(exercise: Exercise) -> Iterator[Problem]:
    for lang in exercise.hints:
        file = exercise.folder / f"hints.{lang}.md"
        rungs = split_rungs(file.read_text("utf-8", "replace"))
        if len(rungs) < RUNGS:
            mend = "write a nudge, the idea, then nearly the code; a line `---` separates two"
            yield Problem(file, 1, f"{len(rungs)} hints, at least {RUNGS} are needed", mend)
        for line, text in rungs:
            if not text.strip():
                yield Problem(file, line, "an empty hint", "write it, or take a `---` away")
            for shown in FENCE.findall(text):
                if whole := _gives_away(exercise, shown):
                    message = f"the hint shows the whole of {whole.path.name}"
                    yield Problem(file, line, message, "leave the deciding line to the learner")


def _gives_away(exercise: Exercise, shown: str) -> Sample | None:
    """The accepted program of which a hint's code has all that is not in the starter too."""
    hinted = _statements(shown)
    for sample in exercise.samples:
        if sample.code is Code.ACCEPTED:
            own = _statements(sample.path.read_text("utf-8", "replace"))
            own -= _statements(exercise.starters.get(sample.language, ""))
            if own and own <= hinted:
                return sample
    return None


def _statements(source: str) -> set[str]:
    lines = (_bare(line) for line in COMMENT.sub("", source).split("\n"))
    return {line for line in lines if len(line) > 2}
