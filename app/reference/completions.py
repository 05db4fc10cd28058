"""What the editor completes and explains, in one language."""

import hashlib
import json
from typing import Any

from app.i18n.locales import Lang
from app.i18n.messages import reference_text
from app.reference.views import python_signature
from grader.contract.api import Api, completions

KINDS = {"function": "function", "enumerator": "value", "enum": "enum", "type": "struct", "macro": "value"}


def completion_file(api: Api, lang: Lang) -> tuple[bytes, str]:
    """JSON `{version, items}` and its ETag."""
    items = [_item(entry, api, lang) for entry in completions()]
    version = hashlib.sha256(json.dumps(items, sort_keys=True).encode()).hexdigest()[:16]
    body = json.dumps({"version": version, "items": items}, ensure_ascii=False, separators=(",", ":"))
    return body.encode(), f'"{version}"'


def _item(entry: dict[str, Any], api: Api, lang: Lang) -> dict[str, Any]:
    name = entry["name"]
    function = api.functions.get(name)
    return {
        "name": name,
        "kind": KINDS[entry["kind"]],
        "cpp": entry["signature"],
        "python": python_signature(function) if function else name,
        "doc": entry["doc"].get(lang, ""),
        "deprecated": reference_text("deprecated", "any", lang) if entry["deprecated"] else "",
        "url": f"/{lang}/reference/{name}",
        "parameters": [
            {"name": p["name"], "type": p["type"], "doc": p["doc"].get(lang, "")} for p in entry.get("parameters", [])
        ],
    }
