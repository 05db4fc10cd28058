"""Settings from the environment, and what is refused."""

import re

import pytest
from pydantic import ValidationError

from app.settings import ROOT, Settings, async_url


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgres://u:p@h:5432/d", "postgresql+asyncpg://u:p@h:5432/d"),
        ("postgresql://u@h/d?sslmode=require", "postgresql+asyncpg://u@h/d?ssl=require"),
        ("postgresql+psycopg://u@h/d", "postgresql+asyncpg://u@h/d"),
        ("sqlite:////var/lib/x.db", "sqlite+aiosqlite:////var/lib/x.db"),
        ("sqlite:///x.db", "sqlite+aiosqlite:///x.db"),
        ("sqlite+aiosqlite:///x.db", "sqlite+aiosqlite:///x.db"),
    ],
)
def test_database_urls_get_the_asynchronous_driver(given: str, used: str) -> None:
    assert async_url(given) == used


def test_environment_is_read_with_and_without_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORWARDPASS_DATABASE_URL", raising=False)
    monkeypatch.setenv("DATABASE_URL", "postgresql://h/d")
    monkeypatch.setenv("FORWARDPASS_PUBLIC_ORIGIN", "https://Course.Example.org/")
    monkeypatch.setenv("FORWARDPASS_GRADER", "unix:/run/grader.sock")
    settings = Settings()
    assert settings.database_url == "postgresql+asyncpg://h/d"
    assert settings.public_origin == "https://course.example.org"
    assert settings.secure
    assert settings.grader == "unix:/run/grader.sock"
    monkeypatch.setenv("FORWARDPASS_DATABASE_URL", "sqlite:///mine.db")
    assert Settings().database_url == "sqlite+aiosqlite:///mine.db", "our own name wins"


@pytest.mark.parametrize(
    "wrong",
    [
        {"database_url": "mysql://h/d"},
        {"public_origin": "course.example.org"},
        {"public_origin": "https://course.example.org/path"},
        {"grader": "tcp:1234"},
        {"grader": "unix:"},
        {"backend": "tpu"},
    ],
)
def test_wrong_values_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Settings(**wrong)


def test_documented_defaults_are_the_real_ones() -> None:
    text = (ROOT / "docs" / "deploying.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `FORWARDPASS_(\w+)` \| `?([\w:/.]+)`?", text, re.MULTILINE)
    assert len(rows) > 8
    for name, documented in rows:
        default = Settings.model_fields[name.lower()].default
        said = default if documented == "empty:" and not default else documented
        real = Settings.model_validate({name.lower(): said})
        assert getattr(real, name.lower()) == default, f"docs/deploying.md: FORWARDPASS_{name}"
