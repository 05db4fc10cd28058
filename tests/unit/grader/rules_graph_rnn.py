"""Traces for the rules on the graph API and recurrent networks: one that breaks each, and a near one that does not."""

from typing import Any

from tests.unit.grader.rules_trace import HOST, NULL, H, Program, Trace, device

NODE = "CUDNN_TYPE_BACKEND_DESCRIPTOR"
INFERENCE, TRAINING = "CUDNN_FWD_MODE_INFERENCE", "CUDNN_FWD_MODE_TRAINING"
REFUSED = 3000


def node(name: str) -> dict[str, Any]:
    return {"kind": "backend", "id": name}


def make(t: Trace, name: str, type_: str, status: int | None = 0, **attributes: list[Any]) -> Trace:
    """Creates a descriptor, sets its attributes and finalises it; status None: never finalised."""
    create = {"descriptorType": f"CUDNN_BACKEND_{type_}_DESCRIPTOR"}
    t.call("cudnnBackendCreateDescriptor", {"descriptor": node(name)}, **create)
    for key, values in attributes.items():
        t.call("cudnnBackendSetAttribute", descriptor=node(name), attributeName=f"CUDNN_ATTR_{key}",
               arrayOfElements=values)  # fmt: skip
    if status is not None:
        t.call("cudnnBackendFinalize", status=status, descriptor=node(name))
    return t


def ask(t: Trace, name: str, attribute: str, *values: Any) -> Trace:
    outs = {"elementCount": len(values), "arrayOfElements": list(values)}
    return t.call("cudnnBackendGetAttribute", outs, descriptor=node(name), attributeName=f"CUDNN_ATTR_{attribute}")


def execute(t: Trace, plan: str, pack: str, status: int = 0, space: dict[str, Any] = NULL) -> Trace:
    make(t, pack, "VARIANT_PACK", VARIANT_PACK_DATA_POINTERS=[device("y")], VARIANT_PACK_WORKSPACE=[space])
    t.call("cudnnBackendExecute", status=status, handle=H, executionPlan=node(plan), variantPack=node(pack))
    return t.call("cudnnBackendDestroyDescriptor", descriptor=node(pack))


def destroy(t: Trace, *names: str) -> Trace:
    for name in names:
        t.call("cudnnBackendDestroyDescriptor", descriptor=node(name))
    return t


def plans(t: Trace, times: int, same: bool, first: bool = False) -> Trace:
    """Plans on one engine or several, each executed; first: all are built before."""
    names = [f"plan#{i}" for i in range(times)]
    for i, name in enumerate(names):
        make(t, f"engine#{i}", "ENGINE", ENGINE_GLOBAL_INDEX=[0 if same else i])
        make(t, name, "EXECUTION_PLAN", EXECUTION_PLAN_ENGINE_CONFIG=[node(f"engine#{i}")])
        if not first:
            execute(t, name, f"pack#{i}")
    for i, name in enumerate(names if first else []):
        execute(t, name, f"pack#{i}")
    return destroy(t, *names, *(f"engine#{i}" for i in range(times)))


def unfinished(t: Trace, status: int | None) -> Trace:
    """An operation that is refused, as one of its tensors was not finalised, or for another reason."""
    make(t, "t", "TENSOR", status)
    return destroy(make(t, "op", "OPERATION_POINTWISE", 2000, OPERATION_POINTWISE_XDESC=[node("t")]), "t", "op")


def refused(t: Trace, used: bool) -> Trace:
    make(t, "engine", "ENGINE", REFUSED)
    if used:
        make(t, "config", "ENGINECFG", 2000, ENGINECFG_ENGINE=[node("engine")])
        destroy(t, "config")
    return destroy(t, "engine")


def heuristics(t: Trace, filled: bool) -> Trace:
    make(t, "ask", "ENGINEHEUR")
    make(t, "config", "ENGINECFG", None)
    ask(t, "ask", "ENGINEHEUR_RESULTS", *([node("config")] if filled else []))
    make(t, "plan", "EXECUTION_PLAN", 0 if filled else 2000, EXECUTION_PLAN_ENGINE_CONFIG=[node("config")])
    return destroy(t, "ask", "config", "plan")


def spaced(t: Trace, asked: bool) -> Trace:
    make(t, "plan", "EXECUTION_PLAN")
    if asked:
        ask(t, "plan", "EXECUTION_PLAN_WORKSPACE_SIZE", 64)
    return destroy(execute(t, "plan", "pack", space=device("ws", 64)), "plan")


def sizes(t: Trace, mode: str = TRAINING, weights: bool = True) -> Trace:
    """Asks for the sizes of a recurrent network's spaces."""
    if weights:
        t.call("cudnnGetRNNWeightSpaceSize", {"weightSpaceSize": 640}, handle=H)
    return t.call("cudnnGetRNNTempSpaceSizes", {"workSpaceSize": 64}, handle=H, fwdMode=mode)


SPACES = {"weightSpaceSize": 640, "workSpaceSize": 64, "reserveSpaceSize": 32}


def rnn(t: Trace, name: str, status: int = 0, **changed: Any) -> Trace:
    given = {"handle": H, "weightSpace": device("w", 640), "workSpace": device("ws", 64),
             "reserveSpace": device("rs", 32)} | SPACES  # fmt: skip
    return t.call(f"cudnnRNN{name}", status=status, **(given | changed))


def forward(t: Trace, status: int = 0, mode: str = TRAINING, **changed: Any) -> Trace:
    return rnn(t, "Forward", status, fwdMode=mode, **changed)


def own_weights(t: Trace, asked: bool) -> Trace:
    t.malloc("buffer#1", 640)
    return forward(sizes(t, weights=asked), weightSpace=device("buffer#1", 640)).free("buffer#1")


def backward(t: Trace, weights_first: bool, **changed: Any) -> Trace:
    names = ("BackwardData_v8", "BackwardWeights_v8")
    for name in reversed(names) if weights_first else names:
        rnn(t, name, **(changed if "Weights" in name else {}))
    return t


def gradient(t: Trace, cleared: bool) -> Trace:
    sizes(t).malloc("buffer#1", 640)
    if cleared:
        t.call("cudaMemset", devPtr=device("buffer#1", 640), value=0, count=640)
    return backward(forward(t), False, dweightSpace=device("buffer#1", 640)).free("buffer#1")


def copied(t: Trace, counts: tuple[int, ...], asked: bool) -> Trace:
    sizes(t)
    if asked:
        t.call("cudnnGetRNNWeightParams", {"mAddr": device("w", offset=0)}, handle=H)
    at = 0
    for count in counts:
        t.call("cudaMemcpy", dst=device("w", 640, offset=at), src=HOST, count=count, kind="cudaMemcpyHostToDevice")
        at += count
    return forward(t)


def bad_tensor(t: Trace, used: bool) -> Trace:
    make(t, "t", "TENSOR", 2000)
    if used:
        make(t, "op", "OPERATION_POINTWISE", 2000, OPERATION_POINTWISE_XDESC=[node("t")])
        destroy(t, "op")
    return destroy(t, "t")


def read_after(t: Trace, status: int) -> Trace:
    execute(make(t, "p", "EXECUTION_PLAN"), "p", "pack", status)
    return destroy(t.call("cudaMemcpy", dst=HOST, src=device("y"), count=64, kind="cudaMemcpyDeviceToHost"), "p")


CASES: list[tuple[str, Program, Program]] = [
    ("backend_not_finalised", lambda t: unfinished(t, None), lambda t: unfinished(t, 0)),
    ("backend_not_finalised", lambda t: destroy(execute(make(t, "p", "EXECUTION_PLAN", None), "p", "pack", 2000), "p"),
     lambda t: destroy(execute(make(t, "p", "EXECUTION_PLAN"), "p", "pack", 2000), "p")),
    ("engine_support_unchecked", lambda t: refused(t, True), lambda t: refused(t, False)),
    ("engine_support_unchecked", lambda t: heuristics(t, False), lambda t: heuristics(t, True)),
    ("status_ignored", lambda t: bad_tensor(t, True), lambda t: bad_tensor(t, False)),
    ("status_ignored", lambda t: read_after(t, 2000), lambda t: read_after(t, 0)),
    ("plan_per_call", lambda t: plans(t, 3, True), lambda t: plans(t, 3, False)),
    ("plan_per_call", lambda t: plans(t, 3, True), lambda t: plans(t, 3, True, first=True)),
    ("graph_workspace_not_asked", lambda t: spaced(t, False), lambda t: spaced(t, True)),
    ("rnn_space_not_asked", forward, lambda t: forward(sizes(t))),
    ("rnn_space_not_asked", lambda t: own_weights(t, False), lambda t: own_weights(t, True)),
    ("rnn_reserve_missing", lambda t: forward(sizes(t), 2000, reserveSpace=NULL),
     lambda t: forward(sizes(t), 0, INFERENCE, reserveSpace=NULL)),
    ("rnn_reserve_missing", lambda t: forward(sizes(t, INFERENCE), 2000, reserveSpaceSize=0),
     lambda t: forward(sizes(t, INFERENCE), 0, INFERENCE, reserveSpaceSize=0)),
    ("rnn_backward_order", lambda t: backward(forward(sizes(t)), True), lambda t: backward(forward(sizes(t)), False)),
    ("rnn_gradient_not_cleared", lambda t: gradient(t, False), lambda t: gradient(t, True)),
    ("rnn_offsets_assumed", lambda t: copied(t, (256, 64), False), lambda t: copied(t, (256, 64), True)),
    ("rnn_offsets_assumed", lambda t: copied(t, (256, 64), False), lambda t: copied(t, (320, 320), False)),
    ("rnn_offsets_assumed", lambda t: copied(t, (256, 64), False), lambda t: copied(t, (640,), False)),
]  # fmt: skip
