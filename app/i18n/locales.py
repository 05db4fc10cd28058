"""The two languages, and which of them a request wants."""

from typing import Final, Literal

from babel import negotiate_locale
from starlette.requests import Request

Lang = Literal["ko", "en"]
LANGS: Final[tuple[Lang, ...]] = ("ko", "en")
DEFAULT: Final[Lang] = "ko"
COOKIE: Final = "fp_lang"


def known(value: str | None) -> Lang | None:
    for lang in LANGS:
        if value == lang:
            return lang
    return None


def accepted(header: str) -> Lang | None:
    """The best of our languages by an Accept-Language header; None where it names neither."""
    wanted: list[tuple[float, str]] = []
    for part in header.split(","):
        tag, _, parameter = part.strip().partition(";")
        try:
            quality = float(parameter.strip().removeprefix("q=")) if parameter else 1.0
        except ValueError:
            continue
        if tag and quality > 0:
            wanted.append((quality, tag.strip()))
    tags = [tag for _, tag in sorted(wanted, key=lambda item: -item[0])]
    return known(negotiate_locale(tags, LANGS, sep="-"))


def preferred(request: Request) -> Lang:
    """The cookie, then Accept-Language, else Korean."""
    return known(request.cookies.get(COOKIE)) or accepted(request.headers.get("accept-language", "")) or DEFAULT


def of_request(request: Request) -> Lang:
    """The language to answer in: the page's prefix, `?lang=`, then `preferred`."""
    prefix = request.url.path.split("/", 2)[1]
    return known(prefix) or known(request.query_params.get("lang")) or preferred(request)
