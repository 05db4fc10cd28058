"""Bring a database to the newest migration."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import text
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import create_async_engine

from app.db import Database

LOCK = 7_305_842_117
"""Number of PostgreSQL's advisory lock: two web processes that start together migrate one after the other."""


def configuration(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    return config


def _upgrade(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    command.upgrade(configuration(connection), "head")


async def upgrade(url: str) -> None:
    """Raises what the database raises when it cannot be reached or altered."""
    await Database(url).close()  # makes the folder of an SQLite file
    engine = create_async_engine(url)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade)
    finally:
        await engine.dispose()
