"""Recorded measurements in a text: chart, table, where they come from, and what a wrong directive is told."""

import json
import re
from pathlib import Path

import pytest

from app.content.markdown.blocks import Rendered
from app.content.markdown.links import Links
from app.content.markdown.render import render

RECORD = {
    "device": "GPU <1>",
    "cudnn": 91900,
    "date": "2026-12-02",
    "layers": [
        {"layer": "a", "kind": "float", "runs": [{"algo": "X", "ms": 0.5, "n": 1200}, {"algo": "Y"}]},
        {"layer": "b", "kind": "float", "runs": [{"algo": "X", "ms": 2}]},
        {"layer": "a", "kind": "half", "runs": [{"algo": "Z & z", "ms": 0.25}]},
    ],
    "ways": {"one": 1.5, "two": 3.0},
}


def rendered(folder: Path, *options: str, name: str = "gpu") -> Rendered:
    (folder / "records").mkdir(exist_ok=True)
    (folder / "records" / "gpu.json").write_text(json.dumps(RECORD))
    lesson = folder / "010-lesson"
    lesson.mkdir(exist_ok=True)
    text = "\n".join([f":::{{record}} {name}", *options, "What **it** shows.", ":::", ""])
    return render(text, lesson / "en.md", Links("en", {}, folder=lesson))


def test_rows_on_the_way_are_chosen_and_told(tmp_path: Path) -> None:
    found = rendered(tmp_path, ":rows: layers / runs", ":only: kind=float", ":label: algo", ":bars: ms ms",
                     ":columns: layer, n", ":names: algo=algorithm, n=how many")  # fmt: skip
    assert found.problems == []
    html = str(found.blocks[0].html)  # type: ignore[union-attr]
    assert re.findall(r"<th scope=\"col\">([^<]*)", html) == ["algorithm", "ms", "layer", "how many"]
    rows = [re.findall(r"<td>([^<]*)", row) for row in html.split("<tr>")[2:]]
    assert rows == [["X", "0.5", "a", "1,200"], ["X", "2", "b", "–"]]
    widths = [float(width) for width in re.findall(r'<rect [^>]*width="([\d.]+)"', html)]
    assert widths[0] * 4 == pytest.approx(widths[1])
    assert 'aria-label="What it shows."' in html
    assert "GPU &lt;1&gt; · cuDNN 9.19.0 · 2026-12-02 · gpu.json" in html
    assert "style=" not in html


def test_numbers_by_name_are_rows_too(tmp_path: Path) -> None:
    found = rendered(tmp_path, ":rows: ways", ":label: name", ":bars: value ms")
    html = str(found.blocks[0].html)  # type: ignore[union-attr]
    assert re.findall(r"<td>([^<]*)", html) == ["one", "1.5", "two", "3"]


WRONG = {
    "no such record": ([":rows: x", ":label: a", ":bars: b c"], "nope", "there is no record 'nope'"),
    "no such member": ([":rows: x", ":label: a", ":bars: b c"], "gpu", "the record has no 'x' there"),
    "nothing drawn": ([":rows: layers", ":label: layer", ":bars: ms ms"], "gpu", "0 rows have a number 'ms'"),
    "no label": ([":rows: layers"], "gpu", "the record needs `:label:` and `:bars:`"),
    "outside": ([":rows: x", ":label: a", ":bars: b c"], "../records/gpu", "there is no record"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_not_there_is_named(tmp_path: Path, case: str) -> None:
    options, name, message = WRONG[case]
    (problem,) = rendered(tmp_path, *options, name=name).problems
    assert message in problem.message
    assert (problem.line, bool(problem.mend)) == (1, True)
