"""Guests. A reader exists from the first thing worth keeping; a mere visit leaves no row and no cookie."""

import hashlib
import secrets
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import queries
from app.accounts.models import Reader

COOKIE: Final = "fp_reader"
COOKIE_AGE_S: Final = 400 * 24 * 3600  # the longest that browsers keep a cookie
TOKEN_BYTES = 32
TOKEN_LENGTH = 43
"""Characters of a token: 32 bytes in base64 without padding."""


def hashed(token: str) -> str:
    """The token has 256 random bits, so one round of SHA-256 is enough: there is nothing to guess."""
    return hashlib.sha256(token.encode()).hexdigest()


async def find(session: AsyncSession, token: str, *, lock: bool = False) -> Reader | None:
    """lock: until the end of the transaction, so that a reader's writes come one after the other."""
    if len(token) != TOKEN_LENGTH:
        return None
    return await queries.by_token_hash(session, hashed(token), lock=lock)


async def create(session: AsyncSession) -> tuple[Reader, str]:
    """A new guest, and the token that their cookie is to hold."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    return await queries.add(session, hashed(token)), token
