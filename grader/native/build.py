"""Builds everything native: ``python -m grader.native.build`` (headers, simulated libraries, call recorder).

Incremental: only what changed is built again. Exit status: 0 built; 1 the build failed; 2 a tool is missing.
"""

import argparse
import contextlib
import fcntl
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from grader.native import freshness
from grader.paths import ROOT, native_build

MEND = {
    "g++": "install the C++ compiler: apt-get install g++ (version 12 or newer)",
    "make": "install make: apt-get install make",
}


def missing_tools() -> list[str]:
    """One line a missing tool: which, and how to mend it."""
    return [f"{tool} is not on the path; {mend}" for tool, mend in MEND.items() if shutil.which(tool) is None]


@contextlib.contextmanager
def only_builder(out: Path) -> Iterator[None]:
    """Waits until no other process builds into `out`: two makes in one folder disturb each other."""
    out.mkdir(parents=True, exist_ok=True)
    with (out / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build(
    target: str = "native", out: Path | None = None, jobs: int = 2, sanitize: str = "", quiet: bool = True
) -> int:
    """Runs make for `target` into `out` (default: build/native, or what `FP_NATIVE` names); returns make's exit status.

    Compiler messages go to standard error.
    """
    out = (out or native_build()).absolute()
    command = ["make", "-f", "grader/native/Makefile", f"-j{jobs}", target]
    command += [f"PYTHON={sys.executable}", f"NATIVE_BUILD={out}", f"SANITIZE={sanitize}"]
    command += ["--silent"] if quiet else []
    with only_builder(out):
        digest = freshness.sources_digest()
        status = subprocess.run(command, cwd=ROOT, check=False).returncode
        if status == 0 and target == "native":
            freshness.record(out, digest)
        return status


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="grader.native.build", description=__doc__)
    parser.add_argument("target", nargs="?", default="native", help="native (all, default) or simulator")
    parser.add_argument(
        "--out", type=Path, default=native_build(), help="build folder (default: build/native, or $FP_NATIVE)"
    )
    parser.add_argument("--jobs", type=int, default=2, help="compilers at once (default: 2)")
    parser.add_argument("--sanitize", default="", help="address,undefined or thread: build with that sanitizer")
    parser.add_argument("--verbose", action="store_true", help="show every command")
    options = parser.parse_args(arguments)
    missing = missing_tools()
    if missing:
        print("\n".join(missing), file=sys.stderr)
        return 2
    if build(options.target, options.out, options.jobs, options.sanitize, not options.verbose) != 0:
        print("The native build failed: see the first error above.", file=sys.stderr)
        return 1
    print(f"native: built below {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
