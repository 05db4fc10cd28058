"""What grading needs of this machine: exercises, compiler, caches, sandboxes. One for each slot."""

import functools
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader import compiler, paths
from grader.backends import Backend
from grader.compiler import Compiler
from grader.contract.exercise import load_exercise
from grader.contract.exercise_types import Exercise, Limits
from grader.contract.job import Job, Language
from grader.contract.verdict import Diagnostic
from grader.launch import Harness, launch
from grader.runners import cpp, python, toolchain
from grader.runners.base import Built, ToolRun
from grader.runners.cache import BuildCache
from grader.sandbox import policy
from grader.sandbox.jail import Box, Mount
from grader.sandbox.pool import Pool
from grader.sandbox.supervise import Budget, LimitHit, Supervised
from grader.session import SessionEnded

HEADERS_INSIDE = "/fp/include"
Ready = Harness | Compiler
"""What may wait in the pool."""
_PRELUDE_S = 120.0
_prelude_lock = threading.Lock()


@functools.lru_cache(maxsize=128)
def _exercise(folder: Path, _modified: int) -> Exercise:
    return load_exercise(folder, complete=False)


@dataclass(slots=True)
class Workshop:
    exercises: Path = paths.ROOT / "exercises"
    cache: Path = field(default_factory=paths.var)
    slot: int = 0
    cancel: threading.Event | None = None
    pool: "Pool[Ready] | None" = None
    background: bool = False
    """Works at the lowest priority, on what nobody waits for yet."""
    _gpu_tools: toolchain.Toolchain | None = None

    def exercise(self, slug: str) -> Exercise:
        """Raises ContentError where the exercise cannot be used."""
        folder = self.exercises / slug
        file = folder / "exercise.yaml"
        return _exercise(folder, file.stat().st_mtime_ns if file.is_file() else 0)

    def build(self, job: Job, exercise: Exercise | None, backend: Backend) -> tuple[Built, Harness | None]:
        """The build, and for Python the sandbox in which it was checked, which is then the caller's to close.

        Raises ToolchainError, HarnessError, JailError, LimitHit.
        """
        limits = exercise.limits if exercise else Limits()
        if job.language == "python":
            return self._check_python(job.source.encode(), exercise, backend, limits)
        return self._compile_cpp(job.source.encode(), exercise, backend, limits), None

    def _check_python(
        self, source: bytes, exercise: Exercise | None, backend: Backend, limits: Limits
    ) -> tuple[Built, Harness]:
        harness = self.harness("python", backend)
        try:
            harness.give(source)
            harness.program.restart(Budget(limits.compile_s, limits.memory_mib, self.cancel))
            return python.build(source, exercise, harness.check), harness
        except SessionEnded as ended:
            harness.close()
            text = f"the interpreter cannot read this source (it ended with status {ended.status})"
            return Built(b"", (Diagnostic(0, 0, "error", text),)), harness
        except BaseException:
            harness.close()
            raise

    def _compile_cpp(self, source: bytes, exercise: Exercise | None, backend: Backend, limits: Limits) -> Built:
        def compile_(source: bytes, adapter: bytes, superseded: Callable[[], bool]) -> ToolRun | None:
            budget = Budget(limits.compile_s, policy.COMPILE_MEMORY_MIB, self.cancel, superseded=superseded)
            try:
                return self._run_compiler(source, adapter, backend, budget)
            except LimitHit as hit:
                if hit.name == "superseded":
                    return None
                raise

        return cpp.build(source, exercise, self.tools(backend), compile_, BuildCache(self.cache / "builds"))

    def _run_compiler(self, source: bytes, adapter: bytes, backend: Backend, budget: Budget) -> ToolRun:
        tier = toolchain.fitting_tier(source)
        done = self.compiler(backend, tier).compile(source, adapter, budget)
        if done.status == 0 or tier == "full":
            return done
        # It may use what it does not include.
        return self.compiler(backend, "full").compile(source, adapter, budget)

    def compiler(self, backend: Backend, tier: toolchain.Tier) -> Compiler:
        """A compiler that waits for a source: from the pool where it has one for today's headers, else started now.

        Raises ToolchainError or JailError.
        """
        ready = self.pool.take(compiler_kind(tier, backend)) if self.pool is not None else None
        if isinstance(ready, Compiler) and ready.toolchain == self.tools(backend).key:
            return ready
        if ready is not None:
            ready.close()
        return self.start_compiler(backend, tier, slot=self.slot)

    def start_compiler(self, backend: Backend, tier: toolchain.Tier, *, slot: int) -> Compiler:
        prelude, mounts = self.prelude(backend, tier), self._compile_mounts(backend)
        return compiler.start(self.tools(backend), prelude, mounts, slot=slot, background=self.background)

    def tools(self, backend: Backend) -> toolchain.Toolchain:
        """The compiler over the backend's headers. NVIDIA's, hundreds of files, are looked through once."""
        if backend.gpu and self._gpu_tools is None:
            self._gpu_tools = self._find_tools(backend)
        return self._gpu_tools if backend.gpu and self._gpu_tools is not None else self._find_tools(backend)

    @staticmethod
    def _find_tools(backend: Backend) -> toolchain.Toolchain:
        inside = [f"{HEADERS_INSIDE}/{i}" for i in range(len(backend.headers))]
        return toolchain.find(backend.headers, inside, ["-L/fp/lib", "-lfp_recorder"])

    def prelude(self, backend: Backend, tier: toolchain.Tier = "full") -> Path:
        """Directory of the precompiled prelude, made at first need. Submissions may wait for it: normal priority."""
        with _prelude_lock:
            run = _CompileJail(self._compile_mounts(backend), _PRELUDE_S, self.slot, self.cancel)
            return toolchain.precompiled(self.tools(backend), run, self.cache, tier)

    @staticmethod
    def _compile_mounts(backend: Backend) -> tuple[Mount, ...]:
        headers = tuple(Mount(path, f"{HEADERS_INSIDE}/{i}") for i, path in enumerate(backend.headers))
        library = next(Mount(path, inside) for path, inside in backend.mounts if inside.startswith("/fp/lib"))
        return (*headers, library)

    def harness(self, language: Language, backend: Backend) -> Harness:
        """A sandbox that waits for a job: from the pool where it has one, else started now.

        Raises HarnessError or JailError.
        """
        ready = self.pool.take(harness_kind(language, backend)) if self.pool is not None else None
        if isinstance(ready, Harness):
            return ready
        return launch(language, backend, slot=self.slot, background=self.background)


def harness_kind(language: Language, backend: Backend) -> str:
    """The pool's name for a sandbox that runs this language."""
    return f"{language}-{backend.info.name}"


def compiler_kind(tier: toolchain.Tier, backend: Backend) -> str:
    """The pool's name for a compiler that has loaded this much of the prelude."""
    return f"compiler-{tier}-{backend.info.name}"


@dataclass(frozen=True, slots=True)
class _CompileJail:
    """Runs one tool in the compile jail (a `RunTool`)."""

    mounts: tuple[Mount, ...]
    wall_s: float
    slot: int
    cancel: threading.Event | None

    def __call__(self, argv: list[str], files: Mapping[str, bytes], outputs: Mapping[str, int]) -> ToolRun:
        cpu_s = int(self.wall_s) + 10
        box = Box("compile", argv, self.mounts, files, cpu_s=cpu_s, slot=self.slot)
        budget = Budget(self.wall_s, policy.COMPILE_MEMORY_MIB, self.cancel)
        streams = {"stdout": policy.MAX_DIAGNOSTIC_BYTES, "stderr": policy.MAX_DIAGNOSTIC_BYTES, **outputs}
        with Supervised(box, budget, streams) as program:
            status = program.run()
            received = {name: bytes(data) for name, data in program.received.items()}
        return ToolRun(status, received["stderr"], received)
