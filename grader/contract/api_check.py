"""Checks across the API table that no single entry can show: types that exist, parameters that are really there."""

from grader.contract.api_tables import Tables
from grader.contract.api_types import STATUS_ENUM, Function, Parameter, Text
from grader.contract.problems import Problem

ARITHMETIC = frozenset({"void", "char", "int", "unsigned", "unsigned int", "unsigned long long", "float", "double"})
ARITHMETIC |= {"size_t", "int32_t", "uint32_t", "int64_t"}
NEEDS_OF = frozenset({"scalar", "element", "host_array", "perf", "text_out", "attribute"})


def check_texts(tables: Tables) -> None:
    """Adds a problem for everything taught that lacks its documentation; a status code also needs cause and mend."""
    for function in tables.functions.values():
        if function.taught:
            _check_text(tables, function.name, function.doc, "doc")
    for enum in tables.enums.values():
        if not enum.taught:
            continue
        _check_text(tables, enum.name, enum.doc, "doc")
        for value in enum.values:
            _check_text(tables, value.name, value.doc, "doc")
            if enum.name in STATUS_ENUM.values():
                _check_text(tables, value.name, value.cause, "cause")
                _check_text(tables, value.name, value.mend, "mend")


def _check_text(tables: Tables, name: str, text: Text, key: str) -> None:
    if not text:
        _problem(tables, name, (), f"{name} is taught but has no `{key}`", f"add `{key}: {{en: …, ko: …}}`")


def check_functions(tables: Tables) -> None:
    """Adds to ``tables.problems`` what is wrong with types, `of` and roles of the functions' parameters."""
    known = ARITHMETIC | set(tables.enums) | set(tables.structs) | set(tables.opaques) | set(tables.callbacks)
    for function in tables.functions.values():
        for index, parameter in enumerate(function.parameters):
            _check_parameter(tables, function, index, parameter, known)


def _problem(tables: Tables, name: str, path: tuple[str | int, ...], message: str, mend: str) -> None:
    place = tables.places[name]
    line = place.document.line((*place.path, *path))
    tables.problems.append(Problem(place.document.file, line, message, mend))


def _check_parameter(
    tables: Tables, function: Function, index: int, parameter: Parameter, known: frozenset[str]
) -> None:
    others = {p.name: p for p in function.parameters}

    def problem(message: str, mend: str) -> None:
        where = f"{function.name}({parameter.name})"
        _problem(tables, function.name, ("parameters", index), f"{where}: {message}", mend)

    if parameter.base not in known:
        problem(f"unknown type {parameter.base!r}", "add the type to the table")
    for other in parameter.of:
        if other not in others:
            problem(f"`of` names {other!r}, which is no parameter", f"use one of: {', '.join(sorted(others))}")
    if parameter.role in NEEDS_OF and not parameter.of:
        problem(f"role {parameter.role} needs `of`", "name the parameter it follows")
    if parameter.role == "scalar" and any(others[n].role != "descriptor" for n in parameter.of if n in others):
        problem("`of` of a scalar must be a descriptor", "name the descriptor of the result")
    if (parameter.role == "pointer_out") != bool(parameter.space):
        problem("role pointer_out and `space` go together", "give both or neither")
