"""`forwardpass`: serve the course, check its content, migrate the database, start new content."""

import asyncio
import ipaddress
import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer
from rich.console import Console
from rich.markup import escape

from app.checking import check_content, exercises_named
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
NEEDED = ("templates", "static", "alembic.ini")
"""Beside the packages, in the repository."""
GRACE_S = 3
"""How long open event streams may hold up a shutdown; browsers reconnect and resume by themselves."""


@app.callback()
def from_a_checkout() -> None:
    """Ends with a mend where the package was installed without its repository."""
    missing = next((name for name in NEEDED if not (ROOT / name).exists()), None)
    if missing:
        console.print(f"{ROOT / missing} is missing: lessons, pages and simulator are not part of the Python package.")
        console.print("    mend: work in a checkout of the repository (make run), or use the containers")
        raise typer.Exit(2)


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
def check(
    slugs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[EXERCISE]...", help="Exercises whose programs are graded too; of a lesson: all its."),
    ] = None,
) -> None:
    """Check all content. Each complaint names file, line and mend; the exit status is 1 where there is any."""
    settings = Settings()
    report = check_content(settings)
    for problem in report.problems:
        print_problem(problem)
    graded = not slugs or grade_programs(settings, slugs)
    console.print(report.summary, style="bold", highlight=False)
    raise typer.Exit(1 if report.problems or not graded else 0)


def grade_programs(settings: Settings, slugs: list[str]) -> bool:
    """Grades every sample program and starter of these exercises; False where one is not as declared."""
    exercises, unknown = exercises_named(settings, slugs)
    for slug in unknown:
        console.print(f"there is no exercise {slug!r}", highlight=False)
        console.print("    mend: give the name of a folder below exercises/, or of a lesson", highlight=False)
    command = [sys.executable, "-m", "grader", "verify", "--exercises", str(settings.exercises_dir)]
    command += ["--backend", settings.backend, *exercises]
    return not unknown and subprocess.run(command, cwd=ROOT, check=False).returncode == 0


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
    place = f"then: name it in the lesson's lesson.yaml, and write `:::{{exercise}} {slug}` and `:::` into its texts"
    _write(lambda: new_exercise(Settings().exercises_dir, slug, lesson), slug, (place,))


@new.command("clinic")
def new_clinic_command(
    slug: Annotated[str, typer.Argument(help="Name in addresses: a-z, 0-9 and hyphens.")],
    lesson: Annotated[str, typer.Option(help="Lesson that explains it.")] = "handles",
) -> None:
    """Write a case of the clinic: symptom, broken starter, explanation, hints and sample programs."""
    _write(lambda: new_clinic(Settings().exercises_dir, slug, lesson), slug)


def _write(make: Callable[[], list[Path]], slug: str = "", then: tuple[str, ...] = ()) -> None:
    try:
        written = make()
    except ContentError as error:
        for problem in error.problems:
            print_problem(problem)
        raise typer.Exit(1) from None
    for file in written:
        console.print(str(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file), highlight=False)
    console.print(f"now run: forwardpass check {slug}" if slug else "now run: forwardpass check", highlight=False)
    for line in then:
        console.print(line, highlight=False)


def main() -> None:
    app()
