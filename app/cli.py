"""`forwardpass`: serve the course, check its content, migrate the database, start new content."""

import asyncio
import ipaddress
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer
from rich.console import Console
from rich.markup import escape

from app.checking import check_content
from app.migrations.run import upgrade
from app.scaffolds.write import new_clinic, new_exercise, new_lesson
from app.settings import ROOT, Settings
from grader.contract.problems import ContentError, Problem

app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__)
db = typer.Typer(no_args_is_help=True, help="The database.")
new = typer.Typer(no_args_is_help=True, help="Start new content that is valid as it stands.")
app.add_typer(db, name="db")
app.add_typer(new, name="new")

console = Console(soft_wrap=True)
GRACE_S = 3
"""How long open event streams may hold up a shutdown; browsers reconnect and resume by themselves."""


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8000,
    authoring: Annotated[
        bool | None, typer.Option(help="Reload changed content and show its problems. Default: on a loopback address.")
    ] = None,
) -> None:
    """Bring the database up to date, then serve the course."""
    import uvicorn  # here, so that the other commands start fast

    from app.main import create_app

    settings = Settings()
    if "public_origin" not in settings.model_fields_set:
        name = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104  (compared, not bound)
        settings = settings.model_copy(update={"public_origin": f"http://{name}:{port}"})
    if authoring is not None or "authoring" not in settings.model_fields_set:
        chosen = is_loopback(settings.public_origin) if authoring is None else authoring
        settings = settings.model_copy(update={"authoring": chosen})
    logging.basicConfig(level=settings.log_level.upper(), format="%(levelname)s %(name)s: %(message)s")
    asyncio.run(upgrade(settings.database_url))
    console.print(f"Forward Pass: [link={settings.public_origin}]{settings.public_origin}[/link]")
    uvicorn.run(
        create_app(settings),
        host=host,
        port=port,
        log_level=settings.log_level,
        timeout_graceful_shutdown=GRACE_S,
        proxy_headers=True,
        server_header=False,
    )


def is_loopback(origin: str) -> bool:
    """Whether only this machine can open the address."""
    name = urlsplit(origin).hostname or ""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


@app.command()
def check() -> None:
    """Check all content. Each complaint names file, line and mend; the exit status is 1 where there is any."""
    report = check_content(Settings())
    for problem in report.problems:
        print_problem(problem)
    console.print(report.summary, style="bold", highlight=False)
    raise typer.Exit(1 if report.problems else 0)


def print_problem(problem: Problem) -> None:
    file = problem.file.relative_to(ROOT) if problem.file.is_relative_to(ROOT) else problem.file
    where = f"{file}:{problem.line}" if problem.line else str(file)
    console.print(f"[bold]{escape(where)}[/bold]: {escape(problem.message)}", highlight=False)
    console.print(f"    mend: {escape(problem.mend)}", highlight=False)


@db.command("upgrade")
def db_upgrade() -> None:
    """Bring the database up to date (serve does so by itself)."""
    settings = Settings()
    asyncio.run(upgrade(settings.database_url))
    console.print("database up to date", highlight=False)


@new.command("lesson")
def new_lesson_command(
    slug: Annotated[str, typer.Argument(help="Name in addresses: a-z, 0-9 and hyphens.")],
    section: Annotated[str, typer.Option(help="Section of course.yaml.")] = "core",
) -> None:
    """Write a lesson in both languages with a quiz, at the end of a section."""
    _write(lambda: new_lesson(Settings().lessons_dir, slug, section))


@new.command("exercise")
def new_exercise_command(
    slug: Annotated[str, typer.Argument(help="Name in addresses: a-z, 0-9 and hyphens.")],
    lesson: Annotated[str, typer.Option(help="Lesson that it belongs to.")] = "handles",
) -> None:
    """Write an exercise with starter, reference, hints and sample programs, in both languages."""
    _write(lambda: new_exercise(Settings().exercises_dir, slug, lesson))


@new.command("clinic")
def new_clinic_command(
    slug: Annotated[str, typer.Argument(help="Name in addresses: a-z, 0-9 and hyphens.")],
    lesson: Annotated[str, typer.Option(help="Lesson that explains it.")] = "handles",
) -> None:
    """Write a case of the clinic: symptom, broken starter, explanation, hints and sample programs."""
    _write(lambda: new_clinic(Settings().exercises_dir, slug, lesson))


def _write(make: Callable[[], list[Path]]) -> None:
    try:
        written = make()
    except ContentError as error:
        for problem in error.problems:
            print_problem(problem)
        raise typer.Exit(1) from None
    for file in written:
        console.print(str(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file), highlight=False)
    console.print("now run: forwardpass check", highlight=False)


def main() -> None:
    app()
