"""Migrations bring an empty database to exactly what the models say, and back."""

import asyncio

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect
from sqlalchemy.ext.asyncio import create_async_engine

import app.models  # noqa: F401
from app.db import Base
from app.migrations.run import configuration, upgrade
from tests.web.conftest import execute


@pytest.fixture
def database_url(database_url: str) -> str:
    """A database whose tables may go."""
    if database_url.startswith("sqlite"):
        return database_url
    asyncio.run(execute(database_url.replace("/base", "/postgres"), "DROP DATABASE IF EXISTS migrated"))
    asyncio.run(execute(database_url.replace("/base", "/postgres"), "CREATE DATABASE migrated TEMPLATE base"))
    return database_url.replace("/base", "/migrated")


def test_models_and_migrations_agree(database_url: str) -> None:
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, Base.metadata))

    assert asyncio.run(_run(database_url, differences)) == []


def test_upgrade_twice_changes_nothing(database_url: str) -> None:
    asyncio.run(upgrade(database_url))
    asyncio.run(upgrade(database_url))


def test_downgrade_leaves_nothing(database_url: str) -> None:
    def down(connection: Connection) -> list[str]:
        command.downgrade(configuration(connection), "base")
        return [name for name in inspect(connection).get_table_names() if name != "alembic_version"]

    assert asyncio.run(_run(database_url, down)) == []


async def _run(url: str, work: object) -> object:
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        result = await connection.run_sync(work)  # type: ignore[arg-type]
    await engine.dispose()
    return result
