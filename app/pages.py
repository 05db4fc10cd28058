"""Rendering a page: the Jinja2 environment, and what every page is given (docs/pages.md)."""

import dataclasses
import json
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from babel.dates import format_datetime, get_timezone
from babel.numbers import format_decimal
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.breaks import breakable
from app.i18n import translations
from app.i18n.locales import DEFAULT, LANGS, Lang
from app.preferences.cookies import theme_of
from app.settings import Settings
from app.staticfiles import Manifest

ZONES: dict[Lang, str] = {"ko": "Asia/Seoul", "en": "UTC"}
"""Readers do not tell us where they are: Korean pages show Korean time, English ones UTC, each with its name."""


@dataclass(frozen=True, slots=True)
class Alternate:
    """The same page in one language; lang may be `x-default`."""

    lang: str
    url: str
    path: str


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    path: str
    canonical: str
    alternates: list[Alternate]


@dataclass(frozen=True, slots=True)
class GraderView:
    state: str
    backend: str = ""
    device: str = ""
    cudnn_version: str = ""


def to_json(value: Any, **_options: Any) -> str:
    """JSON of views (dataclasses, aware datetimes) for scripts and attributes."""
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    raise TypeError(f"{type(value).__name__} cannot become JSON")


def json_response(value: Any, status: int = 200, **more: Any) -> Response:
    """A JSON response of a view or mapping, with more fields added."""
    body = json.loads(to_json(value)) | more if more else value
    return Response(to_json(body), status, media_type="application/json", headers={"Cache-Control": "no-store"})


@pass_context
def _url(context: Context, path: str) -> str:
    return f"/{context['lang']}{path}"


@pass_context
def _when(context: Context, value: datetime) -> str:
    lang: Lang = context["lang"]
    return format_datetime(value, "medium", tzinfo=get_timezone(ZONES[lang]), locale=lang)


@pass_context
def _number(context: Context, value: float) -> str:
    return format_decimal(value, locale=context["lang"])


@cache
def _environment(templates: Path, static: Path, locale: Path, authoring: bool, lang: Lang) -> Environment:
    """One environment a language, since each has its own translations; templates are compiled once a process."""
    environment = Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=authoring,
        extensions=["jinja2.ext.i18n"],
    )
    environment.policies["json.dumps_function"] = to_json
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_gettext_translations(  # type: ignore[attr-defined]
        translations.load(locale)[lang], newstyle=True
    )
    environment.globals.update(asset=Manifest(static).url, url=_url)
    environment.filters.update(when=_when, number=_number, json=to_json, breakable=breakable)
    return environment


class Pages:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        folders = (settings.templates_dir, settings.static_dir, settings.locale_dir, settings.authoring)
        self._environments = {lang: _environment(*folders, lang) for lang in LANGS}

    def render(
        self, request: Request, lang: Lang, template: str, title: str, *, status: int = 200, **context: Any
    ) -> HTMLResponse:
        """Raises jinja2.TemplateError where the template is missing or uses what it was not given."""
        page = self._page(request, lang, title)
        shared = {
            "lang": lang,
            "theme": theme_of(request),
            "csp_nonce": request.state.csp_nonce,
            "page": page,
            "authoring": self._settings.authoring,
            "nav": None,
        }
        html = self._environments[lang].get_template(template).render(shared | context)
        headers = {"Content-Language": lang, "Cache-Control": "private, no-cache", "Vary": "Cookie"}
        return HTMLResponse(html, status_code=status, headers=headers)

    def _page(self, request: Request, lang: Lang, title: str) -> Page:
        path = request.url.path.removeprefix(f"/{lang}") or "/"
        query = f"?{request.url.query}" if request.url.query else ""
        origin = self._settings.public_origin
        alternates = [Alternate(other, f"{origin}/{other}{path}", f"/{other}{path}{query}") for other in LANGS]
        default = Alternate("x-default", f"{origin}/{DEFAULT}{path}", f"/{DEFAULT}{path}{query}")
        return Page(title, path, f"{origin}/{lang}{path}", [*alternates, default])
