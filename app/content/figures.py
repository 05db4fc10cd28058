"""Every measured figure of a lesson says where it comes from: `lessons/NNN-slug/figures.yaml`, for `forwardpass check`.

values:                                # names for places in `lessons/records/*.json`
  runs: [h200-cudnn-9.19, layers, {layer: 3x3, math: DEFAULT}, runs]   # members, indices, {members of the one row}
  fast: [runs, {algo: IMPLICIT_PRECOMP_GEMM}, device_ms]               # may begin with a name from above
figures:
  "0.145 ms": fast                     # an expression over the values gives the number, to its last digit
  "38%": 100 * (slow / fast - 1)
  "5%": {quoted: pjreddie/darknet#575} # a number that is none of ours, and whose it is

A figure is a number with one of UNITS, or one written as a power of ten, in the texts, their pictures and the quiz;
programs and formulas are left out. Numbers without a unit (28 times, 0.0001) may be listed too.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from app.i18n.locales import LANGS
from grader.contract.expressions import ExpressionError, evaluate
from grader.contract.marked_yaml import Section, load_marked
from grader.contract.problems import ContentError, Problem

FILE = "figures.yaml"
UNITS = ("ms", "µs", "MB", "MiB", "GB", "GFLOP", "GFLOP/s", "TFLOP/s", "TB/s")
SPELLED = {"milliseconds": "ms", "밀리초": "ms", "megabytes": "MB", "메가바이트": "MB"}
"""Units as descriptions of pictures write them."""
MEND = f"add the figure to {FILE}, with where it comes from"
_LEFT_OUT = re.compile(
    r"^:::\{run\}.*?^:::$|^```.*?^```|\$\$?[^$]*\$\$?|`[^`\n]*`|(?<=\])\([^)\n]*\)", re.MULTILINE | re.DOTALL
)
_TAG = re.compile(r"<[^>]*>")
_POWER = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
_DIGITS = str.maketrans(_POWER, "-0123456789")
_NUMBER = rf"\d[\d,]*(?:\.\d+)?(?:·10[{_POWER}]+)?"
_UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_FIGURE = re.compile(
    rf"(?<![\w.,·/-])({_NUMBER})(?:[ \u00a0]?(%)(?!\w)|[ \u00a0]({_UNIT})(?![A-Za-z/])|"
    rf"[ \u00a0]?({'|'.join(SPELLED)})|(?<=[{_POWER}]))"
)
Values = Mapping[str, Any]


def _blank(found: re.Match[str]) -> str:
    """Nothing, on as many lines."""
    return "\n" * found[0].count("\n") or " "


def figures_in(text: str) -> Iterator[tuple[int, str]]:
    """Line and figure, as `figures.yaml` writes it: `0.145 ms`, `38%`, `2.6·10⁻⁴`."""
    text = _LEFT_OUT.sub(_blank, text)
    for found in _FIGURE.finditer(text):
        number, percent, unit, spelled = found.groups()
        unit = unit or SPELLED.get(spelled)
        yield text.count("\n", 0, found.start()) + 1, number + (percent or "") + (f" {unit}" if unit else "")


def parsed(figure: str) -> tuple[float, float]:
    """The number of a figure, and half a unit of its last digit. Raises ValueError where it begins with no number."""
    found = re.match(_NUMBER, figure)
    if found is None:
        raise ValueError(figure)
    digits, _, power = found[0].replace(",", "").partition("·10")
    scale = 10.0 ** int(power.translate(_DIGITS) or 0)
    return float(digits) * scale, 0.5 * scale * 10.0 ** -len(digits.partition(".")[2])


def check_figures(lessons: Path) -> list[Problem]:
    """Problems of all lessons below the folder."""
    return [problem for folder in sorted(lessons.glob("[0-9]*-*")) for problem in _check(folder, lessons / "records")]


def _check(folder: Path, records: Path) -> Iterator[Problem]:
    texts = {name: _read(folder / name) for name in (*(f"{lang}.md" for lang in LANGS), "quiz.yaml")}
    texts |= {file.name: _TAG.sub(_blank, _read(file)) for file in sorted(folder.glob("*.svg"))}
    listed: set[str] = set()
    if (folder / FILE).is_file():
        try:
            listed = _listed(folder / FILE, records, texts)
        except ContentError as error:
            yield from error.problems
            return
    for name, text in texts.items():
        for line, figure in figures_in(text):
            if figure not in listed:
                yield Problem(folder / name, line, f"nothing says where {figure!r} comes from", MEND)


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""


def _listed(file: Path, records: Path, texts: Mapping[str, str]) -> set[str]:
    """The figures that the file accounts for. Raises ContentError with every entry that is wrong."""
    document = load_marked(file)
    top = Section(document)
    top.only("values", "figures")
    places = top.section("values")
    values = _values(places, records) if places else {}
    figures = top.section("figures") or top
    listed = {str(figure): source for figure, source in figures.data.items() if figures is not top}
    for figure, source in listed.items():
        if wrong := _wrong(figure, source, values):
            figures.problem(figure, *wrong)
        if not any(_stands(figure, text) for text in texts.values()):
            figures.problem(figure, f"no text says {figure!r}", "remove the entry")
    document.finish()
    return set(listed)


def _stands(figure: str, text: str) -> bool:
    spaced = re.escape(figure).replace(r"\ ", "[ \u00a0]").replace("%", "[ \u00a0]?%")
    found = re.search(rf"(?<![\d.,]){spaced}(?![\d])", text) is not None
    return found or any(other == figure for _, other in figures_in(text))


def _values(section: Section, records: Path) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, path in section.data.items():
        try:
            values[str(name)] = _found(path, values, records)
        except LookupError as error:
            section.problem(name, f"{name} names nothing recorded: {error}", f"use what {records.name}/*.json holds")
    return values


def _found(path: Any, values: Values, records: Path) -> Any:
    """What stands at the place. Raises LookupError where there is none, or more than one row."""
    if not isinstance(path, list) or not path:
        raise LookupError("a place is a list")
    first, *steps = path
    file = records / f"{first}.json"
    if first not in values and not file.is_file():
        raise LookupError(f"{first!r} is neither a record nor a name from above")
    here = values[first] if first in values else json.loads(file.read_text(encoding="utf-8"))
    for step in steps:
        if isinstance(step, dict):
            rows = [row for row in here if all(row.get(key) == value for key, value in step.items())]
            if len(rows) != 1:
                raise LookupError(f"{len(rows)} rows have {step}")
            here = rows[0]
        elif isinstance(here, dict) or (isinstance(here, list) and isinstance(step, int)):
            here = here[step]
        else:
            raise LookupError(f"there is no {step!r}")
    return here


def _wrong(figure: str, source: Any, values: Values) -> tuple[str, str] | None:
    """What does not fit, and the mend."""
    if isinstance(source, dict):
        good = [*source] == ["quoted"]
        return None if good else (f"{figure!r} is neither computed nor quoted", "write an expression, or `{quoted: …}`")
    try:
        number, half = parsed(figure)
    except ValueError:
        return f"{figure!r} is no figure", "begin with a number"
    try:
        found = float(evaluate(str(source), values))
    except (ExpressionError, TypeError) as error:
        return f"{source!r} gives no number: {error}", "compute it from `values`"
    if abs(found - number) <= half * (1 + 1e-9):
        return None
    return f"the text says {figure!r}, but {source} is {found:.6g}", "write the recorded number, in both languages"
