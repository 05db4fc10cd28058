"""Runs small programs over recorder and simulator in processes of their own, and reads what they called."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.checkers.trace_reader import Trace, read_trace
from grader.paths import ROOT

BUILD = Path(os.environ.get("FP_TEST_BUILD") or ROOT / "build" / "native")
"""FP_TEST_BUILD: another build, such as one with a sanitizer, whose variables the programs get too."""
LIBRARIES = BUILD / "lib"
RECORDER = LIBRARIES / "libfp_recorder.so"
CUDNN = Path(os.environ.get("FP_TEST_CUDNN") or LIBRARIES / "libcudnn.so.9")
CUDART = Path(os.environ.get("FP_TEST_CUDART") or LIBRARIES / "libcudart.so.12")
"""The simulator, unless the environment names real libraries to run the same tests over."""
PACKAGES = os.environ.get("FP_TEST_PACKAGES") or str(BUILD / "python")
REAL = "FP_TEST_CUDNN" in os.environ
CASE = "one"
SANITIZER = {
    name: value
    for name, value in os.environ.items()
    if name.endswith("SAN_OPTIONS") or name in ("LD_PRELOAD", "PYTHONMALLOC")
}

PREAMBLE = """
import ctypes, os
import libcudnn
from libcudnn._native import library as recorder
import libcudnn.cuda as cuda
recorder.fp_recorder_attach(int(os.environ["TRACE"]))
recorder.fp_recorder_case(b"one")
"""


@dataclass(slots=True)
class Run:
    trace: Trace
    status: int
    stdout: str
    stderr: str

    @property
    def names(self) -> list[str]:
        return [call.name for call in self.trace.calls]


def run(
    command: Sequence[str], capacity: int = 1 << 20, cudnn: Path = CUDNN, cudart: Path = CUDART, **extra: str
) -> Run:
    """Runs `command` with TRACE naming the descriptor of a trace buffer of `capacity` bytes."""
    descriptor = os.memfd_create("trace")
    os.ftruncate(descriptor, 4096 + capacity)
    environment = {
        "PATH": os.environ["PATH"],
        "TRACE": str(descriptor),
        "FP_RECORDER": str(RECORDER),
        "FP_CUDNN_LIBRARY": str(cudnn),
        "FP_CUDART_LIBRARY": str(cudart),
        "PYTHONPATH": PACKAGES,
        "FP_SIM_MEMORY_MIB": "64",
        **SANITIZER,
        **extra,
    }
    try:
        done = subprocess.run(
            command, env=environment, pass_fds=[descriptor], capture_output=True, text=True, timeout=120, check=False
        )
        return Run(read_trace(os.pread(descriptor, 4096 + capacity, 0)), done.returncode, done.stdout, done.stderr)
    finally:
        os.close(descriptor)


def run_python(source: str, **options: object) -> Run:
    """Runs a Python program with `libcudnn`, `cuda` and `recorder` at hand, its calls recorded as case `one`."""
    return run([sys.executable, "-c", PREAMBLE + source], **options)  # type: ignore[arg-type]


def python_output(source: str) -> str:
    """What a Python program prints; AssertionError with its traceback where it fails."""
    done = run_python(source)
    assert done.status == 0, done.stderr
    return done.stdout.strip()


CPP_FRAME = """
#include <cudnn.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
extern "C" int fp_recorder_attach(int);
extern "C" void fp_recorder_case(const char *);
extern "C" void fp_recorder_module(const void *, size_t);
extern "C" void fp_recorder_report();
extern char __executable_start, etext;
static void program() {
#line 1 "program.cpp"
%s
}
int main() {
  fp_recorder_attach(std::atoi(std::getenv("TRACE")));
  fp_recorder_module(&__executable_start, &etext - &__executable_start);
  fp_recorder_case("one");
  program();
  fp_recorder_case("");
  fp_recorder_report();
}
"""


def compile_cpp(body: str, folder: Path) -> Path:
    """An executable of the statements in `body`, linked with the recorder alone."""
    source, program = folder / "program.cpp", folder / "program"
    source.write_text(CPP_FRAME % body)
    command = ["g++", "-std=c++17", "-g", "-w", f"-I{BUILD / 'include'}", str(source), "-o", str(program),
               f"-L{LIBRARIES}", "-lfp_recorder", f"-Wl,-rpath,{LIBRARIES}", "-lpthread"]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, text=True)
    return program


def run_cpp(body: str, folder: Path, **options: object) -> Run:
    return run([str(compile_cpp(body, folder))], **options)  # type: ignore[arg-type]
