"""Reference pages from the table of the API (docs/pages.md)."""

import re
from dataclasses import dataclass, field, replace
from functools import cache

from markupsafe import Markup

from app.content.markdown import code
from app.content.markdown.links import Links
from app.content.markdown.render import render_inline
from app.content.model import Content
from app.errors import NotFound
from app.i18n.locales import Lang
from app.i18n.messages import reference_text
from app.views import LessonCard, Link, Progress, lessons_with
from grader.contract.api import TABLE, Api
from grader.contract.api_python import python_signature
from grader.contract.api_types import Enum, Enumerator, Field, Function, Macro, Opaque, Parameter, Struct, Text

EMPTY = Markup()
Entry = Function | Enum | Enumerator | Struct | Macro | Opaque


@dataclass(frozen=True, slots=True)
class ReferenceCard:
    name: str
    url: str
    summary: Markup
    deprecated: str
    taught: bool


@dataclass(frozen=True, slots=True)
class GroupView:
    slug: str
    title: str
    functions: list[ReferenceCard]


@dataclass(frozen=True, slots=True)
class ParameterView:
    name: str
    type: str
    role: str
    doc: Markup
    url: str


@dataclass(frozen=True, slots=True)
class ValueView:
    name: str
    value: int
    doc: Markup
    url: str


@dataclass(frozen=True, slots=True)
class FieldView:
    name: str
    type: str
    doc: Markup
    url: str


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    name: str
    kind: str
    library: str
    doc: Markup
    deprecated: str
    taught: bool
    lessons: list[LessonCard]
    group: str = ""
    group_title: str = ""
    cpp: Markup = EMPTY
    python: Markup = EMPTY
    parameters: list[ParameterView] = field(default_factory=list)
    returns: str = ""
    values: list[ValueView] = field(default_factory=list)
    functions: list[ReferenceCard] = field(default_factory=list)
    value: int = 0
    enum: Link | None = None
    cause: Markup = EMPTY
    mend: Markup = EMPTY
    fields: list[FieldView] = field(default_factory=list)


@cache
def rendered(text: str, lang: Lang) -> Markup:
    """Documentation of the table as HTML; it links to nothing."""
    return render_inline(text, TABLE, Links(lang, {})).html if text else EMPTY


class Reference:
    """The pages of one language for one reader."""

    def __init__(self, api: Api, content: Content, lang: Lang, progress: Progress) -> None:
        self._api = api
        self._content = content
        self._lang = lang
        self._progress = progress

    def groups(self) -> list[GroupView]:
        found = [
            GroupView(group.name, self._text(group.title), [self.card(f) for f in self._api.in_group(group.name)])
            for group in self._api.groups.values()
        ]
        return [group for group in found if group.functions]

    def enums(self) -> list[ReferenceCard]:
        return [self.card(enum) for enum in self._api.enums.values()]

    def structs(self) -> list[ReferenceCard]:
        return [self.card(struct) for struct in self._api.structs.values()]

    def statuses(self) -> list[ReferenceCard]:
        return [self.card(value) for value in self._api.enums["cudnnStatus_t"].values]

    def macros(self) -> list[ReferenceCard]:
        return [self.card(macro) for macro in self._api.macros.values()]

    def card(self, entry: Entry) -> ReferenceCard:
        taught = getattr(entry, "taught", True)
        return ReferenceCard(entry.name, self._url(entry.name), self._doc(entry.doc), self._deprecated(entry), taught)

    def entry(self, name: str) -> ReferenceEntry:
        """Raises NotFound."""
        if function := self._api.functions.get(name):
            return self._function(function)
        if enum := self._api.enums.get(name):
            return self._enum(enum)
        if pair := self._api.enumerators.get(name):
            return self._value(*pair)
        if struct := self._api.structs.get(name):
            return self._struct(struct)
        if opaque := self._api.opaques.get(name):
            return self._opaque(opaque)
        if macro := self._api.macros.get(name):
            return self._macro(macro)
        raise NotFound("reference", name)

    # -- the kinds ----------------------------------------------------------------------------------------------

    def _function(self, function: Function) -> ReferenceEntry:
        group = self._api.groups.get(function.group)
        return replace(
            self._basic("function", function),
            group=function.group,
            group_title=self._text(group.title) if group else "",
            cpp=code.inline(function.signature + ";"),
            python=code.inline(python_signature(function), "python"),
            parameters=[self._parameter(parameter) for parameter in function.parameters],
            returns=function.returns,
        )

    def _parameter(self, parameter: Parameter) -> ParameterView:
        role = reference_text("roles", parameter.role, self._lang)
        return ParameterView(
            parameter.name, parameter.type, role, self._doc(parameter.doc), self._type_url(parameter.base)
        )

    def _type_url(self, name: str) -> str:
        known = name in self._api.enums or name in self._api.structs or name in self._api.opaques
        return self._url(name) if known else ""

    def _enum(self, enum: Enum) -> ReferenceEntry:
        values = [ValueView(v.name, v.value, self._doc(v.doc), self._url(v.name)) for v in enum.values]
        return replace(self._basic("enum", enum), values=values, functions=self._using(enum.name))

    def _value(self, enum: Enum, value: Enumerator) -> ReferenceEntry:
        return replace(
            self._basic("value", value),
            library=enum.library,
            value=value.value,
            enum=Link(enum.name, self._url(enum.name)),
            cause=self._doc(value.cause),
            mend=self._doc(value.mend),
        )

    def _struct(self, struct: Struct) -> ReferenceEntry:
        fields = [self._field(field) for field in struct.fields]
        return replace(self._basic("struct", struct), fields=fields, functions=self._using(struct.name))

    def _field(self, field: Field) -> FieldView:
        type_ = f"{field.type}[{field.count}]" if field.count > 1 else field.type
        return FieldView(field.name, type_, self._doc(field.doc), self._type_url(field.type))

    def _macro(self, macro: Macro) -> ReferenceEntry:
        return replace(self._basic("macro", macro), cpp=code.inline(macro.definition))

    def _opaque(self, opaque: Opaque) -> ReferenceEntry:
        about = rendered(reference_text("opaque", opaque.kind, self._lang), self._lang)
        doc = Markup(" ").join(filter(None, [self._doc(opaque.doc), about]))
        return replace(self._basic("struct", opaque), doc=doc, functions=self._using(opaque.name))

    def _basic(self, kind: str, entry: Entry) -> ReferenceEntry:
        """What every kind of entry has."""
        return ReferenceEntry(
            name=entry.name,
            kind=kind,
            library=getattr(entry, "library", ""),
            doc=self._doc(entry.doc),
            deprecated=self._deprecated(entry),
            taught=getattr(entry, "taught", True),
            lessons=self._lessons(entry.name),
        )

    # -- shared -------------------------------------------------------------------------------------------------

    def _using(self, type_name: str) -> list[ReferenceCard]:
        return [
            self.card(function)
            for function in self._api.functions.values()
            if any(parameter.base == type_name for parameter in function.parameters)
        ]

    def _lessons(self, name: str) -> list[LessonCard]:
        return lessons_with(self._content, self._lang, self._progress, re.compile(rf"\b{re.escape(name)}\b"))

    def _text(self, text: Text) -> str:
        return text.get(self._lang, "")

    def _doc(self, text: Text) -> Markup:
        return rendered(self._text(text), self._lang)

    def _url(self, name: str) -> str:
        return f"/{self._lang}/reference/{name}"

    def _deprecated(self, entry: Entry) -> str:
        return reference_text("deprecated", "any", self._lang) if getattr(entry, "deprecated", False) else ""
