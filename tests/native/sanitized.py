"""``python -m tests.native.sanitized [address] [thread] [--fuzz SECONDS]``: the native code's tests under sanitizers.

Builds simulator and call recorder with AddressSanitizer and UBSan, and with ThreadSanitizer, each into a folder of its
own, and runs their tests, then random calls (from three threads where races are looked for). Exit status 0 where
nothing was found; the last line says so.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from grader.native.build import build
from grader.paths import ROOT

SANITIZERS = {"address": ("address,undefined", ("asan", "ubsan")), "thread": ("thread", ("tsan",))}
TESTS = {
    "address": ["tests/native/test_sim_*.py", "tests/native/test_ops_*.py", "tests/native/test_recorder*.py"],
    "thread": [
        "tests/native/test_sim_threads.py",
        "tests/native/test_sim_streams.py",
        "tests/native/test_sim_graph.py",
        "tests/native/test_ops_*.py",
        "tests/native/test_recorder*.py",
    ],
}
LEFT_OUT = ("test_sim_fuzz", "test_sim_h200_forward", "test_ops_h200", "test_recorder_sanitized")
"""The random calls below make the same calls; the last builds its own recorders."""
THREADS = {"address": 1, "thread": 3}
OUR_SIGNALS = "handle_segv=0:handle_sigfpe=0"
OPTIONS = {
    "ASAN_OPTIONS": f"detect_leaks=0:allocator_may_return_null=1:allow_user_segv_handler=1:{OUR_SIGNALS}",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1:handle_sigfpe=0",
    "TSAN_OPTIONS": f"halt_on_error=1:exitcode=66:allocator_may_return_null=1:{OUR_SIGNALS}",
}
"""Objects of a process live until its end, so leaks are not asked for; the simulator has a handler of its own for
accesses to device memory, and dies of SIGFPE where the real library does; an allocation that is too large fails as it
does without a sanitizer."""


def runtime(name: str) -> str:
    found = subprocess.run(["g++", f"-print-file-name=lib{name}.so"], check=True, capture_output=True, text=True)
    return str(Path(found.stdout.strip()).resolve())


def environment(sanitizer: str, out: Path) -> dict[str, str]:
    flags, runtimes = SANITIZERS[sanitizer]
    return os.environ | OPTIONS | {
        "PYTHONMALLOC": "malloc",  # every buffer of a test is then an allocation that is watched
        "FP_SIM_LIBRARIES": str(out / "lib"),
        "FP_TEST_BUILD": str(out),
        "FP_SIM_TEST_CXXFLAGS": f"-fsanitize={flags}",
        "LD_PRELOAD": " ".join(map(runtime, runtimes)),
        "OPENBLAS_NUM_THREADS": "1",
    }  # fmt: skip


def run(sanitizer: str, seconds: float) -> bool:
    """Whether the tests and the random calls end without a finding."""
    out = ROOT / "build" / f"native-sim-{sanitizer}"
    flags = SANITIZERS[sanitizer][0]
    if any(build(target, out, sanitize=flags) != 0 for target in ("simulator", "recorder", "python")):
        return False
    files = [str(path) for pattern in TESTS[sanitizer] for path in sorted(ROOT.glob(pattern))]
    files = [path for path in files if Path(path).stem not in LEFT_OUT]
    commands = [
        ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-x", *files],
        ["-m", "tests.native.fuzz", "--seconds", str(seconds), "--threads", str(THREADS[sanitizer])],
    ]
    given = environment(sanitizer, out)
    return all(subprocess.run([sys.executable, *c], cwd=ROOT, env=given, check=False).returncode == 0 for c in commands)


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.native.sanitized", description=__doc__)
    parser.add_argument("sanitizers", nargs="*", help="default: both")
    parser.add_argument("--fuzz", type=float, default=60, help="seconds of random calls under each")
    options = parser.parse_args()
    wanted = options.sanitizers or list(SANITIZERS)
    if unknown := [name for name in wanted if name not in SANITIZERS]:
        parser.error(f"no such sanitizer: {', '.join(unknown)}; choose from {', '.join(SANITIZERS)}")
    clean = [name for name in wanted if run(name, options.fuzz)]
    print(f"sanitized: {len(clean)} of {len(wanted)} runs clean ({', '.join(wanted)})")
    return 0 if clean == wanted else 1


if __name__ == "__main__":
    raise SystemExit(main())
