"""The repository keeps its own rules: documented commands exist, lock files name no address, checks can fail."""

import re
import runpy
import subprocess
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

DOCUMENTS = ["README.md", "README.ko.md", "CONTRIBUTING.md", "docs/deploying.md", "docs/security.md", "bench/README.md"]
Checker = Callable[..., Iterable[str]]


@pytest.fixture(scope="module")
def rules() -> dict[str, Any]:
    """The functions of scripts/check_repository.py."""
    script = Path(__file__).resolve().parents[2] / "scripts" / "check_repository.py"
    return runpy.run_path(str(script))


@pytest.fixture(scope="module")
def recipes() -> set[str]:
    makefile = Path(__file__).resolve().parents[2] / "Makefile"
    return set(re.findall(r"^([a-z][a-z-]*):", makefile.read_text(), re.MULTILINE))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documented_recipes_exist(repository: Path, recipes: set[str], name: str) -> None:
    text = (repository / name).read_text(encoding="utf-8")
    mentioned = set(
        re.findall(r"\bmake ([a-z][a-z-]*)", "\n".join(re.findall(r"`[^`]+`|^    .*$", text, re.MULTILINE)))
    )
    assert mentioned <= recipes, f"{name} names recipes that the Makefile lacks: {sorted(mentioned - recipes)}"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_to_files_lead_somewhere(repository: Path, name: str) -> None:
    document = repository / name
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text(encoding="utf-8"))
    broken = [link for link in links if "://" not in link and not (document.parent / link).exists()]
    assert broken == []


def test_help_lists_every_recipe(repository: Path, recipes: set[str]) -> None:
    shown = subprocess.run(["make", "help"], cwd=repository, capture_output=True, text=True, check=True).stdout
    listed = set(re.findall(r"^  make ([a-z][a-z-]*) +\S", shown, re.MULTILINE))
    assert {"help", "run", "test", "check", "bench", "verify", "clean"} <= listed
    assert listed == recipes - {"setup"}


def test_every_dependency_is_locked(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text())["project"]
    for lock, wanted in [
        ("requirements.lock", project["dependencies"]),
        ("requirements-dev.lock", project["dependencies"] + project["optional-dependencies"]["dev"]),
        ("requirements-gpu.lock", project["optional-dependencies"]["gpu"]),
    ]:
        locked = set(re.findall(r"^([\w.-]+)==", (repository / lock).read_text(), re.MULTILINE))
        names = {re.split(r"[\[><=; ]", line)[0].lower().replace("_", "-") for line in wanted}
        assert names <= locked, f"{lock} lacks {sorted(names - locked)}: make lock"


def test_lock_files_agree(repository: Path) -> None:
    def versions(lock: str) -> dict[str, str]:
        pairs = re.findall(r"^([\w.-]+)==(\S+.*?) \\$", (repository / lock).read_text(), re.MULTILINE)
        # A package may have one version for each range of Python versions: the marker is part of the key.
        return {name + marker: version for name, pin in pairs for version, _, marker in [pin.partition(" ;")]}

    base = versions("requirements.lock")
    for lock in ("requirements-dev.lock", "requirements-grader.lock", "requirements-gpu.lock"):
        for package, version in versions(lock).items():
            assert base.get(package, version) == version, f"{lock}: {package}"
    assert base.keys() <= versions("requirements-dev.lock").keys()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("--index-url https://packages.example/simple", "names a package source"),
        ("numpy @ file:///tmp/numpy.whl", "names a package source"),
        ("numpy==2.0.0", "not a pinned version"),
        ("numpy>=2 \\", "not a pinned version"),
    ],
)
def test_a_bad_lock_line_is_reported(rules: dict[str, Any], tmp_path: Path, line: str, complaint: str) -> None:
    (tmp_path / "requirements.lock").write_text(f"# comment\n{line}\n")
    (found,) = rules["check_locks"](tmp_path)
    assert found.startswith(f"requirements.lock:2: {complaint}")
    assert "mend: make lock" in found


def test_a_missing_lock_is_reported(rules: dict[str, Any], tmp_path: Path) -> None:
    (found,) = rules["check_locks"](tmp_path)
    assert "missing" in found


def test_a_registry_in_a_node_lock_is_reported(rules: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "requirements.lock").write_text("")
    (tmp_path / "frontend").mkdir()
    (tmp_path / "frontend" / "package-lock.json").write_text('{\n"resolved": "https://packages.example/a.tgz"\n}\n')
    (found,) = rules["check_locks"](tmp_path)
    assert found.startswith("frontend/package-lock.json:2: names a package source")


def test_a_path_of_one_machine_is_reported(rules: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("fine: ~/x, /usr/bin, static/home/x\nsee /" + "home/somebody/file\n" + f"or {tmp_path}/a\n")
    assert [found.split(": ")[0] for found in rules["check_paths"](path, tmp_path)] == ["notes.md:2", "notes.md:3"]


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("long.py", "x = 1\n" * 401, 1),
        ("fits.py", "x = 1\n" * 400, 0),
        ("function.py", "def f() -> None:\n" + "    x = 1\n" * 80, 1),
        ("notes.md", "x\n" * 500, 0),
    ],
)
def test_sizes_are_limited(rules: dict[str, Any], tmp_path: Path, name: str, text: str, count: int) -> None:
    (tmp_path / name).write_text(text)
    assert len(list(rules["check_size"](tmp_path / name, tmp_path))) == count
