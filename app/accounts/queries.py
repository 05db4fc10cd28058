"""Database access for readers."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import Reader


async def by_token_hash(session: AsyncSession, token_hash: str) -> Reader | None:
    return await session.scalar(select(Reader).where(Reader.token_hash == token_hash))


async def add(session: AsyncSession, token_hash: str) -> Reader:
    reader = Reader(token_hash=token_hash)
    session.add(reader)
    await session.flush()
    return reader
