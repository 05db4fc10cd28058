"""A compiler in its jail. It can be started before there is a source: it then loads the prelude and waits.

The jail sees the learner's file and the adapter as links to two memory files, which are empty until a job fills them.
The translation unit first includes `go`, a pipe that ends once they are filled. One compiler serves one job.
"""

import contextlib
import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

from grader.runners import cpp
from grader.runners.base import ToolRun
from grader.runners.toolchain import SOURCES_INSIDE, Toolchain
from grader.sandbox import policy
from grader.sandbox.jail import Box, Mount
from grader.sandbox.supervise import Budget, Supervised

_READABLE = 0o444
_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL


@dataclass(slots=True)
class Compiler:
    """files: descriptors of the learner's file, the adapter, and the end of `go` that is written to."""

    toolchain: str
    """Key of the toolchain that it was started for."""
    program: Supervised
    files: tuple[int, int, int]

    def compile(self, source: bytes, adapter: bytes, budget: Budget) -> ToolRun:
        """Compiles and links; the budget counts from now. Raises LimitHit. The compiler has then ended."""
        source_file, adapter_file, go = self.files
        try:
            self.program.restart(budget)
            _fill(source_file, source)
            _fill(adapter_file, adapter)
            os.close(go)
            self.files = (source_file, adapter_file, -1)
            status = self.program.run()
            received = {name: bytes(data) for name, data in self.program.received.items()}
        finally:
            self.close()
        return ToolRun(status, received["stderr"], received)

    def alive(self) -> bool:
        """Whether it can take a job."""
        return self.program.process.poll() is None

    def close(self) -> None:
        """Ends the compiler and whatever is left in its jail. May be called twice."""
        self.program.close()
        _close(self.files)
        self.files = (-1, -1, -1)


def start(
    toolchain: Toolchain, prelude: Path, mounts: tuple[Mount, ...], *, slot: int = 0, background: bool = False
) -> Compiler:
    """A compiler that waits for its source. The thread that calls this must outlive it.

    mounts: headers and libraries. Raises JailError where no jail can be made on this machine.
    """
    waits, go = os.pipe()
    os.fchmod(waits, _READABLE)  # the jail's user opens it by its link
    memory = [os.memfd_create(name, os.MFD_ALLOW_SEALING | os.MFD_CLOEXEC) for name in ("solution", "adapter")]
    given = dict(zip(("solution.cpp", "adapter.cpp", "go"), (*memory, waits), strict=True))
    box = Box(
        "compile",
        cpp.command(toolchain),
        (*mounts, Mount(prelude, cpp.PRELUDE_INSIDE)),
        {cpp.UNIT: cpp.INCLUDES},
        links={f"{SOURCES_INSIDE}/{name}": f"/proc/self/fd/{descriptor}" for name, descriptor in given.items()},
        descriptors=tuple(given.values()),
        cpu_s=policy.CPU_BACKSTOP_S,
        slot=slot,
        background=background,
    )
    streams = {"stdout": policy.MAX_DIAGNOSTIC_BYTES, "stderr": policy.MAX_DIAGNOSTIC_BYTES, **cpp.OUTPUTS}
    files = (memory[0], memory[1], go)
    try:
        program = Supervised(box, Budget(policy.CPU_BACKSTOP_S, policy.COMPILE_MEMORY_MIB), streams)
    except BaseException:
        _close(files)
        raise
    finally:
        os.close(waits)
    return Compiler(toolchain.key, program, files)


def _fill(descriptor: int, content: bytes) -> None:
    """Nothing in the jail can change it afterwards."""
    with os.fdopen(os.dup(descriptor), "wb") as stream:
        stream.write(content)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)


def _close(descriptors: tuple[int, ...]) -> None:
    for descriptor in descriptors:
        if descriptor >= 0:
            with contextlib.suppress(OSError):
                os.close(descriptor)
