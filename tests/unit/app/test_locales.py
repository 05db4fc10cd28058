"""Which language a request gets."""

import pytest
from starlette.requests import Request

from app.i18n import locales, translations
from app.settings import Settings


def request(path: str = "/", query: str = "", **headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "path": path, "query_string": query.encode(), "headers": raw})


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("ko-KR,ko;q=0.9,en;q=0.8", "ko"),
        ("en-GB", "en"),
        ("fr;q=1, en;q=0.2, ko;q=0.3", "ko"),
        ("fr, de", None),
        ("en;q=0", None),
        ("", None),
        (";;,q=,en;q=x", None),
    ],
)
def test_accept_language(header: str, lang: str | None) -> None:
    assert locales.accepted(header) == lang


def test_order_of_wishes() -> None:
    assert locales.of_request(request("/en/lessons/x", cookie="fp_lang=ko")) == "en"
    assert locales.of_request(request("/api/x", "lang=en", cookie="fp_lang=ko")) == "en"
    assert locales.of_request(request("/api/x", "lang=fr", cookie="fp_lang=en")) == "en"
    assert locales.of_request(request("/api/x", accept_language="en")) == "en"
    assert locales.of_request(request("/api/x")) == "ko"


def test_catalogues_load_from_their_sources() -> None:
    catalogues = translations.load(Settings().locale_dir)
    assert set(catalogues) == {"ko", "en"}
    assert catalogues["ko"].gettext("Search") != "Search"
