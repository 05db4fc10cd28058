"""The C++ compiler of this machine, its fixed flags, and the precompiled prelude."""

import functools
import hashlib
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from grader.runners.base import RunTool

PRELUDE = Path(__file__).with_name("prelude.hpp")
SOURCES_INSIDE = "/fp/source"
"""Where the compile jail holds what is compiled; no folder of the machine."""
STRINGS = PRELUDE.with_name("strings.hpp")
"""Follows the prelude where that has <string>."""
MAX_PRELUDE_BYTES = 256 * 1024 * 1024
OBJECT, LIBRARY = "/tmp/solution.o", "/tmp/solution.so"  # noqa: S108
"""In the compile jail's own temporary directory."""
LINKER_THREADS = 4
"""A program of a course is linked no faster by more, and threads count against the jail's processes."""
FLAGS = (
    "-std=c++20",
    "-O1",  # as quick to compile as -O0, and the smaller code links faster
    "-g1",
    "-fPIC",
    "-fno-optimize-sibling-calls",  # a tail call would hide the line that it was made from
    "-fno-omit-frame-pointer",  # the recorder follows them to the lines that led to a call
    "-Wall",
    "-fmax-errors=20",
)


Tier = Literal["plain", "small", "full"]
"""How much of the prelude a program is compiled with. Loading it is half of a compilation, and grows with its size."""
TIERS: tuple[Tier, ...] = get_args(Tier)
_CUDNN = {"cuda_runtime.h", "cuda_runtime_api.h", "cuda_fp16.h", "cuda_bf16.h", "cudnn.h"}
_PLAIN = _CUDNN | {"cstddef", "cstdint", "cstdio", "cstdlib", "cstring"}
_SMALL = _PLAIN | {"array", "initializer_list", "limits", "stdexcept", "string", "utility", "vector"}
_TIERS: tuple[tuple[Tier, set[str]], ...] = (("plain", _PLAIN), ("small", _SMALL))
_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]*)", re.MULTILINE)


def fitting_tier(source: bytes) -> Tier:
    """The smallest tier that has every header that the source includes; the full one where none has."""
    included = {name.decode("utf-8", "replace") for name in _INCLUDE.findall(source)}
    return next((tier for tier, headers in _TIERS if included <= headers), "full")


def prelude_text(tier: Tier) -> str:
    text = PRELUDE.read_text()
    kept = dict(_TIERS).get(tier)
    if kept is not None:
        text = "".join(f"#include <{name}>\n" for name in re.findall(r"#include <(.+)>", text) if name in kept)
    return text + STRINGS.read_text() if "#include <string>" in text else text


class ToolchainError(Exception):
    """No usable compiler; the text says what to install."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """compiler: its path; version: its banner; linker: the whole command that makes LIBRARY of OBJECT; headers:
    directories as the jail sees them."""

    compiler: str
    version: str
    linker: tuple[str, ...]
    headers: tuple[str, ...]
    headers_hash: str

    @property
    def key(self) -> str:
        """Changes with everything but the source that decides what a compilation gives."""
        parts = [self.version, *FLAGS, *self.linker, *self.headers, self.headers_hash, PRELUDE.read_text()]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]

    def flags(self) -> list[str]:
        return [*FLAGS, *(word for path in self.headers for word in ("-isystem", path))]


def find(headers: Sequence[Path], inside: Sequence[str], link: Sequence[str]) -> Toolchain:
    """The toolchain over these header directories. `inside`: the same, as the jail sees them. link: linker words.

    Raises ToolchainError where there is no compiler or no linker.
    """
    compiler, version = _compiler()
    linker = _linker(compiler, tuple(link))
    stamp = tuple((str(p), p.stat().st_mtime_ns, p.stat().st_size) for d in headers for p in sorted(d.glob("*.h*")))
    return Toolchain(compiler, version, linker, tuple(inside), _hash(stamp))


@functools.cache
def _compiler() -> tuple[str, str]:
    compiler = shutil.which("g++", path="/usr/bin:/usr/local/bin")
    if compiler is None:
        raise ToolchainError("g++ is not installed; apt-get install g++")
    banner = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    return compiler, banner.splitlines()[0]


@functools.cache
def _linker(compiler: str, link: tuple[str, ...]) -> tuple[str, ...]:
    """The command that the compiler driver would link with, for calling it directly: the driver and its helper cost as
    much time as the linker itself."""
    mold = shutil.which("mold", path="/usr/bin")
    choice = ["-fuse-ld=mold"] if mold else []
    words = [compiler, "-###", "-shared", *choice, OBJECT, "-o", LIBRARY, "-Wl,-z,defs", *link]
    told = subprocess.run(words, capture_output=True, text=True, check=False, env={"LC_ALL": "C"}).stderr
    lines = [shlex.split(line) for line in told.splitlines() if line.startswith(" ")]
    asked = next((line for line in lines if Path(line[0]).name in ("collect2", "ld")), None)
    linker = mold or shutil.which("ld", path="/usr/bin:/usr/local/bin")
    if asked is None or linker is None:
        raise ToolchainError("the linker is not installed; apt-get install binutils")
    threads = [f"--thread-count={LINKER_THREADS}"] if mold else []
    return (linker, *threads, *_without_plugin(asked[1:]))


def _without_plugin(words: Sequence[str]) -> list[str]:
    """Linker words without those that only the driver's helper reads, or that load the plugin for link-time
    optimisation."""
    kept: list[str] = []
    skip = False
    for word in words:
        if not skip and word != "-plugin" and not word.startswith(("-plugin-opt=", "-fuse-ld=")):
            kept.append(word)
        skip = word == "-plugin"
    return kept


@functools.cache
def own_hash() -> str:
    """Of the code that makes and reads a build."""
    files = sorted(path for path in PRELUDE.parent.iterdir() if path.is_file())
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()


@functools.lru_cache(maxsize=8)
def _hash(stamp: tuple[tuple[str, int, int], ...]) -> str:
    """Hash of the headers' contents; read again only when a file has changed."""
    digest = hashlib.sha256()
    for name, _, _ in stamp:
        digest.update(Path(name).name.encode() + b"\0" + Path(name).read_bytes())
    return digest.hexdigest()


def precompiled(toolchain: Toolchain, run: RunTool, cache: Path, tier: Tier = "full") -> Path:
    """Directory with prelude.hpp and prelude.hpp.gch for this toolchain, built in the compile jail where it is missing.

    Raises ToolchainError where the headers do not compile.
    """
    text = prelude_text(tier).encode()
    directory = cache / f"prelude-{toolchain.key}-{hashlib.sha256(text).hexdigest()[:8]}"
    if (directory / "prelude.hpp.gch").is_file():
        return directory
    header = f"{SOURCES_INSIDE}/prelude.hpp"
    command = [toolchain.compiler, *toolchain.flags(), "-x", "c++-header", header, "-o", "/tmp/p.gch"]  # noqa: S108
    script = 'out=$1; shift; "$@" && cat /tmp/p.gch >&"$out"'
    done = run(
        ["/bin/bash", "-c", script, "build", "{gch}", *command],
        {header: text},
        {"gch": MAX_PRELUDE_BYTES},
    )
    if done.status != 0 or not done.outputs["gch"]:
        raise ToolchainError(f"the headers do not compile:\n{done.stderr.decode('utf-8', 'replace')[:4000]}")
    _store(directory, text, done.outputs["gch"])
    return directory


def _store(directory: Path, text: bytes, gch: bytes) -> None:
    """Written beside and renamed, so that two graders at once never read half a file."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "prelude.hpp").write_bytes(text)
    temporary = directory / f".gch-{os.getpid()}"
    temporary.write_bytes(gch)
    temporary.rename(directory / "prelude.hpp.gch")
