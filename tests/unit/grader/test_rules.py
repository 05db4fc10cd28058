"""Every rule on the call trace: a minimal trace that breaks it, and a near one that does not."""

from typing import Any

import pytest

from grader.checkers.api_trace import RULES
from tests.unit.grader import rules_demands, rules_graph_rnn
from tests.unit.grader.rules_trace import (
    GEMM,
    HOST,
    PRECOMP,
    C,
    Program,
    Trace,
    W,
    X,
    codes,
    convolution,
    device,
    entry,
    event,
    filters,
    handle,
    stream,
    tensor,
    whole_program,
)  # fmt: skip

NOT_SUPPORTED = "CUDNN_STATUS_NOT_SUPPORTED"
DEAD = {"live": False}
TO_HOST: dict[str, Any] = {"dst": HOST, "src": device("y"), "count": 64, "kind": "cudaMemcpyDeviceToHost"}


def two_halves(t: Trace, beta: float) -> Trace:
    """Bias gradients of two halves of a batch; beta of the second."""
    t.call("cudnnConvolutionBackwardBias", beta=0.0, db=device("db"))
    return t.call("cudnnConvolutionBackwardBias", beta=beta, db=device("db"))


CHANNELS_LAST: dict[str, Any] = {
    "xDesc": tensor(format="NHWC"),
    "wDesc": filters(format="NHWC"),
    "yDesc": tensor("tensor#2", (1, 4, 8, 8), format="NHWC"),
}


def strided(t: Trace, argument: str, dims: list[int], strides: list[int]) -> Trace:
    return t.note("strided_array", argument=argument, dims=dims, strides=strides)


def loop_of_descriptors(t: Trace, times: int, reuse: bool) -> Trace:
    for i in range(times):
        if not reuse or i == 0:
            t.create("tensor", f"tensor#{i}")
        t.forward(xDesc=tensor("tensor#0" if reuse else f"tensor#{i}"))
        if not reuse or i == times - 1:
            t.destroy("tensor", "tensor#0" if reuse else f"tensor#{i}")
    return t


def handles_in_turn(t: Trace, together: bool) -> Trace:
    t.create("handle", "handle#1").forward(handle=handle("handle#1"))
    if together:
        t.create("handle", "handle#2").destroy("handle", "handle#1")
    else:
        t.destroy("handle", "handle#1").create("handle", "handle#2")
    return t.forward(handle=handle("handle#2")).destroy("handle", "handle#2")


def filter_gradient(t: Trace, algorithm: int) -> Trace:
    return t.call("cudnnConvolutionBackwardFilter", algo=f"CUDNN_CONVOLUTION_BWD_FILTER_ALGO_{algorithm}", xDesc=X)


def pooling_gradient(t: Trace, mode: str) -> Trace:
    return t.call("cudnnPoolingBackward", poolingDesc={"kind": "pooling", "id": "pooling#1", "mode": mode})


def set_tensor(t: Trace, status: int, id: str = "tensor#1") -> Trace:
    return t.call("cudnnSetTensor4dDescriptor", status=status, tensorDesc={"kind": "tensor", "id": id}, n=1)


def reset_convolution(t: Trace, groups_again: bool) -> Trace:
    t.call("cudnnSetConvolutionGroupCount", convDesc=convolution(), groupCount=3)
    t.call("cudnnSetConvolution2dDescriptor", convDesc=convolution(groups=3), pad_h=0)
    if groups_again:
        t.call("cudnnSetConvolutionGroupCount", convDesc=convolution(groups=3), groupCount=1)
    return t.ask_dims(0 if groups_again else 2000, convDesc=convolution(groups=1 if groups_again else 3))


def handles(t: Trace, count: int) -> Trace:
    for i in range(count):
        t.create("handle", f"handle#{i}")
    for i in range(count):
        t.destroy("handle", f"handle#{i}")
    return t


def from_threads(t: Trace, stream_set: bool) -> Trace:
    if stream_set:
        t.call("cudnnSetStream", handle=handle(), streamId=stream())
    t.forward().forward()
    t.calls[-1].thread = 2
    return t


def zeroed(t: Trace) -> Trace:
    return t.call("cudaMemset", devPtr=device("y"), value=0, count=1024)


def add_bias(t: Trace, dims: tuple[int, ...]) -> Trace:
    return t.call("cudnnAddTensor", handle=handle(), alpha=1.0, aDesc=tensor("tensor#8", dims), A=device("b"),
                  beta=1.0, cDesc=tensor("tensor#9", (1, 4, 8, 4)), C=device("y"))  # fmt: skip


def backward_data(t: Trace, dims: tuple[int, ...]) -> Trace:
    status = 0 if dims[1] == 4 else 2000
    return t.call("cudnnGetConvolutionBackwardDataWorkspaceSize", {"sizeInBytes": 0}, status, wDesc=W, convDesc=C,
                  dyDesc=tensor("tensor#7", dims))  # fmt: skip


def workspaces(t: Trace, times: int, one: bool) -> Trace:
    """Convolutions with a workspace each, or with one for all."""
    t.ask_workspace(64, PRECOMP)
    for i in range(times):
        name = "buffer#0" if one else f"buffer#{i}"
        if not one or i == 0:
            t.malloc(name, 64)
        t.forward(algo=PRECOMP, workSpace=device(name, 64), workSpaceSizeInBytes=64)
        if not one or i == times - 1:
            t.free(name)
    return t


def free_async(t: Trace, waits: bool) -> Trace:
    t.forward(handle=handle(stream=stream()), algo=PRECOMP, workSpace=device("ws", 64), workSpaceSizeInBytes=64)
    if waits:
        t.call("cudaStreamSynchronize", stream=stream())
    return t.call("cudaFreeAsync", devPtr=device("ws", 64), hStream=stream("default"))


def free_running(t: Trace, waits: bool, copy: str = "cudaMemcpy") -> Trace:
    t.call("cudaStreamCreateWithFlags", {"pStream": stream()}, flags=1)
    t.call("cudnnSetStream", handle=handle(), streamId=stream())
    t.forward(handle=handle(stream=stream()))
    if waits:
        t.call("cudaStreamSynchronize", stream=stream())
    return t.call(copy, **TO_HOST).destroy("stream", "stream#1")


def timed(t: Trace, recorded: bool) -> Trace:
    t.create("event", "event#1").create("event", "event#2").call("cudaEventRecord", event=event("event#1"))
    if recorded:
        t.call("cudaEventRecord", event=event("event#2"))
    t.call("cudaEventElapsedTime", start=event("event#1"), end=event("event#2"))
    return t.destroy("event", "event#1").destroy("event", "event#2")


def own_stream(t: Trace, used: bool) -> Trace:
    t.create("stream", "stream#1")
    if used:
        t.call("cudnnSetStream", handle=handle(), streamId=stream())
    return t.forward().call("cudaStreamSynchronize", stream=stream()).destroy("stream", "stream#1")


def fresh_output(t: Trace, written: bool) -> Trace:
    t.malloc("buffer#1")
    if written:
        t.call("cudaMemset", devPtr=device("buffer#1", 1024), value=1, count=1024)
    return t.forward(y=device("buffer#1", 1024), beta=1.0).free("buffer#1")


SWAPPED = filters(dtype="DOUBLE", format="NCHW")
NHWC_X = tensor("tensor#1", format="NHWC")


def searched(t: Trace, beta: float) -> Trace:
    find = "cudnnFindConvolutionForwardAlgorithmEx"
    t.forward().list_algorithms(entry(), function=find, xDesc=X, wDesc=W, y=device("y"))
    return t.forward(beta=beta)


def search_restored(t: Trace) -> Trace:
    find = "cudnnFindConvolutionForwardAlgorithmEx"
    t.forward().list_algorithms(entry(), function=find, xDesc=X, wDesc=W, y=device("y"))
    return t.call("cudaMemcpy", dst=device("y"), src=device("kept"), count=64, kind="cudaMemcpyDeviceToDevice").forward(
        beta=1.0
    )


CASES: list[tuple[str, Program, Program]] = [
    ("leaks_handle", lambda t: t.create("handle", "handle#1"),
     lambda t: t.create("handle", "handle#1").destroy("handle", "handle#1")),
    ("leaks_descriptor", lambda t: t.create("filter", "filter#1"),
     lambda t: t.create("filter", "filter#1").destroy("filter", "filter#1")),
    ("leaks_memory", lambda t: t.malloc("buffer#1"), lambda t: t.malloc("buffer#1").call("cudaDeviceReset")),
    ("leaks_stream_or_event", lambda t: t.create("event", "event#1"),
     lambda t: t.create("event", "event#1").destroy("event", "event#1")),
    ("double_destroy", lambda t: t.destroy("tensor", "tensor#1", **DEAD), lambda t: t.destroy("tensor", "tensor#1")),
    ("double_destroy", lambda t: t.free("buffer#1", **DEAD), lambda t: t.free("buffer#1")),
    ("handles_at_once", lambda t: handles(t, 8), lambda t: handles(t, 7)),
    ("handle_used_by_threads", lambda t: from_threads(t, stream_set=True), lambda t: from_threads(t, stream_set=False)),
    ("used_after_reset",
     lambda t: t.create("handle", "handle#1").call("cudaDeviceReset").destroy("handle", "handle#1"),
     lambda t: t.create("handle", "handle#1").destroy("handle", "handle#1").call("cudaDeviceReset")),
    ("use_after_destroy", lambda t: t.forward(wDesc=filters(**DEAD)), lambda t: t.forward()),
    ("use_after_free", lambda t: t.forward(w=device("w", **DEAD)), lambda t: t.forward()),
    ("handle_per_call", lambda t: handles_in_turn(t, False), lambda t: handles_in_turn(t, True)),
    ("descriptor_per_call", lambda t: loop_of_descriptors(t, 3, False), lambda t: loop_of_descriptors(t, 3, True)),
    ("status_ignored", lambda t: set_tensor(t, 2000).forward(), lambda t: set_tensor(set_tensor(t, 2000), 0).forward()),
    ("status_ignored", lambda t: t.ask_workspace(status=3000).forward(),
     lambda t: t.ask_workspace(status=3000).ask_workspace(0, PRECOMP).forward(algo=PRECOMP)),
    ("status_ignored", lambda t: t.forward(3000).call("cudaMemcpy", **TO_HOST),
     lambda t: t.forward(3000).forward(algo=PRECOMP).call("cudaMemcpy", **TO_HOST)),
    ("status_ignored", lambda t: t.ask_dims(2000).forward(),
     lambda t: t.ask_dims(2000).destroy("convolution", "convolution#1")),
    ("asynchronous_error", lambda t: t.forward().call("cudaDeviceSynchronize", status=700),
     lambda t: t.forward().call("cudaDeviceSynchronize")),
    ("host_pointer_given", lambda t: t.forward(x=HOST), lambda t: t.forward(x={"kind": "pinned", "id": "pinned#1"})),
    ("host_dereference", lambda t: t.malloc("b").note("host_dereference", access="read").free("b"),
     lambda t: t.malloc("b").free("b")),
    ("buffer_too_small", lambda t: t.forward(y=device("y", 1023)), lambda t: t.forward(y=device("y", 1024))),
    ("buffer_too_small", lambda t: t.call("cudaMemset", devPtr=device("y")).note("copy_out_of_bounds", bytes=8),
     lambda t: t.call("cudaMemset", devPtr=device("y"))),
    ("uninitialised_read", lambda t: t.forward().note("uninitialised_read", argument="x", function="f"),
     lambda t: t.forward()),
    ("not_an_object", lambda t: t.forward().note("not_an_object", kind="tensor", function="f"), lambda t: t.forward()),
    ("workspace_not_asked", lambda t: t.forward(workSpace=device("ws", 999), workSpaceSizeInBytes=999),
     lambda t: t.list_algorithms(entry(memory=999)).forward(workSpace=device("ws", 999), workSpaceSizeInBytes=999)),
    ("workspace_not_asked", lambda t: t.forward(2000, algo=PRECOMP), lambda t: t.forward(2000, algo=GEMM)),
    ("fixed_workspace_size", lambda t: t.forward(workSpace=device("ws", 8 << 20), workSpaceSizeInBytes=8 << 20),
     lambda t: t.ask_workspace(64).forward(workSpace=device("ws", 8 << 20), workSpaceSizeInBytes=8 << 20)),
    ("workspace_of_other_algorithm",
     lambda t: t.ask_workspace(64, PRECOMP).forward(workSpace=device("ws", 64), workSpaceSizeInBytes=64),
     lambda t: t.ask_workspace(64, GEMM).forward(workSpace=device("ws", 64), workSpaceSizeInBytes=64)),
    ("workspace_of_other_algorithm", lambda t: t.ask_workspace(0, GEMM).forward(2000, algo=PRECOMP),
     lambda t: t.ask_workspace(64, PRECOMP).forward(algo=GEMM)),
    ("workspace_per_call", lambda t: workspaces(t, 3, False), lambda t: workspaces(t, 3, True)),
    ("workspace_per_call", lambda t: workspaces(t, 4, False), lambda t: workspaces(t, 2, False)),
    ("workspace_too_small",
     lambda t: t.ask_workspace(64).forward(workSpace=device("ws", 32), workSpaceSizeInBytes=32),
     lambda t: t.ask_workspace(64).forward(workSpace=device("ws", 64), workSpaceSizeInBytes=64)),
    ("workspace_too_small",
     lambda t: t.ask_workspace(64).forward(workSpace=device("ws", 16), workSpaceSizeInBytes=64),
     lambda t: t.ask_workspace(64).forward(workSpace=device("ws", 128, offset=64), workSpaceSizeInBytes=64)),
    ("workspace_freed_before_synchronise",
     lambda t: free_async(t.list_algorithms(entry(PRECOMP, memory=64)), False),
     lambda t: free_async(t.list_algorithms(entry(PRECOMP, memory=64)), True)),
    ("integer_scalars", lambda t: t.forward(alpha=2.0**-149), lambda t: t.forward(alpha=1e-20)),
    ("integer_scalars", lambda t: t.forward(beta=5e-324, yDesc=tensor("tensor#2", (1, 4, 8, 8), dtype="DOUBLE")),
     lambda t: t.forward(beta=0.0)),
    ("scalar_wrong_type",
     lambda t: t.forward(alpha=5.26354424712089e-315, yDesc=tensor("tensor#2", (1, 4, 8, 8), dtype="DOUBLE")),
     lambda t: t.forward(alpha=1.0, yDesc=tensor("tensor#2", (1, 4, 8, 8), dtype="DOUBLE"))),
    ("scalar_wrong_type", lambda t: t.forward(alpha=0.0), lambda t: t.forward(alpha=0.5)),
    ("scalar_wrong_type", lambda t: t.forward(alpha=0.0),
     lambda t: t.call("cudnnScaleTensor", handle=handle(), yDesc=X, y=device("y"), alpha=0.0)),
    ("scalar_wrong_type", lambda t: t.forward(alpha="nan"), lambda t: t.forward(alpha=-1)),
    ("beta_nonzero_on_fresh_output", lambda t: fresh_output(t, False), lambda t: fresh_output(t, True)),
    ("output_cleared_for_beta", lambda t: zeroed(t).forward(beta=1.0).call("cudaMemcpy", **TO_HOST),
     lambda t: zeroed(t).forward(beta=1.0).forward(beta=1.0)),
    ("output_cleared_for_beta", lambda t: zeroed(t).forward(beta=1.0), lambda t: zeroed(t).forward()),
    ("view_described_as_packed", lambda t: strided(t.forward(), "x", X["dims"], [384, 128, 16, 2]),
     lambda t: strided(t.forward(xDesc=tensor(strides=[384, 128, 16, 2])), "x", X["dims"], [384, 128, 16, 2])),
    ("view_described_as_packed", lambda t: strided(t.forward(), "w", [4, 3, 3, 3], [1, 4, 36, 12]),
     lambda t: strided(t.forward(**CHANNELS_LAST), "w", [4, 3, 3, 3], [27, 1, 9, 3])),
    ("view_described_as_packed", lambda t: strided(t.forward(), "w", [3, 3, 3, 4], [4, 12, 36, 1]),
     lambda t: strided(t.forward(), "w", [3, 3, 3, 4], [3, 1, 9, 27])),
    ("bias_not_per_channel", lambda t: add_bias(t, (1, 1, 1, 4)), lambda t: add_bias(t, (1, 4, 1, 1))),
    ("output_dims_wrong", lambda t: t.forward(yDesc=tensor("tensor#2", (1, 4, 6, 6))), lambda t: t.forward()),
    ("group_count_stale", lambda t: reset_convolution(t, False), lambda t: reset_convolution(t, True)),
    ("nhwc_order_swapped",
     lambda t: t.ask_dims(2000, filterDesc=filters(format="NHWC"),
                          inputTensorDesc=tensor("tensor#1", (1, 8, 8, 3), format="NHWC")),
     lambda t: t.ask_dims(inputTensorDesc=NHWC_X, filterDesc=filters(format="NHWC"))),
    ("nhwc_data_with_nchw_descriptor", lambda t: t.ask_dims(2000, inputTensorDesc=tensor("tensor#1", (1, 8, 8, 3))),
     lambda t: t.ask_dims(2000, inputTensorDesc=tensor("tensor#1", (1, 8, 8, 8)))),
    ("nhwc_data_with_nchw_descriptor", lambda t: backward_data(t, (1, 8, 8, 4)),
     lambda t: backward_data(t, (1, 4, 8, 3))),
    ("filter_layout_differs", lambda t: t.ask_workspace(status=3000, xDesc=NHWC_X),
     lambda t: t.ask_workspace(xDesc=NHWC_X, wDesc=filters(format="NHWC"))),
    ("swapped_dtype_and_format", lambda t: t.ask_workspace(status=3000, xDesc=NHWC_X, wDesc=SWAPPED),
     lambda t: t.ask_workspace(xDesc=tensor(dtype="DOUBLE"), wDesc=filters(dtype="DOUBLE"))),
    ("data_types_differ", lambda t: t.ask_workspace(status=3000, wDesc=filters(dtype="HALF")),
     lambda t: t.ask_workspace(xDesc=tensor(dtype="HALF"), wDesc=filters(dtype="HALF"))),
    ("convolution_mode_flip", lambda t: t.forward(convDesc=convolution(mode="CONVOLUTION")), lambda t: t.forward()),
    ("algorithm_status_unchecked",
     lambda t: t.list_algorithms(entry(GEMM, NOT_SUPPORTED), entry(PRECOMP)).forward(algo=GEMM),
     lambda t: t.list_algorithms(entry(GEMM, NOT_SUPPORTED), entry(PRECOMP)).forward(algo=PRECOMP)),
    ("math_type_not_set",
     lambda t: t.list_algorithms(entry(math="CUDNN_TENSOR_OP_MATH")).forward(),
     lambda t: t.list_algorithms(entry(math="CUDNN_TENSOR_OP_MATH")).forward(convDesc=C | {"math": "TENSOR_OP_MATH"})),
    ("find_in_hot_path",
     lambda t: t.list_algorithms(entry(), function="cudnnFindConvolutionForwardAlgorithm").list_algorithms(
         entry(), function="cudnnFindConvolutionForwardAlgorithm"),
     lambda t: t.list_algorithms(entry(), function="cudnnFindConvolutionForwardAlgorithm").list_algorithms(
         entry(), function="cudnnFindConvolutionForwardAlgorithm", srcDesc=tensor("tensor#9", (2, 3, 8, 8)))),
    ("find_overwrites_output", lambda t: searched(t, 1.0), lambda t: searched(t, 0.0)),
    ("find_overwrites_output", lambda t: searched(t, 1.0), search_restored),
    ("not_synchronised_before_read", lambda t: free_running(t, False), lambda t: free_running(t, True)),
    ("not_synchronised_before_read", lambda t: free_running(t, False, "cudaMemcpy2D"),
     lambda t: free_running(t, True, "cudaMemcpy2D")),
    ("not_synchronised_before_read", lambda t: t.call("cudaMemcpy2DAsync", stream=stream(), **TO_HOST),
     lambda t: t.call("cudaMemcpy2DAsync", stream=stream(), **TO_HOST).call("cudaMemcpy2D", **TO_HOST)
                .call("cudaStreamSynchronize", stream=stream())),
    ("not_synchronised_before_read", lambda t: t.call("cudaMemcpyAsync", stream=stream(), **TO_HOST),
     lambda t: t.call("cudaMemcpyAsync", stream=stream(), **TO_HOST).call("cudaStreamSynchronize", stream=stream())),
    ("event_not_recorded", lambda t: timed(t, False), lambda t: timed(t, True)),
    ("sets_stream_missing", lambda t: own_stream(t, False), lambda t: own_stream(t, True)),
    *rules_graph_rnn.CASES,
]  # fmt: skip
ON_REQUEST: list[tuple[str, Program, Program]] = [
    ("output_dims_not_queried", lambda t: t.forward(), lambda t: t.ask_dims().forward()),
    (
        "output_dims_not_queried",
        lambda t: t.ask_dims().forward(
            convDesc=convolution("convolution#2", pad=[0, 0]), yDesc=tensor("tensor#2", (1, 4, 6, 6))
        ),
        lambda t: t.ask_dims(convDesc=convolution("convolution#2", mode="CONVOLUTION")).forward(),
    ),
    ("workspace_never_asked", lambda t: t.forward(), lambda t: t.ask_workspace().forward()),
    ("non_deterministic_algorithm", lambda t: filter_gradient(t, 0), lambda t: filter_gradient(t, 1)),
    (
        "non_deterministic_algorithm",
        lambda t: pooling_gradient(t, "MAX"),
        lambda t: pooling_gradient(t, "MAX_DETERMINISTIC"),
    ),
    (
        "algorithm_not_from_list",
        lambda t: t.list_algorithms(entry(PRECOMP)).forward(),
        lambda t: t.list_algorithms(entry(PRECOMP), entry(GEMM)).forward(),
    ),
    (
        "algorithm_not_from_list",
        lambda t: t.list_algorithms(entry(), srcDesc=tensor("tensor#9", (2, 3, 8, 8))).forward(),
        lambda t: t.list_algorithms(entry(), function="cudnnFindConvolutionForwardAlgorithm").forward(),
    ),
    ("gradient_not_accumulated", lambda t: two_halves(t, 0.0), lambda t: two_halves(t, 1.0)),
    ("never_synchronised", lambda t: t.forward(), lambda t: t.forward().call("cudaDeviceSynchronize")),
    *rules_demands.CASES,
]


@pytest.mark.parametrize(("code", "broken", "clean"), CASES, ids=[f"{i}-{c[0]}" for i, c in enumerate(CASES)])
def test_rule_finds_its_mistake_and_nothing_else(code: str, broken: Program, clean: Program) -> None:
    assert codes(broken) == [code]
    assert codes(clean) == []


@pytest.mark.parametrize(("code", "broken", "clean"), ON_REQUEST, ids=[f"{i}-{c[0]}" for i, c in enumerate(ON_REQUEST)])
def test_rule_on_request_is_silent_until_an_exercise_names_it(code: str, broken: Program, clean: Program) -> None:
    assert codes(broken) == []
    assert codes(broken, code) == [code]
    assert codes(clean, code) == []


def test_every_rule_has_a_case() -> None:
    assert set(RULES) == {code for code, *_ in CASES + ON_REQUEST}
    assert len(RULES) >= 20


def test_clean_program_has_no_finding() -> None:
    requirements = ("destroys_what_it_creates", "asks_output_dims", "asks_workspace", "checks_algorithm_status",
                    "reuses_handle", "synchronises", "cudnnConvolutionForward")  # fmt: skip
    assert codes(whole_program) == []
    assert codes(whole_program, *requirements) == []


def test_filter_layout_says_nothing_where_both_layouts_are_the_same_bytes() -> None:
    def one_channel(t: Trace) -> Trace:
        return t.ask_workspace(xDesc=tensor(dims=(1, 1, 8, 8), format="NHWC"), wDesc=filters(dims=(4, 1, 3, 3)))

    assert codes(one_channel) == []
    assert X["format"] == W["format"]
