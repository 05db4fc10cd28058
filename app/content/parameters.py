"""Questions with parameters: reads `parameters:` and `where:`, and works out every variant when the file is loaded.

A variant is one choice of a value for each parameter. Nothing is evaluated later: each variant carries its answer and
the words that stand for the placeholders of the texts.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.content import particles
from app.content.model import Number, Variant
from grader.contract.expressions import FUNCTIONS, ExpressionError, evaluate, names_in
from grader.contract.marked_yaml import Section

MOST_VARIANTS = 500
ANSWER = "answer"
"""In feedback `{answer}` is the answer; no parameter may be called so."""
RANGE = ("from", "to", "step")
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_MARK = "918273645{:02}"
"""Stands for a placeholder while Markdown is rendered: digits, so that it is a number also in formulas."""

Values = Mapping[str, Number]
Place = tuple[str | int, ...]
"""Where in a question a text stands: `("prompt", "ko")`."""


def shown(value: Number, grouped: bool = False) -> str:
    """A value as it stands in a text: with a minus sign, and with commas between thousands where `grouped`."""
    text = f"{value:{',' if grouped else ''}}" if isinstance(value, int) else f"{value:.10g}"
    return text.replace("-", "−")


def key_of(values: Values) -> str:
    """The name of a variant in addresses: its values in order, `4_16_0.5`."""
    return "_".join(f"{value:.10g}" if isinstance(value, float) else str(value) for value in values.values())


@dataclass(slots=True)
class Placeholders:
    """The placeholders of one question's texts. Without parameters, braces are only braces."""

    section: Section
    parameters: Mapping[str, list[Number]]
    noted: int = 0
    """Problems that the file had before this question."""
    marks: dict[str, str] = field(default_factory=dict)
    """Mark of each placeholder as written between the braces."""
    places: dict[str, Place] = field(default_factory=dict)
    """Where each placeholder stands first."""
    particles: set[tuple[str, Place, str]] = field(default_factory=set)
    """Placeholders, where they stand, and the Korean particle behind them."""
    names: dict[Place, set[str]] = field(default_factory=dict)
    """Names that each text reads."""

    def marked(self, text: str, path: Place) -> str:
        """The text with a mark for each placeholder. Notes unknown names and stray braces under `path`."""
        if not self.parameters:
            return text
        known = {*self.parameters} | ({ANSWER} if path[0] == "feedback" else set())
        self.names[path] = set()
        if any(brace in _PLACEHOLDER.sub("", text) for brace in "{}"):
            self._problem(path, "a brace without its counterpart", "write `{name}`, or `{{` and `}}` for the signs")
        return _PLACEHOLDER.sub(lambda found: self._mark(found, path, known), text)

    def _mark(self, found: re.Match[str], path: Place, known: set[str]) -> str:
        if found[1] is None:
            return found[0][0]
        try:
            names = names_in(found[1].removesuffix(":,"))
        except ExpressionError as error:
            self._problem(path, str(error), "write a parameter or an expression between the braces")
            return found[0]
        if unknown := sorted(names - known):
            self._problem(path, f"{found[0]} reads the unknown parameter {unknown[0]!r}", _names(known))
            return found[0]
        self.names[path] |= names
        self.places.setdefault(found[1], path)
        if path[-1] == "ko" and (particle := particles.behind(found.string, found.end())):
            self.particles.add((found[1], path, particle))
        return self.marks.setdefault(found[1], _MARK.format(len(self.marks)))

    def _problem(self, path: Place, message: str, mend: str) -> None:
        self.section.document.problem((*self.section.path, *path), message, mend)


def read_parameters(section: Section) -> dict[str, list[Number]]:
    """The values of each parameter; empty where the question has none or something is wrong with them."""
    found = section.section("parameters")
    if found is None:
        if section.has("where"):
            section.problem("where", "`where` without `parameters`", "remove it, or add `parameters:`")
        return {}
    parameters: dict[str, list[Number]] = {}
    for name in found.data:
        if not (isinstance(name, str) and name.isidentifier()) or name in (*FUNCTIONS, ANSWER):
            found.problem(name, f"a parameter cannot be called {name!r}", "use letters, such as `H` or `stride`")
            return {}
        parameters[name] = _values(found, name)
    return parameters if all(parameters.values()) else {}


def _values(section: Section, name: str) -> list[Number]:
    given = section.data[name]
    if isinstance(given, dict):
        return _range(section, name)
    if isinstance(given, list) and given and all(type(value) in (int, float) for value in given):
        if len(set(given)) == len(given):
            return given
        section.problem(name, f"{name} has a value twice", "keep one of them")
        return []
    mend = "write a list such as `[2, 4, 8]`, or `{from: 4, to: 12, step: 2}`"
    section.problem(name, f"{name} is neither a list of numbers nor a range of integers", mend)
    return []


def _range(section: Section, name: str) -> list[Number]:
    limits = Section(section.document, (*section.path, name))
    limits.only(*RANGE)
    first, last = limits.integer("from", 0, required=True), limits.integer("to", 0, required=True)
    step = limits.integer("step", 1)
    if step < 1 or last < first:
        section.problem(name, f"the range of {name} is empty", "let `to` be at least `from`, and `step` at least 1")
        return []
    return list(range(first, last + 1, step))


def read_variants(section: Section, slots: Placeholders, answer: Any, tolerance: float) -> dict[str, Variant]:
    """Every variant by its key, once the texts have been read. Notes what is wrong in any of them."""
    _check_names(section, slots, answer)
    if len(section.document.problems) > slots.noted:
        return {}
    variants: dict[str, Variant] = {}
    try:
        for values in _drawings(section, slots.parameters):
            variants[key_of(values)] = _variant(section, slots, values, answer, tolerance)
    except _Stop:
        return {}
    if len(variants) < 2:
        message = f"the parameters give {len(variants)} variants"
        section.problem("parameters", message, "give them more values, or loosen `where`")
    return variants


class _Stop(Exception):
    """A problem has been noted; the other variants would only repeat it."""


def _drawings(section: Section, parameters: Mapping[str, list[Number]]) -> Iterator[dict[str, Number]]:
    total = 1
    for values in parameters.values():
        total *= len(values)
    if total > MOST_VARIANTS:
        message = f"the parameters have {total} combinations, at most {MOST_VARIANTS} are tried"
        section.problem("parameters", message, "give them fewer values")
        raise _Stop
    conditions = section.texts("where") if isinstance(section.data.get("where"), list) else (section.text("where"),)
    for choice in itertools.product(*parameters.values()):
        drawing = dict(zip(parameters, choice, strict=True))
        if all(_computed(section, ("where",), text, drawing) for text in conditions if text):
            yield drawing


def _variant(section: Section, slots: Placeholders, values: Values, answer: Any, tolerance: float) -> Variant:
    if isinstance(answer, list):
        right: Any = [_number(section, ("answer",), str(size), values) for size in answer]
        if not all(type(size) is int and size > 0 for size in right):
            _stop(section, ("answer",), f"the answer is {right}", values, "let each size be an integer of at least 1")
        names = values
    else:
        right = _number(section, ("answer",), str(answer), values)
        if not isinstance(right, int) and not tolerance:
            mend = "give a `tolerance`, or use // for a division without a rest"
            _stop(section, ("answer",), f"the answer is {right}, no integer", values, mend)
        names = {**values, ANSWER: right}
    words: dict[str, str] = {}
    for text, mark in slots.marks.items():
        grouped = text.endswith(":,")
        words[mark] = shown(_number(section, slots.places[text], text.removesuffix(":,"), names), grouped)
    for text, place, particle in sorted(slots.particles):
        word = words[slots.marks[text]]
        if (fitting := particles.fitting(particle, word)) != particle:
            mend = f"word it without a particle behind {{{text}}}, such as {{{text}}}개를"
            _stop(section, place, f"behind {word} stands {particle!r}, not {fitting!r}", values, mend)
    return Variant(key_of(values), values, right, words)


def _number(section: Section, place: Place, text: str, values: Values) -> Number:
    """A whole float is the integer it equals."""
    found = _computed(section, place, text, values)
    if type(found) not in (int, float) or found != found or abs(found) == float("inf"):
        _stop(section, place, f"{text!r} gives {found!r}", values, "let it be a number")
    return int(found) if found == int(found) else float(found)


def _computed(section: Section, place: Place, text: str, values: Values) -> Any:
    try:
        return evaluate(text, values)
    except ExpressionError as error:
        _stop(section, place, str(error), values, "mend the expression, or exclude this with `where`")


def _stop(section: Section, place: Place, message: str, values: Values, mend: str) -> Any:
    drawing = ", ".join(f"{name} = {value}" for name, value in values.items())
    section.document.problem((*section.path, *place), f"{message} (where {drawing})", mend)
    raise _Stop


def _check_names(section: Section, slots: Placeholders, answer: Any) -> None:
    """Each parameter is used, and each prompt shows what the answer and the other language's prompt need."""
    needed: set[str] = set()
    try:
        for text in answer if isinstance(answer, list) else [answer]:
            needed |= names_in(str(text))
    except ExpressionError as error:
        section.problem("answer", str(error), "write an arithmetic expression in the parameters")
        return
    if unknown := sorted(needed - {*slots.parameters}):
        section.problem("answer", f"the answer reads the unknown parameter {unknown[0]!r}", _names(slots.parameters))
        return
    prompts = {lang: slots.names.get(("prompt", lang), set()) for lang in ("ko", "en")}
    for name in slots.parameters:
        places = [path for path, names in slots.names.items() if name in names]
        if not places and name not in needed:
            section.document.problem(
                (*section.path, "parameters", name), f"the parameter {name!r} is never used", "use it, or remove it"
            )
            continue
        for lang in ("ko", "en"):
            if name not in prompts[lang] and (name in needed or name in prompts["en" if lang == "ko" else "ko"]):
                path = (*section.path, "prompt", lang)
                mend = f"write `{{{name}}}` into the prompt"
                section.document.problem(path, f"the prompt does not show the parameter {name!r}", mend)


def _names(known: Any) -> str:
    return f"use one of: {', '.join(sorted(known))}"
