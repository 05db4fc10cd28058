"""Database access for readers."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import Reader


async def by_token_hash(session: AsyncSession, token_hash: str, *, lock: bool) -> Reader | None:
    query = select(Reader).where(Reader.token_hash == token_hash)
    return await session.scalar(query.with_for_update() if lock else query)


async def add(session: AsyncSession, token_hash: str) -> Reader:
    reader = Reader(token_hash=token_hash)
    session.add(reader)
    await session.flush()
    return reader
