"""Where a call was made: its own line, and the lines that its helper was called from."""

import pytest

from tests.golden.conftest import GradeSource

HELPERS = {
    "cpp": """#include <cudnn.h>
struct Tensor {
    Tensor() { cudnnCreateTensorDescriptor(&raw); }
    ~Tensor() { cudnnDestroyTensorDescriptor(raw); }
    void set(int n) { cudnnSetTensor4dDescriptor(raw, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, 1, 1, 1); }
    cudnnTensorDescriptor_t raw;
};
__attribute__((noinline)) void describe(Tensor &tensor, int n) {
    tensor.set(n);
}
int main() {
    Tensor tensor;
    describe(tensor, 1);
    describe(tensor, 2);
}
""",
    "python": """import libcudnn
class Tensor:
    def __init__(self): self.raw = libcudnn.cudnnCreateTensorDescriptor()
    def __del__(self): libcudnn.cudnnDestroyTensorDescriptor(self.raw)
    def set(self, n): libcudnn.cudnnSetTensor4dDescriptor(self.raw, 0, 0, n, 1, 1, 1)


def describe(tensor, n):
    tensor.set(n)


def main():
    tensor = Tensor()
    describe(tensor, 1)
    describe(tensor, 2)
main()
""",
}


@pytest.mark.parametrize("language", ["cpp", "python"])
def test_a_helpers_call_tells_where_the_helper_was_called_from(language: str, grade_source: GradeSource) -> None:
    verdict = grade_source(language, HELPERS[language], "", purpose="run")
    assert verdict.code == "accepted", verdict.data
    first, second = (call for call in verdict.calls if call.name == "cudnnSetTensor4dDescriptor")
    assert (first.line, second.line) == (5, 5)
    # A compiler may put the body of `set` into `describe`, whose line 9 or 10 is then lost.
    outer = [[line for line in call.via if line > 10] for call in (first, second)]
    assert outer == {"cpp": [[13], [14]], "python": [[14, 16], [15, 16]]}[language]
