"""Looks at exercise.yaml for what can be read and does not make sense: words without a rule, cases twice, odd names."""

import keyword
import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import cache
from math import prod

from app.i18n import messages
from grader.contract.api import load_api
from grader.contract.codes import Code
from grader.contract.exercise_types import FILLS, Exercise
from grader.contract.expressions import ExpressionError, evaluate, names_in
from grader.contract.marked_yaml import Document, load_marked
from grader.contract.problems import Problem
from grader.contract.removed import INSTEAD
from grader.contract.samples import header, unknown_keys

CPP = """alignas alignof and asm auto bool break case catch char class const constexpr continue default delete do double
else enum explicit export extern false float for friend goto if inline int long mutable namespace new not nullptr
operator or private protected public register return short signed sizeof static struct switch template this throw
true try typedef typeid typename union unsigned using virtual void volatile while xor"""
CPP_WORDS = frozenset(CPP.split())
IN_FILLS = frozenset({"shape", "np", "rng"})
BYTES = {"float64": 8, "int64": 8, "float32": 4, "int32": 4, "float16": 2, "bfloat16": 2}
WORDS = re.compile(r"[A-Za-z_]\w*")


def check_settings(exercise: Exercise) -> Iterator[Problem]:
    document = load_marked(exercise.folder / "exercise.yaml")

    def problem(path: tuple[str | int, ...], message: str, mend: str) -> Problem:
        return Problem(document.file, document.line(path), message, mend)

    yield from _names(exercise, problem)
    yield from _cases(exercise, problem)
    yield from _uses(exercise, problem)
    yield from _declarations(exercise, document)


Note = Callable[[tuple[str | int, ...], str, str], Problem]


def _names(exercise: Exercise, problem: Note) -> Iterator[Problem]:
    named: list[tuple[tuple[str | int, ...], str]] = [(("function", "name"), exercise.function)]
    named += [(("function", "arguments", i, "name"), a.name) for i, a in enumerate(exercise.arguments)]
    for path, name in named:
        if name in CPP_WORDS or keyword.iskeyword(name):
            yield problem(path, f"{name!r} is a word of C++ or Python itself", "take another name")
    for i, argument in enumerate(exercise.arguments):
        if argument.fill and argument.fill not in FILLS and argument.is_array:
            known = {*exercise.cases[0].parameters, *exercise.derived, *IN_FILLS}
            if strange := sorted(names_in(argument.fill) - known):
                mend = f"use one of: {', '.join(FILLS)}; or an expression over {', '.join(sorted(known))}"
                yield problem(("function", "arguments", i, "fill"), f"unknown fill {strange[0]!r}", mend)


def _cases(exercise: Exercise, problem: Note) -> Iterator[Problem]:
    read = _read_names(exercise)
    seen: dict[str, str] = {}
    for i, case in enumerate(exercise.cases):
        for name in case.parameters if exercise.form == "function" else ():
            if name not in read:
                mend = "remove it, or use it in a shape, a scalar or reference.py"
                yield problem(("cases", i, "parameters", name), f"the parameter {name!r} is never used", mend)
        same = repr((sorted(case.parameters.items()), case.tolerance))
        if other := seen.get(same):
            yield problem(("cases", i), f"case {case.name!r} has the parameters of {other!r}", "change them")
        seen[same] = case.name
        needed = _bytes(exercise, i) >> 20
        if needed > exercise.limits.memory_mib:
            mend = "use smaller sizes, or raise `limits: {memory_mib: …}`"
            yield problem(("cases", i), f"the arrays of case {case.name!r} take {needed} MiB", mend)
        if case.tolerance and case.tolerance.rtol >= 1:
            yield problem(("cases", i, "tolerance"), "a relative tolerance of 1 accepts 0 everywhere", "give less")
    if exercise.tolerance and exercise.tolerance.rtol >= 1:
        yield problem(("tolerance", "rtol"), "a relative tolerance of 1 accepts 0 everywhere", "give less")
    for name in exercise.derived:
        if name not in read:
            yield problem(("derived", name), f"{name!r} is never used", "remove it")


def _read_names(exercise: Exercise) -> set[str]:
    """Every name that shapes, scalars, fills, lines and reference.py read."""
    texts = [exercise.accumulate, *exercise.derived.values(), *(exercise.program.stdout or ())]
    for argument in exercise.arguments:
        texts += [argument.value, argument.fill, *argument.shape]
    reference = exercise.folder / "reference.py"
    texts.append(reference.read_text("utf-8", "replace") if reference.is_file() else "")
    return set(WORDS.findall(" ".join(texts)))


def _bytes(exercise: Exercise, index: int) -> int:
    """Bytes of all arrays of a case; 0 where a size cannot be computed, which has been noted."""
    try:
        values = exercise.values(exercise.cases[index])
        shapes = [[evaluate(size, values) for size in a.shape] for a in exercise.arguments if a.is_array]
    except ExpressionError:
        return 0
    kinds = [BYTES.get(a.dtype, 1) for a in exercise.arguments if a.is_array]
    return sum(size * prod(shape) for size, shape in zip(kinds, shapes, strict=True))


def _uses(exercise: Exercise, problem: Note) -> Iterator[Problem]:
    functions = load_api().functions
    for key, names in (("required", exercise.uses.required), ("advised", exercise.uses.advised)):
        for word in names:
            if word.islower() and word not in known_rules():
                yield problem(("uses", key), f"unknown rule {word!r}", _near(word, known_rules()))
            if word in exercise.uses.forbidden:
                yield problem(("uses", "forbidden"), f"{word!r} is {key} and forbidden", "keep one of the two")
    for word in exercise.uses.forbidden:
        if re.match(r"(cudnn|cuda)[A-Z]", word) and word not in functions and word not in INSTEAD:
            yield problem(("uses", "forbidden"), f"the API table has no function {word!r}", _near(word, set(functions)))


@cache
def known_rules() -> set[str]:
    """Codes of rules, and the words that stand for several."""
    return {*messages.load("rules"), *messages.load("uses")["words"]}


def _declarations(exercise: Exercise, document: Document) -> Iterator[Problem]:
    """The first comment lines of wrong programs."""
    reference = exercise.folder / "reference.py"
    own = reference.read_text("utf-8", "replace") if reference.is_file() else ""
    patterns = set(messages.load("verdicts")["outputs"]["patterns"])
    for sample in exercise.samples:
        if sample.code is Code.ACCEPTED:
            continue
        declared = header(sample.path)
        for line, key, mend in unknown_keys(sample.path):
            yield Problem(sample.path, line, f"unknown declaration {key!r}", mend)
        if "why" in declared and not sample.why:
            yield Problem(sample.path, declared["why"][1], "`why:` says nothing", "write one English sentence")
        if sample.rule and sample.rule not in known_rules():
            mend = _near(sample.rule, known_rules())
            yield Problem(sample.path, declared["rule"][1], f"unknown rule {sample.rule!r}", mend)
        if sample.pattern and sample.pattern not in patterns and f'"{sample.pattern}"' not in own:
            mend = _near(sample.pattern, patterns)
            yield Problem(sample.path, declared["pattern"][1], f"unknown pattern {sample.pattern!r}", mend)


def _near(word: str, known: set[str]) -> str:
    close = get_close_matches(word, sorted(known), n=1)
    return f"did you mean {close[0]!r}?" if close else f"use one of: {', '.join(sorted(known)[:40])}"
