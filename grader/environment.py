"""Everything that grading needs of this machine, checked: printed by `python -m grader env`."""

import os
import stat
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

from grader.backends import BackendUnavailableError, simulated
from grader.korean import korean
from grader.launch import python_mounts
from grader.paths import native_build
from grader.sandbox.environment import Check
from grader.sandbox.environment import check_environment as check_sandbox
from grader.selftest import prove_gpu


def check_environment() -> list[Check]:
    """Checks of the sandbox, then of the backends and of the files that the sandbox shows."""
    return [*check_sandbox(), _backend("simulator"), _backend("gpu"), _readable()]


_MARKS = {
    "en": {"ok": "ok", "needed": "MISSING", "absent": "absent", "mend": "mend"},
    "ko": {"ok": "정상", "needed": "없음!", "absent": "없음", "mend": "고치는 방법"},
}


def report(checks: list[Check], language: str) -> list[str]:
    """Lines for a terminal, in `ko` or `en`: name, state, what was found, and below it the mend where one is needed."""
    marks = _MARKS[language]
    say = korean if language == "ko" else str
    lines: list[str] = []
    for check in checks:
        mark = marks["ok" if check.ok else ("needed" if check.needed else "absent")]
        lines.append(f"{check.name:10} {mark}{' ' * (8 - _columns(mark))} {say(check.detail)}")
        if not check.ok:
            lines.append(f"{'':19} {marks['mend']}: {say(check.mend)}")
    return lines


def _columns(text: str) -> int:
    """Columns of a terminal: a Hangul syllable takes two."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _backend(name: str) -> Check:
    try:
        info = (prove_gpu() if name == "gpu" else simulated.find()).info
    except BackendUnavailableError as error:
        return Check(name, False, False, str(error), error.mend)
    return Check(name, True, False, f"{info.device}, cuDNN {info.cudnn_version}")


def _readable() -> Check:
    """A grader that is root drops to another user inside, who must be able to read what is mounted."""
    roots = [native_build(), *(mount.source for mount in python_mounts())]
    hidden = next((root for root in roots if os.geteuid() == 0 and root.exists() and not _open_to_all(root)), None)
    if hidden is None:
        return Check("files", True, True, "the sandbox can read what it is shown")
    mend = f"chmod -R o+rX {hidden}"
    return Check("files", False, True, f"{hidden} cannot be read by the sandbox's user", mend)


def _open_to_all(root: Path) -> bool:
    paths = [root, *root.glob("*"), *root.glob("lib/*")]
    return all(path.is_symlink() or path.stat().st_mode & stat.S_IROTH for path in paths)


def summary() -> dict[str, Any]:
    """For the worker's first line: name → "ok", or what is missing."""
    return {check.name: "ok" if check.ok else check.detail for check in check_environment()}
