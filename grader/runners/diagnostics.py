"""Compiler output → diagnostics in the learner's own file."""

import json
import re
from typing import Any, Literal

from grader.contract.api import load_api
from grader.contract.verdict import Diagnostic

SOURCE = "solution.cpp"
MAX_DIAGNOSTICS = 50
_MAX_MESSAGE = 2000
Severity = Literal["error", "warning", "note"]
_SEVERITY: dict[str, Severity] = {"error": "error", "fatal error": "error", "warning": "warning", "note": "note"}
_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:) [`']?(.+?)'?$")


def parse_json(stderr: str) -> list[dict[str, Any]]:
    """The messages of ``-fdiagnostics-format=json``; other lines (the linker's) are left out."""
    messages: list[dict[str, Any]] = []
    for line in stderr.splitlines():
        if line.startswith("["):
            try:
                messages += json.loads(line)
            except json.JSONDecodeError:
                continue
    return messages


def in_learner_file(messages: list[dict[str, Any]]) -> list[Diagnostic]:
    """Messages that point into the learner's file, also those whose place of use does (errors inside templates)."""
    found: list[Diagnostic] = []
    for message in messages:
        place = _place(message)
        if place is None:
            place = next(filter(None, map(_place, message.get("children", []))), None)
        severity = _SEVERITY.get(message.get("kind", ""), "error")
        if place is not None:
            found.append(_diagnostic(place, severity, message))
            found += [_diagnostic(p, "note", m) for m in message.get("children", []) if (p := _place(m)) is not None]
    return found[:MAX_DIAGNOSTICS]


def split(messages: list[dict[str, Any]], file: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(errors that point into `file`, all other messages)."""
    inside = [m for m in messages if _file(m) == file and _SEVERITY.get(m.get("kind", "")) == "error"]
    return inside, [m for m in messages if m not in inside]


def first_line(messages: list[dict[str, Any]]) -> int:
    """Line of the learner's file that the messages' notes point to (a candidate that does not fit); 0 = none."""
    for message in messages:
        for child in message.get("children", []):
            if (place := _place(child)) is not None:
                return int(place["caret"]["line"])
    return 0


def linker_messages(stderr: str) -> list[Diagnostic]:
    """What the linker misses, as errors of the file as a whole."""
    names: list[str] = []
    for line in stderr.splitlines():
        match = _UNDEFINED.search(line)
        if match and match[1] not in names:
            names.append(match[1])
    return [Diagnostic(0, 0, "error", f"undefined reference to '{name}'") for name in names[:MAX_DIAGNOSTICS]]


_LACKS = re.compile(
    r"mold: fatal: (?!/tmp/).*"
    r"|\S*ld\S*: (?:error: )?cannot find -l.*"
    r"|\S*ld\S*: ?(?:error: )?/fp/lib/.*(?:too short|truncated|not recognized|wrong format|syntax error).*"
    r"|.*(?:cc1plus|mold|ld|objdump)\S*: (?:(?:command )?not found|No such file or directory)"
)


def lack_of_toolchain(stderr: str) -> str:
    """What of our own the compiler or linker could not use; "" where the failure is the source's.

    That is a library of ours that is missing or damaged, or one that lacks a function of the API.
    """
    for line in stderr.splitlines():
        undefined = _UNDEFINED.search(line)
        if not line.startswith("[") and (_LACKS.fullmatch(line.strip()) or (undefined and _in_api(undefined[1]))):
            return line.strip()[:500]
    stale = (m for m in parse_json(stderr) if m.get("option") in ("-Winvalid-pch", "-Werror=invalid-pch"))
    return next((str(message.get("message"))[:500] for message in stale), "")


def _in_api(name: str) -> bool:
    return name.split("@")[0] in load_api().functions


def _file(message: dict[str, Any]) -> str:
    locations = message.get("locations") or [{}]
    return str(locations[0].get("caret", {}).get("file", ""))


def _place(message: dict[str, Any]) -> dict[str, Any] | None:
    """The location in the learner's file, where the message has one."""
    for location in message.get("locations", []):
        if str(location.get("caret", {}).get("file", "")).endswith(SOURCE):
            return dict(location)
    return None


def _diagnostic(place: dict[str, Any], severity: Severity, message: dict[str, Any]) -> Diagnostic:
    caret, finish = place["caret"], place.get("finish", {})
    same_line = finish.get("line") == caret["line"]
    text = str(message.get("message", ""))[:_MAX_MESSAGE]
    option = message.get("option")
    return Diagnostic(
        line=int(caret["line"]),
        column=int(caret.get("column", 0)),
        severity=severity,
        message=f"{text} [{option}]" if option else text,
        end_column=int(finish.get("column", 0)) if same_line else 0,
    )
