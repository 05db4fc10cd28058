"""Every reason of a failed call: a call that has it, a near one that has not, and its sentences."""

from dataclasses import replace

import pytest

from app.i18n import messages
from app.i18n.locales import LANGS
from app.i18n.sentences import reason_sentence
from grader.checkers.api_trace.reasons import REASONS, explain
from grader.checkers.trace_reader import TOLD
from grader.contract.verdict import Reason
from tests.unit.grader.rules_trace import NULL, Program, Trace, convolution, filters, handle, tensor

QUERY, DIRECT = "cudnnGetConvolutionForwardWorkspaceSize", "CUDNN_CONVOLUTION_FWD_ALGO_DIRECT"
WINOGRAD = "CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD"
DGRAD = "cudnnGetConvolutionBackwardDataWorkspaceSize"
DY, DX = tensor("tensor#1", (2, 32, 14, 14)), tensor("tensor#2", (2, 3, 28, 28))
POOL = {"kind": "pooling", "id": "pooling#1", "window": [3, 3], "pad": [0, 0], "stride": [1, 1]}
PACKED = "CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED"


def set_tensor(t: Trace, status: int = 2000, **changed: object) -> Trace:
    args = {"tensorDesc": {"kind": "tensor", "id": "tensor#1"}, "n": 5, "c": 3, "h": 24, "w": 78} | changed
    return t.call("cudnnSetTensor4dDescriptor", status=status, **args)


def set_nd(t: Trace, dims: list[int]) -> Trace:
    return t.call("cudnnSetTensorNdDescriptor", status=2000, dimA=dims, dataType="CUDNN_DATA_FLOAT")


def dgrad(t: Trace, k: int) -> Trace:
    return t.call(DGRAD, status=2000, wDesc=filters(dims=(k, 3, 3, 3)), dyDesc=DY, convDesc=convolution(), dxDesc=DX)


def pool(t: Trace, size: int) -> Trace:
    return t.call("cudnnGetPooling2dForwardOutputDim", status=2000, poolingDesc=POOL,
                  inputTensorDesc=tensor(dims=(1, 3, size, size)))  # fmt: skip


def int8(t: Trace, c: int, k: int) -> Trace:
    x, w = tensor(dims=(1, c, 8, 8), dtype="INT8"), filters(dims=(k, c, 3, 3), dtype="INT8")
    conv = convolution() | {"dtype": "CUDNN_DATA_INT32"}
    return t.ask_workspace(status=3000, xDesc=x, wDesc=w, convDesc=conv)


def add(t: Trace, dims: tuple[int, ...]) -> Trace:
    return t.call("cudnnAddTensor", status=2000, aDesc=tensor("tensor#8", dims), cDesc=tensor("tensor#9", (1, 4, 8, 8)))


def sequences(t: Trace, *lengths: int, layout: str = PACKED) -> Trace:
    return t.call("cudnnSetRNNDataDescriptor", status=2000, layout=layout, maxSeqLength=5, batchSize=3,
                  seqLengthArray=list(lengths))  # fmt: skip


def normalize(t: Trace, epsilon: float) -> Trace:
    return t.call("cudnnBatchNormalizationForwardInference", status=2000, handle=handle(), epsilon=epsilon)


def typed(t: Trace, compute: str) -> Trace:
    x, conv = tensor(dims=(1, 4, 8, 8), dtype="DOUBLE"), convolution() | {"dtype": f"CUDNN_DATA_{compute}"}
    return t.ask_workspace(status=3000, xDesc=x, convDesc=conv)


CASES: list[tuple[str, Program, Program]] = [
    ("compute_type_differs", lambda t: typed(t, "FLOAT"), lambda t: typed(t, "DOUBLE")),
    ("object_missing", lambda t: t.forward(2000, wDesc=NULL), lambda t: t.forward(2000)),
    ("dimension_not_positive", lambda t: set_tensor(t, c=0), lambda t: set_tensor(t)),
    ("dimension_not_positive", lambda t: set_nd(t, [0, 3, 8, 8]), lambda t: set_nd(t, [1, 3, 8, 8])),
    ("channels_not_in_vectors", lambda t: set_tensor(t, dataType="CUDNN_DATA_INT8x4"),
     lambda t: set_tensor(t, dataType="CUDNN_DATA_INT8x4", c=4)),
    ("channels_differ", lambda t: t.ask_dims(2000, inputTensorDesc=tensor(dims=(1, 8, 8, 8))),
     lambda t: t.ask_dims(2000)),
    ("channels_differ", lambda t: t.ask_dims(2000, convDesc=convolution(groups=3)),
     lambda t: t.ask_dims(2000, convDesc=convolution(groups=3), filterDesc=filters(dims=(3, 1, 3, 3)))),
    ("channels_differ", lambda t: dgrad(t, 2000), lambda t: dgrad(t, 32)),
    ("filter_larger_than_input", lambda t: t.ask_dims(2000, filterDesc=filters(dims=(4, 3, 11, 11))),
     lambda t: t.ask_dims(2000, filterDesc=filters(dims=(4, 3, 10, 10)))),
    ("filter_larger_than_input", lambda t: pool(t, 2), lambda t: pool(t, 3)),
    ("output_has_other_dims", lambda t: t.forward(2000, yDesc=tensor("tensor#2", (1, 4, 6, 6))),
     lambda t: t.forward(2000)),
    ("ranks_differ", lambda t: add(t, (1, 1, 4)), lambda t: add(t, (1, 4, 1, 1))),
    ("elements_differ", lambda t: add(t, (1, 3, 1, 1)), lambda t: add(t, (1, 4, 1, 1))),
    ("int8_needs_fours", lambda t: int8(t, 3, 1), lambda t: int8(t, 4, 4)),
    ("layouts_differ", lambda t: t.ask_workspace(status=3000, xDesc=tensor(format="NHWC")),
     lambda t: t.ask_workspace(status=3000)),
    ("algorithm_never_works", lambda t: t.forward(3000, algo=DIRECT), lambda t: t.forward(3000)),
    ("winograd_needs_3x3", lambda t: t.forward(3000, algo=WINOGRAD, wDesc=filters(dims=(4, 3, 5, 5))),
     lambda t: t.forward(3000, algo=WINOGRAD)),
    ("sequences_not_sorted", lambda t: sequences(t, 2, 4, 5), lambda t: sequences(t, 5, 4, 2)),
    ("sequences_not_sorted", lambda t: sequences(t, 2, 4, 5),
     lambda t: sequences(t, 2, 4, 5, layout="CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED")),
    ("sequence_too_long", lambda t: sequences(t, 6, 4, 2), lambda t: sequences(t, 5, 4, 2)),
    ("epsilon_too_small", lambda t: normalize(t, -1.0), lambda t: normalize(t, 0.0)),
    ("no_room_for_a_handle", lambda t: t.call("cudnnCreate", status=1001),
     lambda t: t.call("cudnnCreate", status=2000)),
    ("out_of_device_memory", lambda t: t.call("cudaMalloc", status=2, size=1 << 40),
     lambda t: t.call("cudaMalloc", status=1, size=1 << 40)),
]  # fmt: skip


def reason(program: Program) -> Reason | None:
    return explain(program(Trace()).calls)[-1].reason


@pytest.mark.parametrize(("code", "broken", "near"), CASES, ids=[f"{i}-{c[0]}" for i, c in enumerate(CASES)])
def test_reason_fits_its_call_and_not_a_near_one(code: str, broken: Program, near: Program) -> None:
    found = reason(broken)
    assert found is not None
    assert found.code == code
    assert reason(near) is None
    for lang in LANGS:
        assert "{" not in reason_sentence(code, lang, found.data)


def test_every_reason_has_a_case_and_sentences() -> None:
    assert set(REASONS) == {code for code, *_ in CASES} == set(messages.load("reasons")) - {TOLD}


def test_the_words_of_the_library_stay_where_the_arguments_tell_nothing() -> None:
    told = Reason(TOLD, {"text": "!(x != nullptr)"})
    unexplained, explained = Trace().forward(2000).calls[-1], Trace().forward(2000, wDesc=NULL).calls[-1]
    first, second = explain([replace(call, reason=told) for call in (unexplained, explained)])
    assert first.reason == told
    assert second.reason is not None
    assert second.reason.code == "object_missing"
    for lang in LANGS:
        assert "!(x != nullptr)" in reason_sentence(TOLD, lang, told.data)


def test_a_call_that_succeeds_needs_no_reason() -> None:
    assert reason(lambda t: set_tensor(t, 0, c=0)) is None
    assert reason_sentence("of_a_newer_grader", "en", {}) == ""
