"""Builds traces call by call, as the recorder would write them, for the tests of the rules."""

from collections.abc import Callable
from typing import Any

from grader.checkers.api_trace import check_trace
from grader.contract.exercise_types import Uses
from grader.contract.verdict import Call, Finding

Value = dict[str, Any]


def tensor(id: str = "tensor#1", dims: tuple[int, ...] = (1, 3, 8, 8), **content: Any) -> Value:
    """A packed NCHW float tensor, unless content says otherwise."""
    layout = content.get("format", "NCHW")
    order = (0, 2, 3, 1) if layout == "NHWC" and len(dims) == 4 else tuple(range(len(dims)))
    strides, step = [0] * len(dims), 1
    for axis in reversed(order):
        strides[axis], step = step, step * dims[axis]
    base = {"kind": "tensor", "id": id, "dtype": "FLOAT", "format": "NCHW", "dims": list(dims), "strides": strides}
    return base | content


def filters(id: str = "filter#1", dims: tuple[int, ...] = (4, 3, 3, 3), **content: Any) -> Value:
    return {"kind": "filter", "id": id, "dtype": "FLOAT", "format": "NCHW", "dims": list(dims)} | content


def convolution(id: str = "convolution#1", **content: Any) -> Value:
    base = {"pad": [1, 1], "stride": [1, 1], "dilation": [1, 1], "mode": "CROSS_CORRELATION", "dtype": "FLOAT"}
    return {"kind": "convolution", "id": id} | base | content


def handle(id: str = "handle#1", **content: Any) -> Value:
    return {"kind": "handle", "id": id} | content


def device(id: str, bytes: int = 1 << 20, **content: Any) -> Value:
    return {"kind": "device", "id": id, "bytes": bytes, "offset": 0} | content


def stream(id: str = "stream#1") -> Value:
    return {"kind": "stream", "id": id}


def event(id: str) -> Value:
    return {"kind": "event", "id": id}


X, W, Y, C = tensor("tensor#1"), filters(), tensor("tensor#2", (1, 4, 8, 8)), convolution()
H, NULL, HOST = handle(), {"kind": "null"}, {"kind": "host"}
GEMM, PRECOMP = "CUDNN_CONVOLUTION_FWD_ALGO_GEMM", "CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM"


class Trace:
    """A program's calls in one case."""

    def __init__(self, case: str = "one") -> None:
        self.case = case
        self.calls: list[Call] = []
        self.notes: list[dict[str, Any]] = []

    def call(self, name: str, outs: Value | None = None, status: int | None = 0, **args: Any) -> "Trace":
        text = {0: "CUDNN_STATUS_SUCCESS", 2000: "CUDNN_STATUS_BAD_PARAM"}.get(status or 0, str(status))
        index = len(self.calls)
        self.calls.append(
            Call(index, name, args, outs or {}, status, text, 1.0, line=index + 1, case=self.case, thread=1)
        )
        return self

    def note(self, name: str, **data: Any) -> "Trace":
        """A note about the last call."""
        self.notes.append({"note": name, "call": len(self.calls) - 1, "case": self.case, "line": 0} | data)
        return self

    def forward(self, status: int | None = 0, **changed: Any) -> "Trace":
        """cudnnConvolutionForward with all in order, but for what is changed."""
        args: Value = {
            "handle": H, "alpha": 1.0, "xDesc": X, "x": device("x"), "wDesc": W, "w": device("w"), "convDesc": C,
            "algo": GEMM, "workSpace": NULL, "workSpaceSizeInBytes": 0, "beta": 0.0, "yDesc": Y, "y": device("y"),
        }  # fmt: skip
        return self.call("cudnnConvolutionForward", status=status, **(args | changed))

    def ask_workspace(self, size: int = 0, algo: str = GEMM, status: int = 0, **changed: Any) -> "Trace":
        args: Value = {"handle": H, "xDesc": X, "wDesc": W, "convDesc": C, "yDesc": Y, "algo": algo} | changed
        outs = {} if status else {"sizeInBytes": size}
        return self.call("cudnnGetConvolutionForwardWorkspaceSize", outs, status, **args)

    def list_algorithms(
        self, *entries: Value, function: str = "cudnnGetConvolutionForwardAlgorithm_v7", **changed: Any
    ) -> "Trace":
        args: Value = {"handle": H, "srcDesc": X, "filterDesc": W, "convDesc": C, "destDesc": Y} | changed
        return self.call(function, {"returnedAlgoCount": len(entries), "perfResults": list(entries)}, **args)

    def ask_dims(self, status: int = 0, **changed: Any) -> "Trace":
        args: Value = {"convDesc": C, "inputTensorDesc": X, "filterDesc": W} | changed
        outs = {} if status else {"n": 1, "c": 4, "h": 8, "w": 8}
        return self.call("cudnnGetConvolution2dForwardOutputDim", outs, status, **args)

    def create(self, kind: str, id: str) -> "Trace":
        name = {"handle": "cudnnCreate", "stream": "cudaStreamCreate", "event": "cudaEventCreate"}.get(
            kind, f"cudnnCreate{kind.title()}Descriptor"
        )
        return self.call(name, {"object": {"kind": kind, "id": id}})

    def destroy(self, kind: str, id: str, **content: Any) -> "Trace":
        name = {"handle": "cudnnDestroy", "stream": "cudaStreamDestroy", "event": "cudaEventDestroy"}.get(
            kind, f"cudnnDestroy{kind.title()}Descriptor"
        )
        return self.call(name, object={"kind": kind, "id": id} | content)

    def malloc(self, id: str, size: int = 1024) -> "Trace":
        return self.call("cudaMalloc", {"devPtr": device(id, size)}, size=size)

    def free(self, id: str, **content: Any) -> "Trace":
        return self.call("cudaFree", devPtr=device(id, 1024, **content))


def entry(
    algo: str = GEMM, status: str = "CUDNN_STATUS_SUCCESS", memory: int = 0, math: str = "CUDNN_DEFAULT_MATH"
) -> Value:
    """One line of a list of algorithms."""
    return {"algo": algo, "status": status, "time": -1.0, "memory": memory, "determinism": "CUDNN_DETERMINISTIC",
            "mathType": math}  # fmt: skip


Program = Callable[[Trace], Trace]


def findings(program: Program, *required: str, **options: Any) -> list[Finding]:
    trace = program(Trace())
    return check_trace(trace.calls, trace.notes, Uses(required=required), **options)


def codes(program: Program, *required: str, **options: Any) -> list[str]:
    """Codes of all findings, in order."""
    return [found.rule for found in findings(program, *required, **options)]


def whole_program(t: Trace) -> Trace:
    """A clean program: everything is asked for, checked and given back."""
    t.create("handle", "handle#1").create("tensor", "tensor#1").create("tensor", "tensor#2")
    t.create("filter", "filter#1").create("convolution", "convolution#1")
    t.malloc("buffer#1", 1 << 20).malloc("buffer#2", 1 << 20).malloc("buffer#3", 1 << 20)
    t.call("cudaMemcpy", dst=device("buffer#1"), src=HOST, count=768, kind="cudaMemcpyHostToDevice")
    t.ask_dims().list_algorithms(entry(PRECOMP, memory=1024), entry(GEMM)).ask_workspace(1024, PRECOMP)
    t.malloc("buffer#4", 1024)
    t.forward(
        x=device("buffer#1"), w=device("buffer#2"), y=device("buffer#3"), algo=PRECOMP,
        workSpace=device("buffer#4", 1024), workSpaceSizeInBytes=1024,
    )  # fmt: skip
    t.call("cudaMemcpy", dst=HOST, src=device("buffer#3"), count=1024, kind="cudaMemcpyDeviceToHost")
    for id in ("buffer#1", "buffer#2", "buffer#3", "buffer#4"):
        t.free(id)
    t.destroy("convolution", "convolution#1").destroy("filter", "filter#1")
    return t.destroy("tensor", "tensor#2").destroy("tensor", "tensor#1").destroy("handle", "handle#1")
