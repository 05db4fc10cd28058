"""Small exercises made for the tests, so that they do not depend on the course's."""

from pathlib import Path

SCALE = """
schema: 1
form: function
title: {ko: 배율, en: Scale}
lesson: handles
languages: [cpp, python]
function:
  name: scale
  arguments:
    - {name: handle, kind: handle}
    - {name: x, kind: input, dtype: float32, shape: [N, C]}
    - {name: total, kind: inout, dtype: float32, shape: [N, C]}
    - {name: y, kind: output, dtype: float32, shape: [N, C]}
    - {name: table, kind: host_input, dtype: int32, shape: [C], fill: arange}
    - {name: sums, kind: host_output, dtype: float64, shape: [N]}
    - {name: alpha, kind: scalar, type: float, value: alpha}
cases:
  - {name: shown-small, shown: true, parameters: {N: 2, C: 3, alpha: 2}}
  - {name: hidden-large, shown: false, parameters: {N: 5, C: 7, alpha: 0.5}}
limits: {wall_s: 2.5, memory_mib: 300, output_kib: 16}
uses: {forbidden: [cudaDeviceReset, numpy.dot]}
"""

SCALE_REFERENCE = """
def reference(inputs, parameters):
    y = inputs["x"] * parameters["alpha"]
    return {"y": y, "total": inputs["total"] + y, "sums": (inputs["x"] * inputs["table"]).sum(axis=1)}


def mistakes(inputs, parameters):
    right = reference(inputs, parameters)
    return {"scaled_twice": {**right, "y": right["y"] * parameters["alpha"]}}
"""

GOOD_CPP = """
#include <cuda_runtime.h>
#include <cudnn.h>
#include <vector>

void scale(cudnnHandle_t handle, const float *x, float *total, float *y, const int32_t *table, double *sums,
           float alpha) {
  int n = 2, c = 3;
  if (alpha != 2.0f) n = 5, c = 7;
  std::vector<float> h(n * c), t(n * c);
  cudaMemcpy(h.data(), x, h.size() * 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(t.data(), total, t.size() * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    sums[i] = 0;
    for (int j = 0; j < c; ++j) sums[i] += double(h[i * c + j]) * table[j];
  }
  for (int i = 0; i < n * c; ++i) h[i] *= alpha, t[i] += h[i];
  /*HOOK*/
  cudaMemcpy(y, h.data(), h.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(total, t.data(), t.size() * 4, cudaMemcpyHostToDevice);
}
"""

GOOD_PYTHON = """
import cupy
import numpy as np


def scale(handle, x, total, y, table, sums, alpha):
    y[...] = x * alpha
    total[...] = total + y
    sums[...] = (cupy.asnumpy(x).astype(np.float64) * table).sum(axis=1)
    pass  # HOOK
"""

PRINT = """
schema: 1
form: program
title: {ko: 출력, en: Print}
lesson: handles
languages: [cpp, python]
cases:
  - {name: one, shown: true, parameters: {N: 3, scale: 0.5}}
  - {name: two, shown: false, parameters: {N: 4, scale: 0.25}}
derived: {total: N * scale}
limits: {wall_s: 2.5, memory_mib: 300, output_kib: 16}
uses: {required: [cudnnGetVersion]}
program:
  stdout: ["{N}", "{total}"]
  compare: numbers
"""

PRINT_CPP = """
#include <cudnn.h>
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
  if (argc != 3 || cudnnGetVersion() < 90000) return 2;
  std::printf("%s\\n%f\\n", argv[1], std::atof(argv[1]) * std::atof(argv[2]));
  /*HOOK*/
  return 0;
}
"""

PRINT_PYTHON = """
import sys
import libcudnn

assert __name__ == "__main__" and libcudnn.cudnnGetVersion() >= 90000
print(sys.argv[1])
print(float(sys.argv[1]) * float(sys.argv[2]))
pass  # HOOK
"""

TIMED = """
schema: 1
form: function
title: {ko: 시간 재기, en: Timed}
lesson: handles
languages: [cpp, python]
function:
  name: twice
  arguments:
    - {name: x, kind: input, dtype: float32, shape: [N]}
    - {name: y, kind: output, dtype: float32, shape: [N]}
    - {name: n, kind: scalar, type: int, value: N}
cases:
  - {name: small, shown: true, parameters: {N: 4}}
  - {name: large, shown: false, parameters: {N: 1000}}
timing: {case: small, runs: 5, warmup: 2}
limits: {wall_s: 4, memory_mib: 300, output_kib: 16}
"""

TIMED_REFERENCE = """
def reference(inputs, parameters):
    return {"y": inputs["x"] * 2}
"""

TIMED_CPP = """
#include <cuda_runtime.h>
#include <time.h>
#include <vector>

/*BEFORE*/
static int calls = 0;
void twice(const float *x, float *y, int n) {
  ++calls;
  std::vector<float> h(n);
  cudaMemcpy(h.data(), x, n * 4, cudaMemcpyDeviceToHost);
  for (float &v : h) v *= 2;
  /*HOOK*/
  cudaMemcpy(y, h.data(), n * 4, cudaMemcpyHostToDevice);
}
"""

TIMED_PYTHON = """
import time

calls = 0
kept = {}


def twice(x, y, n):
    global calls
    calls += 1
    y[...] = x * 2
    pass  # HOOK
"""

GOOD = {"cpp": GOOD_CPP, "python": GOOD_PYTHON}
GOOD_PROGRAM = {"cpp": PRINT_CPP, "python": PRINT_PYTHON}


def write_toys(root: Path) -> Path:
    """Exercise folders `scale`, `print` and `timed` below `root`, as far as grading needs them."""
    toys = (("scale", SCALE, SCALE_REFERENCE), ("print", PRINT, ""), ("timed", TIMED, TIMED_REFERENCE))
    for name, yaml, reference in toys:
        folder = root / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "exercise.yaml").write_text(yaml, encoding="utf-8")
        (folder / "reference.py").write_text(reference, encoding="utf-8")
    return root


def hooked(language: str, code: str) -> str:
    """The accepted solution of `scale` with a line of code put in where its results are computed."""
    if language == "cpp":
        return GOOD_CPP.replace("/*HOOK*/", code)
    return GOOD_PYTHON.replace("pass  # HOOK", code.replace("\n", "\n    "))
