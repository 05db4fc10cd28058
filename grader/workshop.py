"""What grading needs of this machine: exercises, compiler, caches, sandboxes. One for each slot."""

import functools
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader import paths
from grader.backends import Backend
from grader.contract.exercise import Exercise, Limits, load_exercise
from grader.contract.job import Job, Language
from grader.contract.verdict import Diagnostic
from grader.launch import Harness, launch
from grader.runners import cpp, python, toolchain
from grader.runners.base import Built, ToolRun
from grader.runners.cache import BuildCache
from grader.sandbox import policy
from grader.sandbox.jail import Box, Mount
from grader.sandbox.pool import Pool
from grader.sandbox.supervise import Budget, Supervised
from grader.session import SessionEnded

HEADERS_INSIDE = "/fp/include"
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
    pool: "Pool[Harness] | None" = None
    background: bool = False
    _gpu_tools: toolchain.Toolchain | None = None
    """Works at the lowest priority, on what nobody waits for yet."""

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
        def compile_jail(tier: toolchain.Tier) -> _CompileJail:
            mount = Mount(self.prelude(backend, tier), cpp.PRELUDE_INSIDE)
            return self._run_tool(backend, limits.compile_s, (mount,))

        def run(argv: list[str], files: Mapping[str, bytes], outputs: Mapping[str, int]) -> ToolRun:
            tier = toolchain.fitting_tier(source)
            done = compile_jail(tier)(argv, files, outputs)
            if done.status == 0 or tier == "full":
                return done
            return compile_jail("full")(argv, files, outputs)  # it may use what it does not include

        return cpp.build(source, exercise, self.tools(backend), run, BuildCache(self.cache / "builds"))

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
        """Directory of the precompiled prelude, made at first need."""
        with _prelude_lock:
            run = self._run_tool(backend, _PRELUDE_S)
            return toolchain.precompiled(self.tools(backend), run, self.cache, tier)

    def _run_tool(self, backend: Backend, wall_s: float, mounts: tuple[Mount, ...] = ()) -> "_CompileJail":
        headers = tuple(Mount(path, f"{HEADERS_INSIDE}/{i}") for i, path in enumerate(backend.headers))
        library = next(Mount(path, inside) for path, inside in backend.mounts if inside.startswith("/fp/lib"))
        return _CompileJail((*headers, library, *mounts), wall_s, self.slot, self.cancel, self.background)

    def harness(self, language: Language, backend: Backend) -> Harness:
        """A sandbox that waits for a job: from the pool where it has one, else started now.

        Raises HarnessError or JailError.
        """
        ready = self.pool.take(f"{language}-{backend.info.name}") if self.pool is not None else None
        return ready or launch(language, backend, slot=self.slot, background=self.background)


@dataclass(frozen=True, slots=True)
class _CompileJail:
    """Runs one tool in the compile jail (a `RunTool`)."""

    mounts: tuple[Mount, ...]
    wall_s: float
    slot: int
    cancel: threading.Event | None
    background: bool

    def __call__(self, argv: list[str], files: Mapping[str, bytes], outputs: Mapping[str, int]) -> ToolRun:
        cpu_s = int(self.wall_s) + 10
        box = Box("compile", argv, self.mounts, files, cpu_s=cpu_s, slot=self.slot, background=self.background)
        budget = Budget(self.wall_s, policy.COMPILE_MEMORY_MIB, self.cancel)
        streams = {"stdout": policy.MAX_DIAGNOSTIC_BYTES, "stderr": policy.MAX_DIAGNOSTIC_BYTES, **outputs}
        with Supervised(box, budget, streams) as program:
            status = program.run()
            received = {name: bytes(data) for name, data in program.received.items()}
        return ToolRun(status, received["stderr"], received)
