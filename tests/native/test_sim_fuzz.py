"""The simulator survives random calls (``python -m tests.native.fuzz --seconds 600`` for the long run)."""

import contextlib
import random
import subprocess
import sys
import time

import pytest

from tests.native.fuzz.__main__ import library
from tests.native.fuzz.mutate import Mutator
from tests.native.fuzz.sequences import SEQUENCES
from tests.native.fuzz.session import FuzzSession, Sequence_, recorded_sequences
from tests.native.h200.session import DeviceFault
from tests.native.parity.values import FUNCTIONS
from tests.native.simulator import ROOT


@pytest.mark.parametrize("threads", [1, 3])
def test_random_calls_are_survived(native_build: object, threads: int) -> None:
    command = [sys.executable, "-m", "tests.native.fuzz", "--seconds", "8", "--threads", str(threads)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout
    assert int(done.stdout.split("survived ")[1].split()[0]) > 500


@pytest.mark.parametrize("sequence", SEQUENCES, ids=lambda sequence: sequence.__name__)
def test_a_sequence_means_something_before_it_is_changed(native_build: object, sequence: Sequence_) -> None:
    mutator = Mutator(library(), random.Random(1), time.monotonic() + 60)
    sequence(FuzzSession(mutator))  # type: ignore[arg-type]
    assert mutator.counts.share > 0.5, mutator.counts.never
    mutator.clear()
    mutator.plain("cudaDeviceReset", [])


def test_every_function_of_the_simulator_succeeds_in_some_sequence(native_build: object) -> None:
    lib, succeeded = library(), set()
    for sequence in (*SEQUENCES, *recorded_sequences()):
        mutator = Mutator(lib, random.Random(1), time.monotonic() + 60)
        with contextlib.suppress(DeviceFault):  # some end in a fault that they ask for
            sequence(FuzzSession(mutator))  # type: ignore[arg-type]
        mutator.clear()
        mutator.plain("cudaDeviceReset", [])
        succeeded |= {name for name in mutator.counts.calls if mutator.counts.successes[name]}
    assert {name for name in FUNCTIONS if hasattr(lib, name)} == succeeded
