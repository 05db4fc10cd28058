"""DMOJ's judge as a peer of `peers.py`; run by the interpreter of its own environment, as an ordinary user.

Reads `cpp` or `python` a line and a program's source as JSON; writes one JSON line: seconds, and what it printed. The
judge stays in one process, as in its own service: only the compiler and the program are started for each submission.
"""

import json
import subprocess
import sys
import time
from typing import Any

from dmoj import judgeenv  # type: ignore[import-not-found]
from dmoj.executors import load_executor  # type: ignore[import-not-found]

EXECUTORS = {"cpp": "CPP20", "python": "PY3"}
TIME_S, MEMORY_KIB = 10, 1 << 20


def find(name: str) -> Any:
    """Raises RuntimeError where the judge's own self-test of the language fails."""
    executor = load_executor(name).Executor
    config, success, *texts = executor.autoconfig()
    if not success:
        raise RuntimeError(f"{name}: {texts}")
    executor.runtime_dict = config
    judgeenv.env["runtime"].update(config)
    return executor


def run(executor: Any, source: str) -> dict[str, Any]:
    started = time.perf_counter()
    program = executor("bench", source.encode())
    process = program.launch(time=TIME_S, memory=MEMORY_KIB, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)  # fmt: skip
    stdout, stderr = process.communicate(b"")
    seconds = time.perf_counter() - started
    return {"seconds": seconds, "stdout": stdout.decode(), "stderr": stderr.decode()}


def main() -> None:
    judgeenv.env["runtime"] = {}
    executors = {language: find(name) for language, name in EXECUTORS.items()}
    print(json.dumps({"ready": sorted(executors)}), flush=True)
    for line in sys.stdin:
        language, source = json.loads(line)
        print(json.dumps(run(executors[language], source)), flush=True)


if __name__ == "__main__":
    main()
