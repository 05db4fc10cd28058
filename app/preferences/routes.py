"""Choosing theme and language."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import JSONResponse, Response

from app.deps import ServicesDep, body
from app.i18n import locales
from app.i18n.locales import Lang
from app.middleware.cookies import set_cookie
from app.preferences.cookies import LANG_COOKIE, THEME_COOKIE, YEAR_S, Theme, theme_of

router = APIRouter(prefix="/api")


class PreferencesIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    theme: Theme | None = None
    lang: Lang | None = None


@router.post("/preferences")
async def choose(
    request: Request, wanted: Annotated[PreferencesIn, Depends(body(PreferencesIn))], services: ServicesDep
) -> Response:
    secure = services.settings.secure
    if wanted.theme:
        set_cookie(request, THEME_COOKIE, wanted.theme, max_age=YEAR_S, secure=secure)
    if wanted.lang:
        set_cookie(request, LANG_COOKIE, wanted.lang, max_age=YEAR_S, secure=secure)
    theme, lang = wanted.theme or theme_of(request), wanted.lang or locales.preferred(request)
    return JSONResponse({"theme": theme, "lang": lang})
