"""The recorder under AddressSanitizer with UBSan, and under ThreadSanitizer: threads, odd pointers, a small buffer."""

import subprocess
from pathlib import Path

import pytest

from grader.native.build import build
from grader.paths import ROOT
from tests.native.recorded import run

pytestmark = pytest.mark.slow

LIBRARY = """
#include <stdlib.h>
int cudnnCreateTensorDescriptor(void **out) { *out = malloc(16); return 0; }
int cudnnDestroyTensorDescriptor(void *object) { free(object); return 0; }
int cudnnSetTensor4dDescriptor(void *object, int f, int t, int n, int c, int h, int w) { return n > 0 ? 0 : 2000; }
int cudnnSetTensorNdDescriptor() { return 0; }
int cudnnConvolutionForward() { return 0; }
int cudnnGetConvolution2dForwardOutputDim(void *c, void *x, void *w, int *a, int *b, int *d, int *e) {
  *a = *b = *d = *e = 7;
  return 0;
}
int cudaMalloc(void **out, size_t size) { *out = malloc(size ? size : 1); return 0; }
int cudaFree(void *memory) { free(memory); return 0; }
int cudaMemset() { return 700; }
"""
PROGRAM = """
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>
#include "recorder.h"
extern "C" {
int cudnnCreateTensorDescriptor(void **);
int cudnnDestroyTensorDescriptor(void *);
int cudnnSetTensor4dDescriptor(void *, int, int, int, int, int, int);
int cudnnSetTensorNdDescriptor(void *, int, int, const int *, const int *);
int cudnnConvolutionForward(void *, const void *, void *, const void *, void *, const void *, void *, int, void *,
                            size_t, const void *, void *, void *);
int cudnnGetConvolution2dForwardOutputDim(void *, void *, void *, int *, int *, int *, int *);
int cudaMalloc(void **, size_t);
int cudaFree(void *);
int cudaMemset(void *, int, size_t);
}

static void work(int seed) {
  unsigned state = seed;
  auto next = [&] { return state = state * 1664525u + 1013904223u; };
  for (int i = 0; i < 400; ++i) {
    void *x = nullptr, *p = nullptr;
    int dims[16] = {1, 2, 3, 4}, strides[16] = {24, 12, 4, 1}, out[4];
    float alpha = 1;
    double wide = 1;
    fp_recorder_line(i);
    if (i % 50 == 0) fp_recorder_case(("case-" + std::to_string(seed)).c_str());
    cudnnCreateTensorDescriptor(&x);
    cudnnSetTensor4dDescriptor(x, next() % 5, next() % 12, next() % 3, 2, 3, 4);
    cudnnSetTensorNdDescriptor(x, next() % 3, static_cast<int>(next() % 12) - 2, next() % 2 ? dims : nullptr, strides);
    cudaMalloc(&p, next() % 100);
    // Below the sanitizers' own memory, which lies where no program has any.
    void *odd = reinterpret_cast<void *>(static_cast<uintptr_t>(next() & 0x3fffffff));
    cudnnConvolutionForward(odd, next() % 2 ? &alpha : odd, x, p, odd, odd, x, next() % 20, p, next(), &wide, x, odd);
    cudnnGetConvolution2dForwardOutputDim(odd, x, odd, &out[0], &out[1], &out[2], &out[3]);
    cudaMemset(p, 0, 1);
    fp_recorder_note("{\\"note\\":\\"hello\\"}");
    fp_recorder_buffer(dims, sizeof dims, next() % 2 ? "dims" : nullptr);
    fp_recorder_buffer_end(dims);
    cudaFree(p);
    cudnnDestroyTensorDescriptor(x);
    cudnnSetTensor4dDescriptor(x, 0, 0, 0, 2, 3, 4);
  }
}

int main() {
  if (fp_recorder_attach(std::atoi(std::getenv("TRACE"))) != 0) return 9;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, i + 1);
  for (auto &thread : threads) thread.join();
}
"""


@pytest.mark.parametrize("sanitizer", ["address,undefined", "thread"])
def test_the_recorder_is_clean(sanitizer: str, tmp_path: Path) -> None:
    out = ROOT / "build" / f"native-recorder-{sanitizer.split(',')[0]}"
    assert build("recorder", out, sanitize=sanitizer) == 0
    (tmp_path / "library.c").write_text(LIBRARY)
    (tmp_path / "program.cpp").write_text(PROGRAM)
    flags = [f"-fsanitize={sanitizer}", "-g", "-w"]
    library, program = tmp_path / "library.so", tmp_path / "program"
    subprocess.run(["gcc", *flags, "-shared", "-fPIC", str(tmp_path / "library.c"), "-o", str(library)], check=True)
    command = ["g++", "-std=c++20", *flags, f"-I{ROOT / 'grader/native/recorder'}", str(tmp_path / "program.cpp"),
               "-o", str(program), f"-L{out / 'lib'}", "-lfp_recorder", f"-Wl,-rpath,{out / 'lib'}"]  # fmt: skip
    subprocess.run(command, check=True)
    options = {"ASAN_OPTIONS": "detect_leaks=0", "TSAN_OPTIONS": "halt_on_error=1", "UBSAN_OPTIONS": "halt_on_error=1"}
    done = run([str(program)], capacity=1 << 20, cudnn=library, cudart=library, **options)
    assert done.status == 0, done.stderr[-4000:]
    assert "runtime error" not in done.stderr
    assert done.trace.dropped > 0
    assert len(done.trace.calls) > 500
