"""Reads `uses:` of an exercise: what it asks of the calls."""

import re

from grader.contract.api import load_api
from grader.contract.exercise_types import CaseUses, Uses
from grader.contract.marked_yaml import Section

_FUNCTION = re.compile(r"^(cudnn|cuda)[A-Z]\w*$")
_USE = re.compile(r"^[A-Za-z_][\w.:]*$")


def read_uses(top: Section) -> Uses:
    section = top.section("uses")
    if section is None:
        return Uses()
    section.only("required", "advised", "forbidden", "workspace_kib", "workspace_bytes", "data_types", "cases")
    lists = {key: _names(section, key) for key in ("required", "advised", "forbidden")}
    budget = section.integer("workspace_kib") if section.has("workspace_kib") else None
    if budget is not None and budget < 0:
        section.problem("workspace_kib", f"a workspace of {budget} KiB", "give 0 or more")
    of_case = section.text("workspace_bytes")
    if budget is not None and of_case:
        section.problem("workspace_bytes", "a budget for all cases and one for each", "remove one of them")
    cases = tuple(_case_uses(entry) for entry in section.sections("cases"))
    return Uses(**lists, workspace_kib=budget, workspace_bytes=of_case, data_types=_types(section), cases=cases)


def _names(section: Section, key: str) -> tuple[str, ...]:
    names = section.texts(key)
    for name in names:
        if not _USE.match(name):
            section.problem(key, f"{name!r} is no rule or function name", "use a rule code or a function's name")
        elif key != "forbidden" and _FUNCTION.match(name) and name not in load_api().functions:
            section.problem(key, f"the API table has no function {name!r}", "check its spelling")
    return names


def _types(section: Section) -> tuple[str, ...]:
    names = section.texts("data_types")
    known = {value.name.removeprefix("CUDNN_DATA_") for value in load_api().enums["cudnnDataType_t"].values}
    for name in names:
        if name not in known:
            section.problem("data_types", f"there is no type {name!r}", f"use one of: {', '.join(sorted(known))}")
    return names


def _case_uses(entry: Section) -> CaseUses:
    entry.only("when", "required")
    return CaseUses(entry.text("when", required=True), _names(entry, "required"))
