"""Which language a request gets."""

from pathlib import Path

import pytest
from babel.messages.pofile import read_po
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
    folder = Settings().locale_dir
    catalogues = translations.load(folder)
    assert set(catalogues) == {"ko", "en"}
    with (folder / "ko" / "LC_MESSAGES" / "messages.po").open("rb") as file:
        written = [
            message for message in read_po(file) if isinstance(message.id, str) and message.id and message.string
        ]
    assert written
    for message in written:
        assert catalogues["ko"].gettext(message.id) == message.string


def test_language_without_a_catalogue_speaks_its_message_ids(tmp_path: Path) -> None:
    assert translations.load(tmp_path)["ko"].gettext("Hello") == "Hello"
