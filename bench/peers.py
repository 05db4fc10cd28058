"""Against what a course operator would otherwise use: the same programs through our warm grader and DMOJ's judge.

C++: compile and run a hello-world; Python: run one. Each source is new. Both sides keep their service running; one
round is one program on each side, in turn. `make peers` installs the judge into build/peers/dmoj; without it, this says
so. Needs the native build; BENCH_ROUNDS (default 40).
"""

import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.contract.codes import Code
from grader.contract.job import Job, Language
from grader.grade import grade
from grader.paths import ROOT
from grader.sandbox import policy
from grader.serve import warm
from grader.workshop import Workshop

INTERPRETER = ROOT / "build" / "peers" / "dmoj" / "bin" / "python"
HELLO: dict[Language, str] = {
    "cpp": '#include <cstdio>\n\nint main() { std::puts("hello"); }\n// ',
    "python": 'print("hello")\n# ',
}
PAUSE_S = 0.3


class Dmoj:
    """Raises RuntimeError where the judge does not come up, or a program does not print what it should."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self._read()

    def _read(self) -> dict[str, object]:
        line = self.process.stdout.readline() if self.process.stdout else ""
        if not line:
            raise RuntimeError("DMOJ's judge ended")
        return dict(json.loads(line))

    def run(self, language: Language, source: str) -> float:
        """Seconds."""
        if self.process.stdin is None:
            raise RuntimeError("the judge has no input")
        self.process.stdin.write(json.dumps([language, source]) + "\n")
        self.process.stdin.flush()
        answer = self._read()
        if answer["stdout"] != "hello\n":
            raise RuntimeError(f"DMOJ's judge: {answer}")
        return float(str(answer["seconds"]))


@contextmanager
def dmoj() -> Iterator[Dmoj]:
    """The judge as an ordinary user: it refuses to work as root."""
    with tempfile.TemporaryDirectory() as home:
        command = [str(INTERPRETER), str(Path(__file__).with_name("_dmoj.py"))]
        if os.geteuid() == 0:
            os.chown(home, policy.UID, policy.UID)
            command = ["setpriv", f"--reuid={policy.UID}", f"--regid={policy.UID}", "--clear-groups", *command]
        environment = {**os.environ, "HOME": home, "TMPDIR": home}
        pipe = subprocess.PIPE
        with subprocess.Popen(command, env=environment, text=True, stdin=pipe, stdout=pipe, cwd=home) as process:
            try:
                yield Dmoj(process)
            finally:
                process.terminate()


def ours(workshop: Workshop, language: Language, source: str) -> float:
    """Seconds. Raises RuntimeError where the program does not print what it should."""
    started = time.perf_counter()
    verdict = grade(Job("bench", language, source, purpose="run", backend="simulated"), lambda _: None, workshop)
    seconds = time.perf_counter() - started
    if verdict.code is not Code.ACCEPTED or verdict.stdout != "hello\n":
        raise RuntimeError(f"{verdict.code}: {verdict.data}")
    return seconds


def main() -> None:
    if not INTERPRETER.exists():
        print("DMOJ's judge is not installed here: `make peers` installs it into build/peers. Nothing was compared.")
        return
    rounds = int(os.environ.get("BENCH_ROUNDS", "40"))
    times: dict[tuple[str, str], list[float]] = {}
    with dmoj() as judge, warm(2) as pool:
        workshop = Workshop(pool=pool)
        for number in range(-1, rounds):
            for language, text in HELLO.items():
                time.sleep(PAUSE_S)
                source = f"{text}{time.time_ns()}\n"
                pair = {"ours": ours(workshop, language, source), "DMOJ": judge.run(language, source)}
                for name, seconds in pair.items() if number >= 0 else ():
                    times.setdefault((language, name), []).append(1000 * seconds)
    print(f"hello world, {rounds} of each, medians in milliseconds; load average {os.getloadavg()[0]:.1f}")
    print(f"{'':<10}{'ours':>10}{'DMOJ':>10}{'DMOJ / ours':>14}")
    for language in HELLO:
        mine, theirs = (statistics.median(times[language, name]) for name in ("ours", "DMOJ"))
        print(f"{language:<10}{mine:>10.1f}{theirs:>10.1f}{theirs / mine:>14.2f}")


if __name__ == "__main__":
    main()
