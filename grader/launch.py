"""Starts the harness of one language in a sandbox, ready to be handed a job."""

import fcntl
import os
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from grader.backends.base import Backend
from grader.checkers.trace_reader import HEADER_BYTES
from grader.contract.job import Language
from grader.inside.frames import Frame, FrameError
from grader.sandbox import policy, seccomp
from grader.sandbox.jail import Box, Mount
from grader.sandbox.supervise import Budget, LimitHit, Supervised
from grader.session import Session, SessionEnded, SessionFault

TRACE_BYTES = 4 << 20
START_WALL_S = 20.0
"""For the harness to come up: libraries, interpreter, NumPy, the device. No learner code runs in this time."""
START_MEMORY_MIB = 8192
HEALTH_WALL_S = 2.0
"""For a waiting sandbox to say that its GPU context works."""
_INSIDE = Path(__file__).parent / "inside"
_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
_MAX_PRINTED = 1 << 20
MAX_CHECK_BYTES = 1 << 20
HARNESS_INSIDE = "/fp/packages/grader/inside"
"""The harness alone of our own packages; what else would be called `grader` is not there."""
INTERPRETER_INSIDE = "/fp/interpreter"


_closing = ThreadPoolExecutor(4, thread_name_prefix="closing")


class HarnessError(Exception):
    """The harness itself did not come up: a fault of this machine, not of the learner."""


@dataclass(slots=True)
class Harness:
    """A started sandbox that has said `ready` and waits for one job."""

    language: Language
    backend: Backend
    program: Supervised
    session: Session
    trace: int
    """Descriptor of the trace buffer."""
    given: bool = False
    device: int = 0
    """Number of its GPU, where the backend has one."""

    def give(self, code: bytes) -> None:
        """Hands over the code and seals the process; nothing of the code has run yet.

        Raises HarnessError where the seal does not hold. A second call does nothing.
        """
        if self.given:
            return
        self.given = True
        self.program.restart(Budget(START_WALL_S, START_MEMORY_MIB))  # it may have waited in a pool for hours
        self.program.send(Frame("keep", body=code).encode())
        filter_ = seccomp.program("run", gpu=self.backend.gpu)
        try:
            self.session.expect("sealed", Frame("seal", body=filter_))
        except (SessionEnded, SessionFault, FrameError, LimitHit) as error:
            raise HarnessError(f"the sandbox could not be sealed: {error}") from None

    def check(self, function: str, count: int) -> bytes:
        """What is wrong with the Python source that was given, as JSON. Raises LimitHit, SessionEnded, FrameError."""
        question = Frame(f"check {function} {count}" if function else "check")
        answer = self.session.ask(question, MAX_CHECK_BYTES)
        return answer.body

    def trace_bytes(self) -> bytes:
        """The used part of the trace buffer, whatever its header claims."""
        head = os.pread(self.trace, HEADER_BYTES, 0)
        written = int.from_bytes(head[8:16], "little")
        return head + os.pread(self.trace, min(written, TRACE_BYTES - HEADER_BYTES), HEADER_BYTES)

    def alive(self) -> bool:
        """Whether it can take a job: its process runs, and on a GPU its context still answers."""
        if self.program.process.poll() is not None:
            return False
        if not self.backend.gpu or self.given:
            return True
        self.program.restart(Budget(HEALTH_WALL_S, START_MEMORY_MIB))
        try:
            self.session.expect("healthy", Frame("health"))
        except (SessionEnded, SessionFault, FrameError, LimitHit):
            return False
        return True

    def close(self) -> None:
        """Ends the sandbox and whatever is left in it. May be called twice.

        On a GPU this happens beside the caller: the driver takes longer to tear a process down than many a job runs.
        """
        if self.backend.gpu:
            _closing.submit(self._close)
        else:
            self._close()

    def _close(self) -> None:
        self.program.close()
        if self.trace >= 0:
            os.close(self.trace)
            self.trace = -1


def launch(
    language: Language, backend: Backend, *, slot: int = 0, background: bool = False, warm: bool = False
) -> Harness:
    """A new sandbox with the harness loaded. The thread that calls this must outlive it.

    warm: on a GPU, has cuDNN load now what a job's first calls would load; for sandboxes that wait in a pool.
    Raises HarnessError, or JailError where no sandbox can be made on this machine.
    """
    trace = _trace_buffer()
    start = Budget(START_WALL_S, START_MEMORY_MIB)
    streams = {"stdout": _MAX_PRINTED, "stderr": _MAX_PRINTED, "results": 1 << 20}
    try:
        box = replace(_box(language, backend, slot, trace, warm), background=background)
        program = Supervised(box, start, streams, feeds=True)
    except BaseException:
        os.close(trace)
        raise
    harness = Harness(language, backend, program, Session(program), trace, device=device_of(backend, slot))
    try:
        harness.session.expect("ready")
    except SessionEnded as ended:
        text = bytes(program.received["stderr"]).decode("utf-8", "replace")[-2000:]
        harness.close()
        raise HarnessError(f"the {language} harness ended with status {ended.status}: {text}") from None
    except (SessionFault, FrameError, LimitHit) as error:
        harness.close()
        raise HarnessError(f"the {language} harness did not come up: {str(error)[:2000]}") from None
    except BaseException:
        harness.close()
        raise
    return harness


def _trace_buffer() -> int:
    """A memory file of fixed size: what is inside can neither shrink it under the reader nor grow it."""
    descriptor = os.memfd_create("trace", os.MFD_ALLOW_SEALING | os.MFD_CLOEXEC)
    os.ftruncate(descriptor, TRACE_BYTES)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
    return descriptor


def device_of(backend: Backend, slot: int) -> int:
    """Number of the GPU that this slot uses; 0 where there is none."""
    return backend.devices[slot % len(backend.devices)] if backend.devices else 0


def _box(language: Language, backend: Backend, slot: int, trace: int, warm: bool) -> Box:
    tail = ["{feed}", "{results}", str(trace), backend.libcudnn, backend.libcudart]
    mounts = [Mount(path, inside) for path, inside in backend.mounts]
    if language == "cpp":
        argv = ["/fp/bin/fp_runner", *tail]
    else:
        argv = [_interpreter()[1], "-I", "-S", "-B", "-u", "-X", "utf8", f"{HARNESS_INSIDE}/start.py", *tail]
        mounts += python_mounts()
    return Box(
        "run",
        argv,
        mounts,
        environment=_environment(language, backend) | ({"FP_WARM_UP": "1"} if warm and backend.gpu else {}),
        descriptors=(trace,),
        cpu_s=policy.CPU_BACKSTOP_S,
        slot=slot,
        gpu=backend.gpu,
        device=device_of(backend, slot),
    )


def _environment(language: Language, backend: Backend) -> dict[str, str]:
    environment = dict(backend.environment)
    prefix, executable = _interpreter()
    if language == "python" and executable.startswith(INTERPRETER_INSIDE) and any(prefix.glob("lib/libpython3*.so*")):
        own = f"{INTERPRETER_INSIDE}/lib"
        environment["LD_LIBRARY_PATH"] = ":".join(filter(None, [environment.get("LD_LIBRARY_PATH"), own]))
    return environment


def _interpreter() -> tuple[Path, str]:
    """The interpreter's installation and its path inside: the system's as it is, another one in a neutral place."""
    executable = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    prefix = Path(sysconfig.get_config_var("installed_base") or sys.base_prefix).resolve()
    if prefix.parts[:2] == ("/", "usr"):
        return prefix, str(executable)
    return prefix, f"{INTERPRETER_INSIDE}/{executable.relative_to(prefix)}"


def python_mounts() -> list[Mount]:
    """The harness, NumPy alone out of the grader's packages, and the interpreter where it is not the system's."""
    mounts = [Mount(_INSIDE, HARNESS_INSIDE)]
    packages = Path(np.__file__).parent.parent
    mounts += [Mount(path, f"/fp/site/{path.name}") for path in sorted(packages.glob("numpy*")) if path.is_dir()]
    prefix, executable = _interpreter()
    if executable.startswith(INTERPRETER_INSIDE):
        mounts.append(Mount(prefix, INTERPRETER_INSIDE))
    return mounts
