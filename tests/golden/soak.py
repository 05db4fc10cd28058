"""A long run of mixed submissions, a third of them hostile, through one worker; then what leaked.

    python -m tests.golden.soak [--count 1000] [--slots 4]

Every verdict must be the declared one. At the end: processes, files and shared memory that were not there before,
the worker's descriptors and memory, and whether every slot still grades. Not part of the test suite: it takes long.
"""

import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.golden.attacks import load
from tests.golden.leftovers import State, descriptors, look, resident_mib
from tests.golden.toys import GOOD, GOOD_PROGRAM, hooked, write_toys

ROOT = Path(__file__).resolve().parents[2]
WARM_UP = 40
"""Submissions before the first look: caches and pools are full then."""

MOST_GROWTH_MIB = 16
"""Of the worker, after the warm-up: a leak of 16 KiB for each of 1,000 submissions."""


@dataclass(frozen=True, slots=True)
class Entry:
    language: str
    source: str
    codes: tuple[str, ...]
    exercise: str = "scale"
    hostile: bool = False


def ordinary(language: str, number: int) -> list[Entry]:
    """Right, wrong, broken; every other one with a source of its own, so that it is compiled."""
    mark = {"cpp": "//", "python": "#"}[language]
    own = f"\n{mark} {number}\n" if number % 2 else "\n"
    wrong = {"cpp": "h[1] += 1;", "python": "y[0, 1] += 1"}[language]
    return [
        Entry(language, GOOD[language] + own, ("accepted",)),
        Entry(language, GOOD_PROGRAM[language] + own, ("accepted",), "print"),
        Entry(language, hooked(language, wrong) + own, ("wrong_answer",)),
        Entry(language, GOOD[language] + own + "(((\n", ("compile_error",)),
    ]


def entries(count: int, secret: Path) -> Iterator[Entry]:
    """The same mixture each time: the order is drawn from a fixed seed."""
    draw = random.Random(4)
    attacks = [Entry(a.language, a.source(secret), a.verdict, hostile=True) for a in (*load("cpp"), *load("python"))]
    for number in range(count):
        language = ("cpp", "python")[number % 2]
        yield draw.choice(attacks) if number % 3 == 2 else draw.choice(ordinary(language, number))


class Soak:
    """One worker, kept busy with as many jobs as it has slots, and two more that wait."""

    def __init__(self, process: "subprocess.Popen[str]", slots: int) -> None:
        self.process = process
        self.room = threading.Semaphore(slots + 2)
        self.jobs: dict[str, Entry] = {}
        self.wrong: list[str] = []
        self.codes: collections.Counter[str] = collections.Counter()
        self.finished = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.process.stdout or ():
            event = json.loads(line).get("event", {})
            if event.get("type") != "verdict":
                continue
            entry, data = self.jobs.pop(event["job"]), event["data"]
            self.codes[data["code"]] += 1
            if data["code"] not in entry.codes or "ESCAPED" in str(data):
                self.wrong.append(f"{event['job']} {entry.language}: {data['code']} instead of {entry.codes}")
            self.finished += 1
            self.room.release()

    def submit(self, name: str, entry: Entry) -> None:
        self.room.acquire()
        self.jobs[name] = entry
        job = {"id": name, "language": entry.language, "source": entry.source, "exercise": entry.exercise}
        self._send({"job": job})

    def _send(self, message: dict[str, Any]) -> None:
        if self.process.stdin is None or self.process.poll() is not None:
            raise RuntimeError("the worker has ended")
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def wait(self) -> None:
        """Until every job has its verdict. Raises RuntimeError where the worker ends, or is silent for ten minutes."""
        deadline = time.monotonic() + 600
        while self.jobs:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"no verdict of {sorted(self.jobs)}")
            time.sleep(0.05)


def settle(pid: int, size: int) -> State:
    """The state once the pool is full again: its sandboxes are processes too."""
    deadline = time.monotonic() + 60
    while len(look(pid).processes) != size and time.monotonic() < deadline:
        time.sleep(0.2)
    return look(pid)


def run(soak: Soak, count: int, slots: int, secret: Path) -> list[str]:
    """Everything that is not as it should be at the end."""
    pid = soak.process.pid
    for number, entry in enumerate(entries(WARM_UP, secret)):
        soak.submit(f"warm-{number}", entry)
    soak.wait()
    time.sleep(5)
    before, held, memory = look(pid), descriptors(pid), resident_mib(pid)
    started = time.monotonic()
    hostile = 0
    quarters: list[float] = []
    for number, entry in enumerate(entries(count, secret)):
        hostile += entry.hostile
        if number % max(count // 4, 1) == 0 and number:
            quarters.append(resident_mib(pid))
        soak.submit(str(number), entry)
    soak.wait()
    minutes = (time.monotonic() - started) / 60
    after = settle(pid, len(before.processes))
    print(
        f"{count} submissions, {hostile} hostile, {slots} slots: {minutes:.1f} minutes, {count / minutes:.0f} a minute"
    )
    print("verdicts: " + ", ".join(f"{code} {n}" for code, n in soak.codes.most_common()))
    print(f"processes of the worker: {len(before.processes)} before, {len(after.processes)} after")
    print(f"its descriptors: {held} before, {descriptors(pid)} after")
    between = ", ".join(f"{value:.0f}" for value in quarters)
    print(f"its memory: {memory:.0f} MiB before, {between} between, {resident_mib(pid):.0f} MiB after")
    for slot in range(slots):
        soak.submit(f"last-{slot}", Entry("cpp", GOOD["cpp"], ("accepted",)))
    soak.wait()
    left = sorted(after.things - before.things)
    if len(after.processes) > len(before.processes):
        left.append(f"{len(after.processes) - len(before.processes)} processes")
    if (grown := resident_mib(pid) - memory) > MOST_GROWTH_MIB:
        left.append(f"{grown:.0f} MiB of memory")
    if descriptors(pid) > held + 8:
        left.append(f"{descriptors(pid) - held} descriptors")
    return left


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.golden.soak")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--slots", type=int, default=4)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)
        secret = root / "secret.txt"
        secret.write_text("expected values live outside")
        exercises = write_toys(root / "exercises")
        command = [
            sys.executable,
            "-m",
            "grader",
            "worker",
            "--exercises",
            str(exercises),
            "--slots",
            str(options.slots),
        ]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as process:  # type: ignore[call-overload]
            soak = Soak(process, options.slots)
            left = run(soak, options.count, options.slots, secret)
            process.terminate()
        if secret.read_text() != "expected values live outside":
            left.append("a changed file of this machine")
    after = [pid for pid in look(os.getpid()).processes if pid != os.getpid()]
    left += [f"process {pid} after the worker's end" for pid in after]
    for problem in (*soak.wrong, *left):
        print(f"problem: {problem}")
    print(f"soak: {soak.finished} verdicts, {len(soak.wrong)} wrong, {len(left)} left over")
    return int(bool(soak.wrong or left))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
