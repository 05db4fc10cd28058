"""Several threads at once: right results, and (with a sanitizer build in FP_SIM_LIBRARIES) no race.

The scenes run on the simulator alone and with the call recorder in front of it.
"""

import os
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from tests.native import recorded
from tests.native.simulator import LIBRARIES, ROOT

FOLDER = Path(__file__).parent
SOURCE, SCENES_SOURCE = FOLDER / "test_sim_threads.cpp", FOLDER / "test_sim_threads_shared.cpp"
SCENES = ["operations", "shared", "events", "callbacks", "errors", "faults"]
THREADS = 6
SIMULATOR = ["libcudnn.so.9", "libcudart.so.12"]
RECORDER = ["libfp_recorder.so"]


def compiled(source: Path, libraries: list[str], program: Path) -> Path:
    flags = os.environ.get("FP_SIM_TEST_CXXFLAGS", "").split()
    include = [f"-I{ROOT / 'build' / 'native' / 'include'}", f"-I{FOLDER}"]
    compiler = ["g++", "-std=c++20", "-O1", "-w", "-pthread", *flags, *include, str(source)]
    linked = [str(LIBRARIES / library) for library in libraries]
    subprocess.run([*compiler, *linked, f"-Wl,-rpath,{LIBRARIES}", "-o", str(program)], check=True)
    return program


def test_threads_with_their_own_handles(native_build: object, tmp_path: Path) -> None:
    program = compiled(SOURCE, SIMULATOR, tmp_path / "threads")
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.fixture(scope="module")
def alone(native_build: object, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(SCENES_SOURCE, SIMULATOR, tmp_path_factory.mktemp("scenes") / "alone")


@pytest.fixture(scope="module")
def traced(native_build: object, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(SCENES_SOURCE, RECORDER, tmp_path_factory.mktemp("scenes") / "traced")


@pytest.mark.parametrize("scene", SCENES)
def test_scene_of_threads(scene: str, alone: Path) -> None:
    environment = os.environ | {"FP_SIM_THREADS": "3"}
    command = [str(alone), scene]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("scene", SCENES)
def test_scene_of_threads_with_the_recorder(scene: str, traced: Path) -> None:
    libraries = {"cudnn": LIBRARIES / "libcudnn.so.9", "cudart": LIBRARIES / "libcudart.so.12"}
    done = recorded.run([str(traced), scene], capacity=1 << 27, FP_SIM_THREADS="3", **libraries)
    assert (done.status, done.stdout, done.stderr) == (0, "", "")
    assert done.trace.dropped == 0
    assert {call.case for call in done.trace.calls} == {scene}
    indices: dict[int, list[int]] = defaultdict(list)
    for call in done.trace.calls:
        indices[call.thread].append(call.index)
    assert len(indices) >= THREADS
    assert all(seen == sorted(seen) for seen in indices.values()), "calls of one thread out of order"
    every = sorted(index for seen in indices.values() for index in seen)
    assert every == list(range(len(every))), "a call was lost or written twice"
