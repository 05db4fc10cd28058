"""Names of cuDNN's statuses in texts: a misspelt one is looked up in vain."""

import re
from collections.abc import Iterator
from pathlib import Path

from app.content.markdown.links import similar
from grader.contract.api import load_api
from grader.contract.problems import Problem

STATUS = re.compile(r"\bCUDNN_STATUS_[A-Z_0-9]*[A-Z0-9]\b(?!\*|_)")


def check_statuses(file: Path) -> Iterator[Problem]:
    """Statuses that the API table does not have."""
    known = load_api().enumerators
    for number, text in enumerate(file.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        for name in STATUS.findall(text):
            if name not in known:
                yield Problem(file, number, f"cuDNN has no status {name}", similar(name, known))
