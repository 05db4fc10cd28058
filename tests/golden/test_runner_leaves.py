"""The C++ runner tells its end before the libraries tear themselves down, and after the learner's own destructors."""

import os
import subprocess
from pathlib import Path

from grader.inside.frames import Frame

LIBRARIES = """
#include <stdlib.h>
#include <unistd.h>
static void torn_down(void) { write(2, "[torn down]", 11); }
int cudaMalloc(void **memory, size_t size) { return *memory = malloc(size), 0; }
int cudaFree(void *memory) { return 0; }
int cudaMemcpy(void *to, const void *from, size_t size, int kind) { return 0; }
int cudaDeviceSynchronize(void) { return 0; }
const char *cudaGetErrorName(int status) { return "stand-in"; }
int cudnnCreate(void **handle) { return *handle = malloc(8), 0; }
int cudnnDestroy(void *handle) { return write(2, "[handle destroyed]", 18), 0; }
int cudnnCreateFilterDescriptor(void **filter) { return *filter = malloc(8), atexit(torn_down); }
"""
"""Making a filter descriptor, which warming up does, loads a part that has a destructor of its own, as cuDNN does."""
SOLUTION = """
#include <unistd.h>
struct Kept { ~Kept() { write(2, "[learner]", 9); } };
static Kept kept;
extern "C" void fp_entry(void **) {}
"""


def build(compiler: str, source: str, library: Path) -> Path:
    text = library.with_suffix(".c" if compiler == "gcc" else ".cpp")
    text.write_text(source)
    subprocess.run([compiler, "-shared", "-fPIC", "-w", str(text), "-o", str(library)], check=True)
    return library


def test_the_end_is_told_before_the_libraries_destructors(native_build: Path, tmp_path: Path) -> None:
    libraries = str(build("gcc", LIBRARIES, tmp_path / "libraries.so"))
    code = build("g++", SOLUTION, tmp_path / "solution.so").read_bytes()
    trace = os.memfd_create("trace")
    os.ftruncate(trace, 1 << 20)
    frames = [Frame("keep", body=code), Frame("load f"), Frame("end")]
    done = subprocess.run(
        [native_build / "bin" / "fp_runner", "0", "2", str(trace), libraries, libraries],
        input=b"".join(frame.encode() for frame in frames),
        stderr=subprocess.PIPE,  # results and what the parts say, in the order in which they come
        env={"FP_GPU": "1", "FP_WARM_UP": "1"},
        pass_fds=(trace,),
        timeout=60,
        check=True,
    )
    os.close(trace)
    events = (b"loaded", b"[learner]", b"[handle destroyed]", b"left 0", b"[torn down]")
    places = [done.stderr.find(event) for event in events]
    assert -1 not in places, done.stderr
    assert places == sorted(places), done.stderr
