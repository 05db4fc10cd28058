"""What the grader reports: events while it works, and one verdict. Plain dataclasses that become JSON."""

from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal

from grader.contract.codes import Code
from grader.contract.job import Job

EventType = Literal["compiling", "compiled", "running", "case", "verdict"]


@dataclass(slots=True)
class Diagnostic:
    """A compiler (or Python syntax) message in the learner's own file. line and column count from 1; 0 = unknown."""

    line: int
    column: int
    severity: Literal["error", "warning", "note"]
    message: str
    end_column: int = 0


@dataclass(slots=True)
class BadElement:
    """One element beyond the tolerance. Values are strings ("0.25", "nan", "-inf"), so that JSON can hold them."""

    index: list[int]
    expected: str
    yours: str
    difference: str
    ratio: float
    """|difference| / tolerance of this element; 1e9 stands for NaN and infinity."""


@dataclass(slots=True)
class Comparison:
    """One output of one case against the float64 reference. Differences are absolute."""

    name: str
    dtype: str
    shape: list[int]
    count: int
    bad: int
    max_abs_err: float
    mean_abs_err: float
    worst_index: list[int]
    rtol: float
    atol: float
    nan_count: int = 0
    inf_count: int = 0
    rows: list[BadElement] = field(default_factory=list)
    """At most 20, the first ones in row-major order; empty for hidden cases."""
    heat: str = ""
    """One digit an element in row-major order: 0 within half the tolerance, 1 within it, 2..9 beyond on a log scale
    (9 = NaN, infinity or ≥ 1e6 times). Empty for hidden cases and above 16,384 elements."""
    pattern: str = ""
    """A hint code where the errors have a shape: untouched, not_a_number, all_zero, last_column, last_row, border,
    scaled, flipped_filter, transposed, one_channel, one_image; "" where none fits."""
    pattern_data: dict[str, Any] = field(default_factory=dict)
    problem: str = ""
    """For bad_output: missing, shape, dtype, device, changed_input; "" otherwise. Details in pattern_data."""


@dataclass(slots=True)
class CaseResult:
    name: str
    shown: bool
    code: Code
    seconds: float = 0.0
    parameters: dict[str, Any] = field(default_factory=dict)
    """Empty for hidden cases."""
    outputs: list[Comparison] = field(default_factory=list)
    stdout: str = ""
    """What the learner's code printed during this case; "" for hidden cases."""
    data: dict[str, Any] = field(default_factory=dict)
    """Details of a runtime error or limit: signal, exception, traceback, line, limit, value."""


@dataclass(slots=True)
class Reason:
    """Why a call failed: as its arguments tell, or else in the words of the simulator."""

    code: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Call:
    """One recorded cuDNN or CUDA runtime call."""

    index: int
    name: str
    args: dict[str, Any]
    """Decoded: integers, enumerator names, descriptor contents, kinds of pointers; never addresses."""
    outs: dict[str, Any] = field(default_factory=dict)
    """What the call wrote through pointer parameters on the host (sizes, dims, perf lists)."""
    status: int | None = None
    """None: the call did not return (crash, time limit)."""
    status_name: str = ""
    micros: float = 0.0
    """On the host, from the call to its return."""
    gpu_us: float | None = None
    """What its work took on the GPU; None on the simulator, and where the call puts none there."""
    line: int = 0
    """Line in the learner's file; 0 = unknown."""
    via: list[int] = field(default_factory=list)
    """Where the learner's function with that line was called from, innermost first; empty where that is not known."""
    case: str = ""
    thread: int = 0
    at: float = 0.0
    """When it began: microseconds after the first call that is shown."""
    reason: Reason | None = None
    """Of a failed call; None where neither its arguments nor the library tell: on a GPU, and in the CUDA runtime."""


@dataclass(slots=True)
class Finding:
    """A rule on the call trace that the program breaks."""

    rule: str
    severity: Literal["required", "advised", "info"]
    call: int | None = None
    """Index of the call to mark; None where a call is missing."""
    line: int = 0
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class BackendInfo:
    name: Literal["simulated", "gpu"]
    cudnn_version: int
    """As cudnnGetVersion() gives it, e.g. 91900; 0 = unknown."""
    device: str
    """E.g. "NVIDIA H200"; for the simulator "simulated cuDNN (CPU)"."""
    driver: str = ""


def cudnn_text(version: int) -> str:
    """As people write it: 91900 → 9.19.0; "" for 0, which is unknown."""
    return f"{version // 10000}.{version // 100 % 100}.{version % 100}" if version else ""


@dataclass(slots=True)
class Verdict:
    code: Code
    backend: BackendInfo | None = None
    seed: int = 0
    passed: int = 0
    total: int = 0
    first_failed: str = ""
    """Name of the first case that failed; a hidden case is named too, without its data."""
    cases: list[CaseResult] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    calls_dropped: int = 0
    stdout: str = ""
    stderr: str = ""
    timings: dict[str, float] = field(default_factory=dict)
    """Seconds by phase: compile, start, run, compare, total."""
    timing: dict[str, Any] = field(default_factory=dict)
    """Where the exercise declares `timing:` and every case was right: case, warmup, seconds (of each counted run, in
    order), median, best, floor (of the same exchange without the learner's function)."""
    data: dict[str, Any] = field(default_factory=dict)
    """Details of the code: limit and value, forbidden token with line, fault text."""

    def to_json(self) -> dict[str, Any]:
        """Shares its dicts with the verdict: it is to be written, not changed."""
        return {name: plain(getattr(self, name)) for name in self.__slots__}


def plain(value: Any) -> Any:
    """Dataclasses as dicts, also within lists; all else as it is. Many times faster than `asdict` on a call trace."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


@dataclass(slots=True)
class Event:
    """type: compiling {} · compiled {diagnostics, seconds, cached} · running {cases: [name…]} ·
    case (a CaseResult) · verdict (a Verdict). The app adds `queued` {position} of its own."""

    type: EventType
    data: dict[str, Any]

    def message(self, job: Job, number: int) -> dict[str, Any]:
        """The line of the worker protocol that carries it. number: counts a job's events from 1."""
        return {"event": {"job": job.id, "attempt": job.attempt, "seq": number, "type": self.type, "data": self.data}}
