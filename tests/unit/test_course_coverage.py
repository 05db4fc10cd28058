"""docs/course-coverage.md names lessons that exist and records that hold what they are named for."""

import json
import re

from grader.paths import ROOT

PAGE = ROOT / "docs" / "course-coverage.md"
RECORDS = ROOT / "lessons" / "records"


def test_every_lesson_named_exists() -> None:
    links = re.findall(r"\]\(\.\./(lessons/[^)]+)\)", PAGE.read_text("utf-8"))
    assert len(links) > 30
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_every_record_named_holds_that_part() -> None:
    named = re.findall(r"`(h200[\w.-]+\.json)`: ((?:`[^`]+`(?:, )?)+)", PAGE.read_text("utf-8"))
    parts = [(record, part) for record, listed in named for part in re.findall(r"`([^`]+)`", listed)]
    assert len(parts) > 10
    assert [(r, p) for r, p in parts if p not in json.loads((RECORDS / r).read_text("utf-8"))] == []


def test_sentences_rest_on_evidence() -> None:
    rows = PAGE.read_text("utf-8").split("## Sentences in circulation")[1].splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows if row.startswith("| ")][1:]
    assert len(cells) > 15
    assert [row[0] for row in cells if len(row) != 4 or not all(row)] == []
