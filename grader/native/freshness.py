"""Whether what `make native` built still fits its sources: the build keeps a digest of them.

Dates would not do: a checkout gives old sources new dates, and a copied build (in a container) has its own.
"""

import functools
import hashlib
from pathlib import Path

from grader.paths import ROOT

FOLDERS = ("native", "inside")
"""Below grader/: what goes into the build, as in NATIVE_SOURCES of the Makefile."""
RECORD = ".sources"


def sources_digest(root: Path = ROOT / "grader") -> str:
    """SHA-256 over the names and bytes of every source file."""
    digest = hashlib.sha256()
    for file in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(f"{file.relative_to(root)}\0{file.stat().st_size}\0".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


def record(out: Path, digest: str) -> None:
    """Says in the build folder which sources it was built from; the digest is taken before the build begins."""
    (out / RECORD).write_text(digest + "\n", encoding="utf-8")


@functools.cache
def why_stale(out: Path) -> str:
    """Why this build must not be used, or "" where it fits. Looked at once a process, which takes about 10 ms."""
    try:
        built_from = (out / RECORD).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return f"the native part in {out} was built by an older version: it does not say from which sources"
    if built_from != sources_digest():
        return f"the native part in {out} was built from other sources than those in {ROOT / 'grader'}"
    return ""
