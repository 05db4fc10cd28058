"""Draws a part of a recorded measurement (`lessons/records/*.json`) as a bar chart and a table.

:::{record} h200-layers
:rows: layers / runs                  members to go down to the list of rows; "/" stands between them
:only: layer=3x3, kind=float NCHW     keeps rows (at any of the lists on the way) whose members have these values
:label: algo                          member that names a row
:bars: device_ms                      member that is drawn, and its unit behind a space: `device_ms ms`
:columns: workspace, status           further columns of the table
:names: algo=algorithm, device_ms=time (ms)      headings; without one, the member's own name
What the figure shows.
:::
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from grader.contract.verdict import cudnn_text

WIDTH, LABEL, VALUE, BAR, GAP = 480, 168, 72, 18, 8
MOST_ROWS = 40


class RecordError(ValueError):
    """What the directive asks for is not in the record. `mend` says what is."""

    def __init__(self, reason: str, mend: str) -> None:
        super().__init__(reason)
        self.mend = mend


@dataclass(frozen=True, slots=True)
class Figure:
    """columns: members and headings; the first names a row, the second is drawn."""

    facts: str
    columns: list[tuple[str, str]]
    unit: str
    rows: list[list[Any]]


def load(folder: Path, name: str, options: Mapping[str, str]) -> Figure:
    """Raises RecordError."""
    file = folder / f"{name}.json"
    if "/" in name or not file.is_file():
        known = ", ".join(sorted(path.stem for path in folder.glob("*.json")))
        raise RecordError(f"there is no record {name!r}", f"use one of: {known}" if known else "record it first")
    record = _read(file, file.stat().st_mtime_ns)
    drawn, _, unit = options.get("bars", "").rpartition(" ")
    label = options.get("label", "")
    if not label or not drawn:
        raise RecordError("the record needs `:label:` and `:bars:` (member and unit)", "see docs/adding-a-lesson.md")
    members = [label, drawn, *_list(options.get("columns", ""))]
    headings = _pairs(options.get("names", ""))
    rows = [row for row in _rows(record, options) if isinstance(row.get(drawn), int | float)]
    if not 1 <= len(rows) <= MOST_ROWS:
        mend = f"choose 1 to {MOST_ROWS} with :rows: and :only:"
        raise RecordError(f"{len(rows)} rows have a number {drawn!r}", mend)
    _check_members(rows, members, headings)
    columns = [(member, headings.get(member, member)) for member in members]
    return Figure(facts(record, name), columns, unit, [[row.get(member) for member in members] for row in rows])


def _check_members(rows: list[dict[str, Any]], members: list[str], headings: Mapping[str, str]) -> None:
    """Every member that is shown stands in some row, and every heading is one of those shown."""
    known = list(dict.fromkeys(name for row in rows for name in row))
    for member in members:
        if member not in known:
            raise RecordError(f"no row of the record has {member!r}", f"use one of: {', '.join(known)}")
    for name in headings:
        if name not in members:
            raise RecordError(f"`:names:` words {name!r}, which is not shown", f"use one of: {', '.join(members)}")


@lru_cache(maxsize=16)
def _read(file: Path, _modified: int) -> dict[str, Any]:
    return dict(json.loads(file.read_text(encoding="utf-8")))


def facts(record: Mapping[str, Any], name: str) -> str:
    """Device, versions and date: the same words in every language."""
    version = record.get("cudnn")
    cudnn = f"cuDNN {cudnn_text(version)}" if isinstance(version, int) else ""
    torch = f"PyTorch {record['torch']}" if "pytorch" in name else ""
    parts = (record.get("device"), cudnn, torch, record.get("date"), f"{name}.json")
    return " · ".join(str(part) for part in parts if part)


def _list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _pairs(text: str) -> dict[str, str]:
    return {key.strip(): value.strip() for key, _, value in (part.partition("=") for part in _list(text))}


def _rows(record: Mapping[str, Any], options: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Dictionaries at the end of the path; each also has the members of those above it that are no lists."""
    wanted = _pairs(options.get("only", ""))
    found: list[dict[str, Any]] = [dict(record)]
    met: set[str] = set()
    for step in [part.strip() for part in options.get("rows", "").split(" / ")]:
        if not any(step in row for row in found):
            mend = f"use one of: {', '.join(found[0])}" if found else "see `:only:`"
            raise RecordError(f"the record has no {step!r} there", mend)
        met |= {name for row in found for below in _items(row.get(step)) for name in below}
        found = [_below(row, below) for row in found for below in _items(row.get(step)) if _kept(below, wanted)]
    if strange := next((name for name in wanted if name not in met), ""):
        raise RecordError(f"`:only:` names {strange!r}, which no row has", f"use one of: {', '.join(sorted(met))}")
    return iter(found)


def _items(value: Any) -> list[dict[str, Any]]:
    """Of a list, its dictionaries; of a dictionary of numbers, one for each, named `name` and `value`."""
    if isinstance(value, list):
        return [item for item in value if isinstance(item, dict)]
    if isinstance(value, dict) and value and all(isinstance(item, int | float) for item in value.values()):
        return [{"name": name, "value": item} for name, item in value.items()]
    return [value] if isinstance(value, dict) else []


def _below(above: Mapping[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    return {name: item for name, item in above.items() if not isinstance(item, list | dict)} | row


def _kept(row: Mapping[str, Any], wanted: Mapping[str, str]) -> bool:
    return all(str(row[name]) == value for name, value in wanted.items() if name in row)


def html(figure: Figure, caption: Markup, description: str) -> Markup:
    """Figure with chart, table and where the numbers come from. description: of the chart, for screen readers."""
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for _, heading in figure.columns)
    body = "".join(f"<tr>{''.join(f'<td>{escape(shown(cell))}</td>' for cell in row)}</tr>" for row in figure.rows)
    table = f'<div class="table" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    below = f"<figcaption>{caption}<p><small>{escape(figure.facts)}</small></p></figcaption>"
    return Markup(f'<figure class="record">{chart(figure, description)}{table}{below}</figure>\n')  # noqa: S704


def shown(value: Any) -> str:
    """Numbers with at most four significant digits, whole ones in full."""
    if value is None or value == "":
        return "–"
    if isinstance(value, float):
        return f"{value:.4g}" if value == 0 or 1e-3 <= abs(value) < 1e5 else f"{value:.1e}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def chart(figure: Figure, description: str) -> str:
    """Horizontal bars from zero, all on one scale. Colours are the text's, so that both themes work."""
    largest = max(row[1] for row in figure.rows) or 1
    room = WIDTH - LABEL - VALUE
    height = len(figure.rows) * (BAR + GAP) + GAP
    parts = []
    for number, row in enumerate(figure.rows):
        top = GAP + number * (BAR + GAP)
        length = max(1.0, row[1] / largest * room)
        middle = top + BAR / 2 + 5
        parts.append(
            f'<text x="{LABEL - 8}" y="{middle:g}" text-anchor="end">{escape(_short(shown(row[0])))}</text>'
            f'<rect x="{LABEL}" y="{top}" width="{length:.1f}" height="{BAR}" fill-opacity="0.45"></rect>'
            f'<text x="{LABEL + length + 6:.1f}" y="{middle:g}">{escape(shown(row[1]))} {escape(figure.unit)}</text>'
        )
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" width="100%" role="img" aria-label="{escape(description)}" '
        f'fill="currentColor" font-size="13">{"".join(parts)}</svg>'
    )


def _short(text: str) -> str:
    return text if len(text) <= 22 else f"{text[:21]}…"
