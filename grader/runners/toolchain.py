"""The C++ compiler of this machine, its fixed flags, and the precompiled prelude."""

import functools
import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from grader.runners.base import RunTool

PRELUDE = Path(__file__).with_name("prelude.hpp")
SOURCES_INSIDE = "/fp/source"
"""Where the compile jail holds what is compiled; no folder of the machine."""
MAX_PRELUDE_BYTES = 256 * 1024 * 1024
FLAGS = (
    "-std=c++20",
    "-O1",  # as quick to compile as -O0, and the smaller code links faster
    "-g1",
    "-fPIC",
    "-fno-optimize-sibling-calls",  # a tail call would hide the line that it was made from
    "-Wall",
    "-fmax-errors=20",
)


Tier = Literal["plain", "small", "full"]
"""How much of the prelude a program is compiled with. Loading it is half of a compilation, and grows with its size."""
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
    if kept is None:
        return text
    return "".join(f"#include <{name}>\n" for name in re.findall(r"#include <(.+)>", text) if name in kept)


class ToolchainError(Exception):
    """No usable compiler; the text says what to install."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """compiler: its path; version: its banner; headers: directories as the jail sees them; link: linker words."""

    compiler: str
    version: str
    linker: tuple[str, ...]
    headers: tuple[str, ...]
    headers_hash: str
    link: tuple[str, ...]

    @property
    def key(self) -> str:
        """Changes with everything but the source that decides what a compilation gives."""
        parts = [self.version, *FLAGS, *self.linker, *self.headers, *self.link, self.headers_hash, PRELUDE.read_text()]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]

    def flags(self) -> list[str]:
        return [*FLAGS, *(word for path in self.headers for word in ("-isystem", path))]


def find(headers: Sequence[Path], inside: Sequence[str], link: Sequence[str]) -> Toolchain:
    """The toolchain over these header directories. `inside`: the same, as the jail sees them.

    Raises ToolchainError where there is no compiler.
    """
    compiler, version = _compiler()
    linker = ("-fuse-ld=mold",) if shutil.which("mold", path="/usr/bin") else ()
    stamp = tuple((str(p), p.stat().st_mtime_ns, p.stat().st_size) for d in headers for p in sorted(d.glob("*.h*")))
    return Toolchain(compiler, version, linker, tuple(inside), _hash(stamp), tuple(link))


@functools.cache
def _compiler() -> tuple[str, str]:
    compiler = shutil.which("g++", path="/usr/bin:/usr/local/bin")
    if compiler is None:
        raise ToolchainError("g++ is not installed; apt-get install g++")
    banner = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    return compiler, banner.splitlines()[0]


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
