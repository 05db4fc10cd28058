"""What the editor completes and explains, in one language."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from app.i18n.locales import Lang
from app.i18n.messages import reference_text
from grader.contract.api import Api
from grader.contract.api_python import python_signature
from grader.contract.api_types import Parameter, Text


@dataclass(frozen=True, slots=True)
class Completion:
    """cpp, python: how the name is written, with what it takes or stands for."""

    name: str
    kind: Literal["function", "value", "enum", "struct"]
    cpp: str
    python: str
    doc: Text
    deprecated: bool = False
    parameters: tuple[Parameter, ...] = ()


def completions(api: Api) -> Iterator[Completion]:
    """Every taught name once: functions, enums and their values, types, constants."""
    for f in api.taught():
        yield Completion(f.name, "function", f.signature, python_signature(f), f.doc, f.deprecated, f.parameters)
    enums = [enum for enum in api.enums.values() if enum.taught]
    for enum in enums:
        yield Completion(enum.name, "enum", f"enum {enum.name}", enum.name, enum.doc, enum.deprecated)
    for value in (value for enum in enums for value in enum.values):
        yield Completion(value.name, "value", f"{value.name} = {value.value}", value.name, value.doc, value.deprecated)
    for opaque in api.opaques.values():
        yield Completion(opaque.name, "struct", opaque.name, opaque.name, opaque.doc)
    for struct in (struct for struct in api.structs.values() if struct.taught):
        yield Completion(struct.name, "struct", f"struct {struct.name}", struct.name, struct.doc)
    for macro in api.macros.values():
        yield Completion(macro.name, "value", f"{macro.name} = {macro.value}", macro.name, macro.doc)


def completion_file(api: Api, lang: Lang) -> tuple[bytes, str]:
    """JSON `{version, items}` (docs/pages.md) and its ETag."""
    items = [_item(completion, lang) for completion in completions(api)]
    version = hashlib.sha256(json.dumps(items, sort_keys=True).encode()).hexdigest()[:16]
    body = json.dumps({"version": version, "items": items}, ensure_ascii=False, separators=(",", ":"))
    return body.encode(), f'"{version}"'


def _item(completion: Completion, lang: Lang) -> dict[str, Any]:
    return {
        "name": completion.name,
        "kind": completion.kind,
        "cpp": completion.cpp,
        "python": completion.python,
        "doc": completion.doc.get(lang, ""),
        "deprecated": reference_text("deprecated", "any", lang) if completion.deprecated else "",
        "url": f"/{lang}/reference/{completion.name}",
        "parameters": [{"name": p.name, "type": p.type, "doc": p.doc.get(lang, "")} for p in completion.parameters],
    }
