"""The grader on a real GPU: the course's own programs, then hostile ones, each followed by a good one."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.backends import BackendUnavailableError, gpu
from grader.contract.codes import Code
from grader.contract.exercise import list_exercises, load_exercise
from grader.contract.job import Job
from grader.contract.verdict import Verdict
from grader.grade import grade
from grader.launch import Harness, launch
from grader.sandbox.pool import Pool
from grader.selftest import prove_gpu
from grader.verify import run_sample
from grader.workshop import Workshop

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
GOOD = "exercises/forward-convolution/solutions/accepted/implicit-gemm.py"
SECRET = 0x5EC2E701

pytestmark = [pytest.mark.gpu, pytest.mark.usefixtures("native_build")]

ENDLESS_KERNEL = """
import cupy
kernel = cupy.RawKernel('extern "C" __global__ void spin(volatile int *stop) { while (!*stop) { } }', "spin")
kernel((1,), (1,), (cupy.zeros(1, dtype=cupy.int32),))
cupy.cuda.runtime.deviceSynchronize()
"""
ALL_MEMORY = """
import cupy
held = []
while True:
    held.append(cupy.cuda.runtime.malloc(1 << 30))
"""
HOLD_MEMORY = """
import cupy, time
held = cupy.cuda.runtime.malloc({mib} << 20)
cupy.cuda.runtime.memset(held, 1, {mib} << 20)
time.sleep(0.5)
print("held")
"""
ILLEGAL_ACCESS = """
import cupy
kernel = cupy.RawKernel('extern "C" __global__ void poke(int *p) { *p = 1; }', "poke")
kernel((1,), (1,), (cupy.uint64(16),))
cupy.cuda.runtime.deviceSynchronize()
"""
LEAVE_SECRETS = f"""
import cupy
a = cupy.full(1 << 28, {SECRET}, dtype=cupy.uint32)
print("left", int(a[-1]) == {SECRET})
"""
LOOK_FOR_SECRETS = f"""
import cupy
memory = cupy.cuda.alloc(1 << 30)
a = cupy.ndarray((1 << 28,), dtype=cupy.uint32, memptr=memory)
print("found", int((a == {SECRET}).sum()))
"""
SHARE_MEMORY = """
import cupy
print("handle", bytes(cupy.cuda.runtime.ipcGetMemHandle(cupy.zeros(4).data.ptr)).hex())
"""
OPEN_MEMORY = """
import cupy
try:
    print("opened", cupy.cuda.runtime.ipcOpenMemHandle(bytes.fromhex("{handle}")))
except cupy.cuda.runtime.CUDARuntimeError as error:
    print("refused", error.status)
"""


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop(EXERCISES)


def run(workshop: Workshop, source: str) -> Verdict:
    return grade(Job("gpu", "python", source, purpose="run", backend="gpu"), lambda _: None, workshop)


def next_job_is_fine(workshop: Workshop) -> None:
    job = Job("next", "python", Path(GOOD).read_text(), "forward-convolution", backend="gpu")
    verdict = grade(job, lambda _: None, workshop)
    assert verdict.code is Code.ACCEPTED, verdict.data


def test_auto_picks_the_gpu_and_names_it(workshop: Workshop) -> None:
    verdict = grade(Job("auto", "python", Path(GOOD).read_text(), "forward-convolution"), lambda _: None, workshop)
    assert verdict.backend is not None
    assert verdict.backend.name == "gpu"
    assert verdict.backend.device == gpu.find().info.device
    assert verdict.backend.cudnn_version >= 90000


@pytest.mark.parametrize("slug", [folder.name for folder in list_exercises(EXERCISES)])
def test_samples_get_what_they_declare(slug: str, workshop: Workshop) -> None:
    samples = load_exercise(EXERCISES / slug).samples
    outcomes = [run_sample(slug, sample, workshop, "gpu") for sample in samples]
    assert [f"{o.sample.path.name}: {o.complaint}" for o in outcomes if o.complaint] == []


def test_trace_tells_what_the_work_took_on_the_gpu(workshop: Workshop) -> None:
    job = Job("times", "python", Path(GOOD).read_text(), "forward-convolution", backend="gpu")
    verdict = grade(job, lambda _: None, workshop)
    work = [call for call in verdict.calls if call.name == "cudnnConvolutionForward"]
    rest = [call for call in verdict.calls if call.name.startswith("cudnnSet")]
    assert work
    assert all(call.gpu_us is not None and 0 < call.gpu_us < 1e6 for call in work)
    assert rest
    assert all(call.gpu_us is None for call in rest)


def test_waiting_sandboxes_take_jobs_and_dead_ones_do_not(workshop: Workshop) -> None:
    made: list[Harness] = []

    def make(_: str) -> Harness:
        made.append(launch("python", gpu.find(), warm=True))
        return made[-1]

    pool: Pool[Harness] = Pool(make, {"python-gpu": 2})
    pool.start()
    try:
        assert pool.wait_full(60)
        made[0].program.process.kill()
        made[0].program.process.wait()
        next_job_is_fine(Workshop(EXERCISES, pool=pool))
        assert (pool.metrics.hits, pool.metrics.discarded) == (1, 1)
    finally:
        pool.close()


def test_memory_beyond_the_budget_ends_the_job(workshop: Workshop) -> None:
    verdict = run(workshop, HOLD_MEMORY.replace("{mib}", str(gpu.DEVICE_MIB + 1024)))
    assert verdict.code is Code.MEMORY_LIMIT, (verdict.code, verdict.data, verdict.stdout)
    assert verdict.data["limit"] == gpu.DEVICE_MIB
    assert "held" in run(workshop, HOLD_MEMORY.replace("{mib}", str(gpu.DEVICE_MIB // 2))).stdout


def test_a_sandbox_without_its_gpu_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "_found", replace(gpu.find(), devices=(99,)))
    monkeypatch.setattr(gpu, "_refused", None)
    with pytest.raises(BackendUnavailableError, match=r"inside the sandbox.*nvidia99"):
        prove_gpu.__wrapped__()
    with pytest.raises(BackendUnavailableError, match="inside the sandbox"):
        gpu.find()


def test_endless_kernel_is_stopped(workshop: Workshop) -> None:
    assert run(workshop, ENDLESS_KERNEL).code is Code.TIME_LIMIT
    next_job_is_fine(workshop)


def test_all_memory_is_given_back(workshop: Workshop) -> None:
    assert run(workshop, ALL_MEMORY).code in (Code.RUNTIME_ERROR, Code.MEMORY_LIMIT)
    next_job_is_fine(workshop)


def test_a_poisoned_context_dies_with_its_job(workshop: Workshop) -> None:
    assert run(workshop, ILLEGAL_ACCESS).code is Code.RUNTIME_ERROR
    next_job_is_fine(workshop)


def test_memory_of_an_earlier_job_is_not_readable(workshop: Workshop) -> None:
    assert "left True" in run(workshop, LEAVE_SECRETS).stdout
    found = run(workshop, LOOK_FOR_SECRETS)
    assert "found 0" in found.stdout, found


def test_a_memory_handle_is_worth_nothing_to_a_later_job(workshop: Workshop) -> None:
    shared = run(workshop, SHARE_MEMORY)
    handle = shared.stdout.split()[-1] if "handle" in shared.stdout else "00" * 64
    assert "opened" not in run(workshop, OPEN_MEMORY.replace("{handle}", handle)).stdout
    next_job_is_fine(workshop)
