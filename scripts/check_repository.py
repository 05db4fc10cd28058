"""Rules on the repository as a whole: lock files, machine paths, sizes. Run by `make check`.

Prints one line a complaint, `file:line: what` and how to mend it; exits 1 when there is any.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 80
CODE_SUFFIXES = {".py", ".cpp", ".h", ".hpp", ".js", ".mjs", ".css", ".sh", ".html"}
GENERATED = ("static/dist/", "package-lock.json")
HOME_DIRECTORY = re.compile(r"(?<![\w.~-])/(?:home|Users|root)/[\w.-]+")
PACKAGE_SOURCE = re.compile(r"--(?:extra-)?index-url|--find-links|--trusted-host|https?://|file://")
LOCKED = re.compile(r"^[a-zA-Z0-9._-]+==\S+( ; .+)? \\$")


def tracked_files() -> list[Path]:
    """Files under version control that exist, without the generated ones."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    names = [name for name in listed.decode().split("\0") if name and not any(part in name for part in GENERATED)]
    return [ROOT / name for name in names if (ROOT / name).is_file()]


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines of a text file, from 1; nothing for a binary one."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    yield from enumerate(text.splitlines(), start=1)


def check_locks(root: Path) -> Iterator[str]:
    """A lock file names packages, versions and hashes; where they come from is the machine's setting."""
    locks = sorted(root.glob("requirements*.lock"))
    if not locks:
        yield "requirements.lock: missing; mend: make lock"
    for lock in locks:
        for number, line in numbered_lines(lock):
            if PACKAGE_SOURCE.search(line):
                yield f"{lock.name}:{number}: names a package source; mend: make lock"
            elif line and not line.lstrip().startswith(("#", "--hash=sha256:")) and not LOCKED.match(line):
                yield f"{lock.name}:{number}: not a pinned version with a hash; mend: make lock"
    for lock in root.glob("*/package-lock.json"):
        for number, line in numbered_lines(lock):
            if '"resolved": "http' in line:
                where = f"{lock.relative_to(root)}:{number}"
                yield f"{where}: names a package source; mend: npm install --omit-lockfile-registry-resolved"


def check_paths(path: Path, root: Path) -> Iterator[str]:
    """A path of one machine in a file works on that machine alone."""
    own = str(root) if len(root.parts) > 2 else None
    for number, line in numbered_lines(path):
        found = HOME_DIRECTORY.search(line)
        if found or (own and own in line):
            name = found.group() if found else own
            yield f"{path.relative_to(root)}:{number}: path of one machine, {name}; mend: make it relative or a setting"


def check_size(path: Path, root: Path) -> Iterator[str]:
    """Files of code stay under 400 lines, Python functions under 80 lines (ruff limits their statements to 40).

    A migration is one list of tables and may be longer.
    """
    if path.suffix not in CODE_SUFFIXES:
        return
    lines = sum(1 for _ in numbered_lines(path))
    if lines > MAX_FILE_LINES:
        yield f"{path.relative_to(root)}:1: {lines} lines, more than {MAX_FILE_LINES}; mend: split it by subject"
    if path.suffix == ".py" and "migrations" not in path.parts:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > MAX_FUNCTION_LINES:
                    where = f"{path.relative_to(root)}:{node.lineno}"
                    yield f"{where}: {node.name} has {length} lines, more than {MAX_FUNCTION_LINES}; mend: split it"


def complaints(root: Path, files: list[Path]) -> list[str]:
    found = list(check_locks(root))
    for path in files:
        if path.name.endswith(".lock"):
            continue
        found += check_paths(path, root)
        # Learners' sample programs may be as they please: some are wrong on purpose.
        if "solutions" not in path.relative_to(root).parts:
            found += check_size(path, root)
    return found


def main() -> int:
    files = tracked_files()
    found = complaints(ROOT, files)
    for complaint in found:
        print(complaint)
    print(f"repository: {len(files)} files, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
