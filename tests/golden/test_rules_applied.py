"""What becomes of traces on the way to a verdict: several runs, calls outside the cases, results not compared."""

import pytest

from tests.golden.conftest import GradeSource
from tests.golden.toys import GOOD, PRINT_PYTHON

UNINITIALISED = """
import sys
import cupy
import libcudnn as L
import libcudnn.cuda as cuda

print(sys.argv[1])
print(float(sys.argv[1]) * float(sys.argv[2]))
L.cudnnGetVersion()
if sys.argv[1] == "{only}":
    for _ in range({before}):
        L.cudnnGetVersion()
    h, d = L.cudnnCreate(), L.cudnnCreateTensorDescriptor()
    L.cudnnSetTensor4dDescriptor(d, L.CUDNN_TENSOR_NCHW, L.CUDNN_DATA_FLOAT, 1, 1, 4, 4)
    x, y = cuda.cudaMalloc(64), cupy.empty(16, dtype=cupy.float32)
    L.cudnnTransformTensor(h, 1.0, d, x, 0.0, d, y)
    cuda.cudaFree(x)
    L.cudnnDestroyTensorDescriptor(d)
    L.cudnnDestroy(h)
"""


def test_a_note_of_the_first_run_marks_the_call_that_it_was_about(grade_source: GradeSource) -> None:
    verdict = grade_source("python", UNINITIALISED.format(only=3, before=0), "print")
    (finding,) = verdict.findings
    (call,) = [call for call in verdict.calls if call.index == finding.call]
    assert (finding.rule, call.name, call.line) == ("uninitialised_read", "cudnnTransformTensor", finding.line)


@pytest.mark.parametrize("before", [0, 7])
def test_a_note_of_the_second_run_is_not_taken_for_a_call_of_the_first(before: int, grade_source: GradeSource) -> None:
    """The second run is a hidden case: its finding keeps its line alone. A note with the first run's index would
    mark a shown call, or none."""
    source = UNINITIALISED.format(only=4, before=before)
    verdict = grade_source("python", source, "print")
    (finding,) = verdict.findings
    assert (finding.rule, finding.call) == ("uninitialised_read", None)
    assert finding.line == source[: source.index("L.cudnnTransformTensor")].count("\n") + 1


LEAVES_A_DESCRIPTOR = """
import sys
import libcudnn as L

print(sys.argv[1])
print(float(sys.argv[1]) * float(sys.argv[2]))
L.cudnnCreateTensorDescriptor()
"""


def test_a_mistake_that_every_run_makes_is_one_finding(grade_source: GradeSource) -> None:
    verdict = grade_source("python", LEAVES_A_DESCRIPTOR, "print")
    assert verdict.total > 1
    found = [(finding.rule, finding.data["times"]) for finding in verdict.findings]
    assert found == [("leaks_descriptor", verdict.total), ("not_called", verdict.total)]


AT_EXIT = {
    "cpp": GOOD["cpp"]
    .replace(
        "void scale(",
        "struct Kept {\n  cudnnHandle_t handle = nullptr;\n  ~Kept() { /*END*/ }\n};\nstatic Kept kept;\n\nvoid scale(",
        1,
    )
    .replace("/*HOOK*/", "if (!kept.handle) cudnnCreate(&kept.handle);"),
    "python": "import atexit\nimport libcudnn\nkept = []\n/*END*/\n"
    + GOOD["python"].replace("pass  # HOOK", "kept or kept.append(libcudnn.cudnnCreate())"),
}
ENDS = {"cpp": "cudnnDestroy(handle);", "python": "atexit.register(lambda: libcudnn.cudnnDestroy(kept[0]))"}


@pytest.mark.parametrize("language", ["cpp", "python"])
def test_what_is_given_back_after_the_last_case_is_no_leak(language: str, grade_source: GradeSource) -> None:
    given_back = grade_source(language, AT_EXIT[language].replace("/*END*/", ENDS[language]))
    kept = grade_source(language, AT_EXIT[language].replace("/*END*/", ""))
    assert (given_back.code, kept.code) == ("accepted", "accepted"), (given_back.data, kept.data)
    assert [finding.rule for finding in given_back.findings] == []
    assert [finding.rule for finding in kept.findings] == ["leaks_handle"]


SEARCHED = """
import cupy
import libcudnn as L

h, d, wd = L.cudnnCreate(), L.cudnnCreateTensorDescriptor(), L.cudnnCreateFilterDescriptor()
c, space = L.cudnnCreateConvolutionDescriptor(), cupy.empty(1 << 20, dtype=cupy.uint8)
L.cudnnSetTensor4dDescriptor(d, L.CUDNN_TENSOR_NCHW, L.CUDNN_DATA_FLOAT, 1, 1, 4, 4)
L.cudnnSetFilter4dDescriptor(wd, L.CUDNN_DATA_FLOAT, L.CUDNN_TENSOR_NCHW, 1, 1, 1, 1)
L.cudnnSetConvolution2dDescriptor(c, 0, 0, 1, 1, 1, 1, L.CUDNN_CROSS_CORRELATION, L.CUDNN_DATA_FLOAT)
x, dy = (cupy.ones((1, 1, 4, 4), dtype=cupy.float32) for _ in range(2))
dw = cupy.empty((1, 1, 1, 1), dtype=cupy.float32)
for beta in (0.0, 1.0):
    L.cudnnConvolutionBackwardFilter(h, 1.0, d, x, d, dy, c, 1, None, 0, beta, wd, dw)
    if not beta and {search}:
        L.cudnnFindConvolutionBackwardFilterAlgorithmEx(h, d, x, d, dy, c, wd, dw, 1, space, space.nbytes)
L.cudnnDestroyConvolutionDescriptor(c)
L.cudnnDestroyFilterDescriptor(wd)
L.cudnnDestroyTensorDescriptor(d)
L.cudnnDestroy(h)
"""


def test_a_program_that_is_only_run_is_told_what_spoils_its_result(grade_source: GradeSource) -> None:
    """Nothing was compared, so nothing is known to be right."""
    rules = [
        [finding.rule for finding in grade_source("python", SEARCHED.format(search=search), "", purpose="run").findings]
        for search in (True, False)
    ]
    assert rules == [["find_overwrites_output"], []]


def test_a_program_whose_output_was_right_is_not_suspected(grade_source: GradeSource) -> None:
    source = PRINT_PYTHON.replace("pass  # HOOK", SEARCHED.format(search=True))
    verdict = grade_source("python", source, "print")
    assert (verdict.code, verdict.findings) == ("accepted", []), verdict.stderr
    wrong = grade_source("python", source.replace("print(sys.argv[1])", "print(0)"), "print")
    assert {finding.rule for finding in wrong.findings} == {"find_overwrites_output"}


AT_THE_END = PRINT_PYTHON.replace("pass  # HOOK", "").replace(
    "print(float(sys.argv[1]) * float(sys.argv[2]))",
    "import atexit\natexit.register(lambda: print(float(sys.argv[1]) * float(sys.argv[2])))",
)


def test_what_a_python_program_leaves_for_its_end_is_done(grade_source: GradeSource) -> None:
    assert grade_source("python", AT_THE_END, "print").code == "accepted"
    failing = AT_THE_END + "atexit.register(lambda: 1 / 0)\n"
    verdict = grade_source("python", failing, "print")
    assert (verdict.code, "ZeroDivisionError" in verdict.stderr) == ("accepted", True)
