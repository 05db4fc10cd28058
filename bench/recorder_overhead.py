"""What the call recorder costs a call: the same calls past it, through it, and through it into a trace buffer.

Needs the native build and g++. Prints processor nanoseconds a call, medians of five interleaved rounds.
"""

import os
import subprocess
import tempfile
from pathlib import Path

from grader.paths import ROOT

CAPACITY = 256 << 20
BUILD = ROOT / "build" / "native"
PROGRAM = r"""
#include <cudnn.h>
#include <cuda_runtime.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
extern "C" int fp_recorder_attach(int);
extern "C" void *fp_recorder_symbol(const char *);

// Of the processor: a busy machine does not change it.
double now() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

template <typename Function>
double nanoseconds(int count, Function function) {
  const double start = now();
  for (int i = 0; i < count; ++i) function();
  return (now() - start) / count;
}

// Direct and recorded calls in turn, five rounds; medians.
template <typename Function>
void row(const char *label, const char *name, int count, Function *recorded, auto call) {
  auto *direct = reinterpret_cast<Function *>(fp_recorder_symbol(name));
  std::array<double, 5> past, through;
  for (int round = 0; round < 5; ++round) {
    past[round] = nanoseconds(count, [&] { call(direct); });
    through[round] = nanoseconds(count, [&] { call(recorded); });
  }
  std::sort(past.begin(), past.end());
  std::sort(through.begin(), through.end());
  std::printf("%s %.1f %.1f\n", label, past[2], through[2]);
}

void *filled(size_t bytes) {
  void *memory;
  cudaMalloc(&memory, bytes);
  cudaMemset(memory, 0, bytes);
  return memory;
}

int main() {
  if (const char *descriptor = std::getenv("TRACE")) fp_recorder_attach(std::atoi(descriptor));
  cudnnHandle_t handle;
  cudnnTensorDescriptor_t x;
  cudnnFilterDescriptor_t w;
  cudnnConvolutionDescriptor_t c;
  cudnnCreate(&handle);
  cudnnCreateTensorDescriptor(&x);
  cudnnCreateFilterDescriptor(&w);
  cudnnCreateConvolutionDescriptor(&c);
  cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 16, 28, 28);
  cudnnSetFilter4dDescriptor(w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 16, 16, 3, 3);
  cudnnSetConvolution2dDescriptor(c, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
  void *data = filled(16 * 28 * 28 * 4), *weights = filled(16 * 16 * 9 * 4), *out = filled(16 * 28 * 28 * 4);
  float alpha = 1, beta = 0;
  size_t size;
  row("cudnnGetVersion", "cudnnGetVersion", 2000, cudnnGetVersion, [&](auto f) { return f(); });
  row("cudnnGetTensorSizeInBytes", "cudnnGetTensorSizeInBytes", 2000, cudnnGetTensorSizeInBytes,
      [&](auto f) { return f(x, &size); });
  row("cudnnSetTensor4dDescriptor", "cudnnSetTensor4dDescriptor", 2000, cudnnSetTensor4dDescriptor,
      [&](auto f) { return f(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 16, 28, 28); });
  // Refused at once for want of a handle: what remains is the recorder's work on 13 arguments.
  row("refused-convolution", "cudnnConvolutionForward", 2000, cudnnConvolutionForward, [&](auto f) {
    return f(nullptr, &alpha, x, data, w, weights, c, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &beta, x,
             out);
  });
  row("small-convolution", "cudnnConvolutionForward", 20, cudnnConvolutionForward, [&](auto f) {
    return f(handle, &alpha, x, data, w, weights, c, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &beta, x,
             out);
  });
}
"""


def measure(program: Path, trace: int | None) -> dict[str, tuple[float, float]]:
    """Function → nanoseconds past the recorder and through it."""
    environment = {
        "FP_CUDNN_LIBRARY": str(BUILD / "lib" / "libcudnn.so.9"),
        "FP_CUDART_LIBRARY": str(BUILD / "lib" / "libcudart.so.12"),
    }
    if trace is not None:
        environment["TRACE"] = str(trace)
    done = subprocess.run(
        [str(program)],
        env=environment,
        pass_fds=[] if trace is None else [trace],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split() for line in done.stdout.splitlines()]
    return {name: (float(direct), float(recorded)) for name, direct, recorded in rows}


def build(folder: Path) -> Path:
    source, program = folder / "overhead.cpp", folder / "overhead"
    source.write_text(PROGRAM)
    lib = BUILD / "lib"
    command = ["g++", "-std=c++20", "-O2", f"-I{BUILD / 'include'}", str(source), "-o", str(program), f"-L{lib}",
               "-lfp_recorder", f"-Wl,-rpath,{lib}"]  # fmt: skip
    subprocess.run(command, check=True)
    return program


def main() -> None:
    trace = os.memfd_create("trace")
    os.ftruncate(trace, CAPACITY)
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        plain = measure(program, None)
        traced = measure(program, trace)
    print(f"{'nanoseconds a call':<32}{'direct':>10}{'forwarded':>12}{'recorded':>12}{'overhead':>12}")
    for name, (_, forwarded) in plain.items():
        direct, recorded = traced[name]
        print(f"{name:<32}{direct:>10.0f}{forwarded:>12.0f}{recorded:>12.0f}{recorded - direct:>12.0f}")
    direct, recorded = traced["small-convolution"]
    print(f"recorded / direct, one 3x3 convolution of 1x16x28x28 in the simulator: {recorded / direct:.3f}")


if __name__ == "__main__":
    main()
