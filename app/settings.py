"""Settings, read from the environment (`FORWARDPASS_…`) by `app.main` or `app.cli`, never on import."""

from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from pydantic import AliasChoices, Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from grader.contract.job import BackendName

ROOT = Path(__file__).resolve().parent.parent


class Settings(BaseSettings):
    """Everything an operator can choose. `docs/deploying.md` explains each variable."""

    model_config = SettingsConfigDict(env_prefix="FORWARDPASS_", extra="ignore", populate_by_name=True)

    database_url: str = Field(
        default=f"sqlite+aiosqlite:///{ROOT}/var/forwardpass.db",
        validation_alias=AliasChoices("FORWARDPASS_DATABASE_URL", "DATABASE_URL"),
    )
    public_origin: str = "http://127.0.0.1:8000"
    """Scheme, host and port that browsers use; unsafe requests without Sec-Fetch-Site must come from it."""
    grader: str = "embedded"
    """`embedded` (a worker process of this machine), `unix:/path/to/socket`, or `off` (another web process has it)."""
    grader_command: list[str] = []
    """Command of the embedded worker; empty: this Python with `-m grader worker`."""
    grader_connections: int = 4
    """Connections to a grader behind a socket: it works on one job on each, as far as it has slots."""
    backend: BackendName = "auto"
    authoring: bool = False
    """Development: content is read again when its files change, and pages show what is wrong with it."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    lessons_dir: Path = ROOT / "lessons"
    exercises_dir: Path = ROOT / "exercises"
    templates_dir: Path = ROOT / "templates"
    static_dir: Path = ROOT / "static"
    locale_dir: Path = ROOT / "app" / "i18n" / "locale"

    max_body_bytes: int = 4 * 1024 * 1024
    max_draft_bytes: int = 1024 * 1024
    submissions_per_minute: int = 20
    """A reader who sends more is asked to wait (429)."""
    readers_per_minute: int = 600
    """New guests from one address; more are refused (429), so that nobody fills the queue under many names.
    A whole class may come from one address, behind a router or a proxy."""
    compile_drafts: bool = True
    """Compiles drafts in the background while their writers pause."""
    drafts_per_minute: int = 60
    """Drafts of one reader that are compiled; more are left alone."""
    max_queue: int = 500
    job_silence_s: float = 300.0
    """A grader that says nothing about a running job for so long is taken for dead."""
    metrics_token: str = ""
    """Who sends it as `Authorization: Bearer …` is shown `/metrics`; empty: nobody is."""
    heartbeat_s: float = 15.0

    @field_validator("database_url")
    @classmethod
    def _async_driver(cls, value: str) -> str:
        return async_url(value)

    @field_validator("public_origin")
    @classmethod
    def _origin_only(cls, value: str) -> str:
        parts = urlsplit(value.strip())
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
            raise ValueError("must be scheme, host and port only, such as https://course.example.org")
        return f"{parts.scheme}://{parts.netloc}".lower()

    @field_validator("grader")
    @classmethod
    def _grader_address(cls, value: str) -> str:
        if value in ("embedded", "off") or (value.startswith("unix:") and len(value) > len("unix:")):
            return value
        raise ValueError("must be 'embedded', 'off' or 'unix:/path/to/socket'")

    @property
    def secure(self) -> bool:
        """Whether browsers reach us over TLS: cookies are then Secure."""
        return self.public_origin.startswith("https://")


def async_url(url: str) -> str:
    """The database URL with the asynchronous driver: `postgres://…`, `postgresql://…` and `sqlite:///…` are accepted.

    libpq's `sslmode` becomes asyncpg's `ssl`. Raises ValueError for any other database.
    """
    parts = urlsplit(url)
    scheme = parts.scheme.split("+")[0]
    if scheme in ("postgres", "postgresql"):
        query = [("ssl" if key == "sslmode" else key, value) for key, value in parse_qsl(parts.query)]
        return urlunsplit(("postgresql+asyncpg", parts.netloc, parts.path, urlencode(query), ""))
    if scheme == "sqlite":
        return "sqlite+aiosqlite" + url[url.index(":") :]
    raise ValueError(f"database {scheme!r} is not supported: use postgresql://… or sqlite:///…")
