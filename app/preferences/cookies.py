"""Names and values of the preference cookies. Both are read by the server, so that a page never flashes or asks."""

from typing import Final, Literal

from starlette.requests import Request

from app.i18n import locales

Theme = Literal["system", "light", "dark"]
THEMES: Final[tuple[Theme, ...]] = ("system", "light", "dark")
THEME_COOKIE: Final = "fp_theme"
LANG_COOKIE: Final = locales.COOKIE
YEAR_S: Final = 365 * 24 * 3600


def theme_of(request: Request) -> Theme:
    for theme in THEMES:
        if request.cookies.get(THEME_COOKIE) == theme:
            return theme
    return "system"
