"""``python -m tests.native.fuzz [--seconds S] [--seed N] [--threads N]``: random calls that the simulator must survive.

Sequences that mean something (those compared with an H200, and those in `sequences.py`) run with some of their calls
changed: other objects, addresses, numbers, enumerators; things destroyed, freed or overwritten between calls. Between
them come single calls without any order. Exit status 0 where every process survived; the last line says how many calls
were made, how many of them succeeded, and how many functions did so at least once.
"""

import argparse
import ctypes
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np

from tests.native.fuzz.calls import random_calls
from tests.native.fuzz.counts import Counts
from tests.native.fuzz.mutate import Mutator, TimeUp
from tests.native.fuzz.sequences import SEQUENCES
from tests.native.fuzz.session import FuzzSession, Sequence_, recorded_sequences
from tests.native.h200.session import Library
from tests.native.parity.values import FUNCTIONS
from tests.native.simulator import LIBRARIES, ROOT

PIECE = 20.0
"""Seconds that one process makes calls for."""
PATIENCE = 100
"""Seconds more that it may take: random strides make a tensor of billions of elements in a few bytes."""
RATES = (0.01, 0.03, 0.1, 0.3)
LONGEST_START = 400
"""Calls of a sequence that may go through before the first is changed."""
MEMORY_MIB = "512"


def library() -> Library:
    """The simulator, with its words about the last call of a thread."""
    table, cudnn = ROOT / "build" / "native" / "generated" / "api.json", LIBRARIES / "libcudnn.so.9"
    made = Library(cudnn, LIBRARIES / "libcudart.so.12", table)
    made.fp_sim_last_reason = ctypes.CDLL(str(cudnn)).fp_sim_last_reason  # type: ignore[attr-defined]
    made.fp_sim_last_reason.restype = ctypes.c_char_p
    return made


def round_of(mutator: Mutator, sequence: Sequence_) -> None:
    """One sequence and some calls without order, in a session of their own; then all that is left is ended."""
    mutator.rate, mutator.after = 0.0, 0
    try:
        session = FuzzSession(mutator, random=np.random.default_rng(mutator.rng.randrange(2**32)))  # type: ignore[arg-type]
        session.refuse()
        mutator.rate, mutator.after = mutator.rng.choice(RATES), mutator.rng.randrange(LONGEST_START)
        sequence(session)
        random_calls(mutator, mutator.rng.choice([0, 20, 200]))
    except TimeUp:
        return
    except Exception as stop:
        # A sequence cannot go on where a changed call left it without what it needs.
        sys.stderr.write(f"sequence ended: {stop!r}\n")
    mutator.rate, mutator.end = 0.0, mutator.end + 5
    mutator.clear()
    mutator.plain("cudnnSetCallback", [0, None, None])


def child(seed: int, seconds: float, threads: int) -> Counts:
    """Rounds until the time is over: in each, every thread runs a sequence of its own with objects of its own."""
    # The simulator raises SIGFPE by itself where the real library divides by zero; a division of its own still kills.
    signal.signal(signal.SIGFPE, signal.SIG_IGN)
    rng, lib, counts = random.Random(seed), library(), Counts()
    sequences = [*SEQUENCES * 2, *recorded_sequences()]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        mutators = [Mutator(lib, random.Random(rng.random()), end) for _ in range(threads)]
        runners = [threading.Thread(target=round_of, args=(m, rng.choice(sequences))) for m in mutators[1:]]
        for runner in runners:
            runner.start()
        round_of(mutators[0], rng.choice(sequences))
        for runner in runners:
            runner.join()
        lib.cudaDeviceReset()
        for mutator in mutators:
            counts.merge(mutator.counts)
    return counts


def search(seconds: float, seed: int, threads: int) -> int:
    """Runs pieces, each in a process of its own, until one does not survive; an exit status.

    A piece that is still computing long after its time is given up and counted.
    """
    counts, cut, end = Counts(), [], time.monotonic() + seconds
    environment = {"FP_SIM_MEMORY_MIB": MEMORY_MIB, "FP_SIM_THREADS": "3"} | os.environ
    while time.monotonic() < end:
        piece = min(PIECE, end - time.monotonic())
        command = [sys.executable, "-m", "tests.native.fuzz", "--child", "--seconds", str(piece), "--seed", str(seed)]
        log = ROOT / "build" / f"fuzz-{seed}.log"
        with log.open("w") as errors:
            try:
                done = subprocess.run(
                    [*command, "--threads", str(threads)], cwd=ROOT, env=environment, stdout=subprocess.PIPE,
                    stderr=errors, text=True, timeout=piece + PATIENCE, check=False,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                done = None
        if done is not None and done.returncode != 0:
            print(f"fuzz: seed {seed} ended with status {done.returncode}; the calls are in {log}:")
            print("\n".join(tail(log, 30)))
            return 1
        if done is None:
            cut.append(tail(log, 1)[0])
        else:
            counts.merge(Counts.from_json(done.stdout))
        log.unlink()
        seed += 1
    return report(counts, cut)


def tail(log: Path, lines: int) -> list[str]:
    return log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:]


def report(counts: Counts, cut: list[str]) -> int:
    if cut:
        print(f"fuzz: {len(cut)} pieces given up in a long computation: {'; '.join(cut)}")
    if counts.never:
        print(f"fuzz: never with success: {', '.join(counts.never)}")
    simulated = sum(hasattr(library(), name) for name in FUNCTIONS)
    succeeded = len(counts.calls) - len(counts.never)
    print(
        f"fuzz: survived {counts.total} calls, {counts.changed / max(counts.total, 1):.0%} of them changed,"
        f" {counts.share:.0%} with success; {len(counts.calls)} of {simulated} functions called,"
        f" {succeeded} with success"
    )
    if counts.unexplained:
        print(f"fuzz: refused without a reason: {dict(counts.unexplained)}")
    return 0 if counts.total and not counts.unexplained else 1


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.native.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="threads at once, each with objects of its own")
    parser.add_argument("--child", action="store_true")
    options = parser.parse_args()
    if options.child:
        print(child(options.seed, options.seconds, options.threads).to_json())
        return 0
    return search(options.seconds, options.seed, options.threads)


if __name__ == "__main__":
    sys.exit(main())
