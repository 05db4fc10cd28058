"""The documentation is true of the code: files on the way of a submission exist, and every setting is told."""

import re
from pathlib import Path

from app.settings import Settings
from grader.paths import ROOT


def text(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_every_file_on_the_way_of_a_submission_exists() -> None:
    way = text("architecture.md").partition("## The way of one submission")[2].partition("\n## ")[0]
    named = re.findall(r"`((?:app|grader|frontend)/[\w./-]+)`", way)
    assert len(named) > 20
    assert [name for name in named if not (ROOT / Path(name)).exists()] == []


def test_every_setting_is_documented() -> None:
    told = text("deploying.md")
    names = [f"FORWARDPASS_{name.upper()}" for name in Settings.model_fields if name != "database_url"]
    assert [name for name in [*names, "DATABASE_URL"] if f"`{name}`" not in told] == []
