"""Reads the API table's YAML files into `Tables`, noting every problem by file and line."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from grader.contract.api_check import check_functions, check_texts
from grader.contract.api_tables import Tables
from grader.contract.api_types import (
    ACCESSES,
    ROLES,
    SPACES,
    STATUS_ENUM,
    Callback,
    Enum,
    Enumerator,
    Field,
    Function,
    Group,
    Library,
    Macro,
    Opaque,
    Parameter,
    Struct,
    Text,
)
from grader.contract.marked_yaml import Section, load_marked
from grader.contract.problems import ContentError

LIBRARIES: tuple[Library, ...] = ("cudnn", "cudart")
BY_VALUE = {"handle": "handle", "stream": "stream", "event": "event"}


def read_tables(table: Path) -> Tables:
    """Raises ContentError naming every problem in the files below `table`."""
    tables = Tables()
    files = sorted((table / "enums").glob("*.yaml"))
    _read(tables, [table / "structs.yaml"], _types)
    _read(tables, files or [table / "enums"], _enums)
    _read(tables, [table / "macros.yaml"], _macros)
    _read(tables, [table / "parameters.yaml"], _parameter_docs)
    _read(tables, sorted((table / "functions").glob("*.yaml")), _functions)
    tables.groups = dict(sorted(tables.groups.items(), key=lambda item: item[1].order))
    order = {name: i for i, name in enumerate(tables.groups)}
    tables.functions = dict(sorted(tables.functions.items(), key=lambda item: order[item[1].group]))
    check_functions(tables)
    check_texts(tables)
    if tables.problems:
        raise ContentError(tables.problems)
    return tables


def _read(tables: Tables, files: list[Path], reader: Callable[[Tables, Section], None]) -> None:
    for file in files:
        try:
            document = load_marked(file)
        except ContentError as error:
            tables.problems += error.problems
            continue
        reader(tables, Section(document))
        tables.problems += document.problems
        document.problems.clear()


def _library(section: Section) -> Library:
    return "cudart" if section.choice("library", LIBRARIES, "cudnn", required=True) == "cudart" else "cudnn"


def _doc(section: Section, key: str = "doc") -> Text:
    return section.both_languages(key) if section.has(key) else {}


def _types(tables: Tables, top: Section) -> None:
    top.only("opaque", "callbacks", "structs")
    for s in top.sections("opaque", required=True):
        s.only("name", "struct", "library", "kind", "doc")
        name, kind = s.text("name", required=True), s.text("kind", required=True)
        if tables.add(name, s):
            tables.opaques[name] = Opaque(name, s.text("struct", required=True), _library(s), kind, _doc(s))
    for s in top.sections("callbacks", required=True):
        s.only("name", "library", "returns", "parameters")
        name = s.text("name", required=True)
        if tables.add(name, s):
            tables.callbacks[name] = Callback(name, _library(s), s.text("returns"), s.texts("parameters"))
    for s in top.sections("structs", required=True):
        _struct(tables, s)


def _struct(tables: Tables, s: Section) -> None:
    s.only("name", "tag", "library", "taught", "size", "fields", "doc")
    name = s.text("name", required=True)
    fields: list[Field] = []
    for f in s.sections("fields", required=True):
        f.only("name", "type", "offset", "count", "doc")
        offset = f.integer("offset", required=True)
        if fields and offset <= fields[-1].offset:
            f.problem("offset", f"{f.text('name')} lies before the field above it", "order fields by their offset")
        count = f.integer("count", 1)
        fields.append(Field(f.text("name", required=True), f.text("type", required=True), offset, count, _doc(f)))
    if tables.add(name, s):
        size = s.integer("size", required=True)
        taught = s.truth("taught")
        tables.structs[name] = Struct(name, _library(s), size, tuple(fields), s.text("tag"), taught, _doc(s))


def _enums(tables: Tables, top: Section) -> None:
    top.only("enums")
    for s in top.sections("enums", required=True):
        s.only("name", "tag", "library", "deprecated", "taught", "doc", "values")
        name = s.text("name", required=True)
        values: dict[str, Enumerator] = {}
        for v in s.sections("values", required=True):
            value = _enumerator(v, values)
            if tables.add(value.name, v):
                values[value.name] = value
        if tables.add(name, s):
            flags = (s.truth("deprecated"), s.truth("taught", True))
            tables.enums[name] = Enum(name, _library(s), tuple(values.values()), s.text("tag"), *flags, _doc(s))


def _enumerator(v: Section, earlier: dict[str, Enumerator]) -> Enumerator:
    v.only("name", "value", "alias", "deprecated", "text", "doc", "cause", "mend")
    alias = v.text("alias")
    if alias and alias not in earlier:
        v.problem("alias", f"{alias} is not an enumerator above this one", "write the name of an earlier enumerator")
    value = earlier[alias].value if alias in earlier else v.integer("value", required=not alias)
    texts = (_doc(v), _doc(v, "cause"), _doc(v, "mend"))
    return Enumerator(v.text("name", required=True), value, alias, v.truth("deprecated"), v.text("text"), *texts)


def _macros(tables: Tables, top: Section) -> None:
    top.only("macros")
    for s in top.sections("macros", required=True):
        s.only("name", "value", "library", "arguments", "doc")
        name, value = s.text("name", required=True), s.text("value", required=True)
        if tables.add(name, s):
            tables.macros[name] = Macro(name, value, _library(s), s.texts("arguments"), _doc(s))


def _parameter_docs(tables: Tables, top: Section) -> None:
    top.only("parameters")
    section = top.section("parameters")
    if section is not None:
        tables.parameter_docs = {str(name): section.both_languages(str(name)) for name in section.data}


def _functions(tables: Tables, top: Section) -> None:
    top.only("group", "library", "title", "order", "functions")
    group = Group(top.text("group", required=True), _library(top), _doc(top, "title"), top.integer("order"))
    if group.name != top.document.file.stem:
        top.problem("group", f"group {group.name!r} is not the file's name", f"write `group: {top.document.file.stem}`")
    tables.groups[group.name] = group
    for s in top.sections("functions", required=True):
        s.only("name", "symbol", "returns", "deprecated", "taught", "parameters", "doc")
        name = s.text("name", required=True)
        parameters = tuple(_parameter(tables, p) for p in s.sections("parameters"))
        if not tables.add(name, s):
            continue
        returns = s.text("returns", STATUS_ENUM[group.library])
        flags = (s.truth("deprecated"), s.truth("taught", True))
        symbol = s.text("symbol", name)
        tables.functions[name] = Function(name, group.library, group.name, returns, *flags, parameters, symbol, _doc(s))


def _parameter(tables: Tables, p: Section) -> Parameter:
    p.only("name", "type", "role", "of", "access", "space", "default", "doc")
    of = (p.text("of"),) if isinstance(p.data.get("of"), str) else p.texts("of")
    name, type_ = p.text("name", required=True), p.text("type", required=True)
    written = p.choice("role", tuple(ROLES)), p.choice("access", ACCESSES), p.choice("space", SPACES)
    doc = _doc(p) or tables.parameter_docs.get(name, {})
    parameter = Parameter(name, type_, written[0], of, written[1], written[2], p.text("default"), doc)
    role = parameter.role or _role_of_type(tables, parameter)
    if not role:
        p.problem("type", f"the role of {name} cannot be told from its type {type_!r}", f"add role: {', '.join(ROLES)}")
    return replace(parameter, role=role, access=parameter.access or _access(parameter, role))


def _role_of_type(tables: Tables, parameter: Parameter) -> str:
    """Role that follows from the C type alone; "" where a pointer could be several things."""
    base, opaque = parameter.base, tables.opaques.get(parameter.base)
    if parameter.pointers == 0:
        if opaque:
            return BY_VALUE.get(opaque.kind, "descriptor")
        return "enum" if base in tables.enums else "callback" if base in tables.callbacks else "value"
    single = parameter.pointers == 1 and not parameter.is_array and "const" not in parameter.type
    return "host_out" if single and base not in ("void", "char") else ""


def _access(parameter: Parameter, role: str) -> str:
    if parameter.pointers == 0 or role in ("user_data", "callback"):
        return ""
    return "in" if parameter.type.startswith("const") or role in ("scalar", "element") else "out"
