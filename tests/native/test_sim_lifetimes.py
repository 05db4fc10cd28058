"""Descriptors that were destroyed or refused: what was made of them goes on, and nothing divides by what they lack."""

import ctypes
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.native.h200.scenarios_backend import (
    ENGINECFG,
    GRAPH,
    HEUR,
    PACK,
    PLAN,
    T_DESC,
    T_HANDLE,
    T_HEUR,
    T_INT64,
    T_PTR,
    Node,
    pointwise,
    tensor,
)  # fmt: skip
from tests.native.h200.session import FLOAT, HALF, Buffer
from tests.native.ops import BAD_PARAM, SUCCESS, Ops, session
from tests.native.simulator import run_program

EXP = 13
REMEMBERED = 65536
"""Destroyed objects that the simulator keeps in memory."""


@pytest.fixture
def s() -> Ops:
    return session()


def churn(s: Ops) -> None:
    """Creates and destroys more descriptors than the simulator remembers."""
    pointer = ctypes.c_void_p()
    for _ in range(REMEMBERED + 5000):
        s.lib.cudnnCreateTensorDescriptor(ctypes.byref(pointer))
        s.lib.cudnnDestroyTensorDescriptor(pointer)


def plan_for(s: Ops, made: list[Node], x: Buffer, y: Buffer) -> tuple[Node, Node]:
    """A plan and a variant pack for y = exp(x); what they are made of goes to `made`."""
    made += [tensor(s, 1, FLOAT, (1, 2, 3, 4)), tensor(s, 2, FLOAT, (1, 2, 3, 4))]
    graph, heuristic, config, plan, pack = (Node(s, kind) for kind in (GRAPH, HEUR, ENGINECFG, PLAN, PACK))
    made += [pointwise(s, EXP, *made[:2]), graph, heuristic, config]
    graph.set(801, T_DESC, made[2])
    graph.set(800, T_HANDLE, s.handle)
    assert graph.finalize() == SUCCESS
    heuristic.set(201, T_DESC, graph)
    heuristic.set(200, T_HEUR, 0)
    assert heuristic.finalize() == SUCCESS
    found = (ctypes.c_void_p * 1)(config.address)
    s.ok("cudnnBackendGetAttribute", heuristic.address, 202, T_DESC, 1, ctypes.byref(ctypes.c_int64()), found)
    plan.set(401, T_DESC, config)
    plan.set(400, T_HANDLE, s.handle)
    assert plan.finalize() == SUCCESS
    pack.set(1000, T_INT64, 1, 2)
    pack.set(1001, T_PTR, x.address, y.address)
    assert pack.finalize() == SUCCESS
    return plan, pack


def test_a_plan_outlives_the_descriptors_that_it_was_made_of(s: Ops) -> None:
    made: list[Node] = []
    x, y = s.upload(np.linspace(-1, 1, 24)), s.filled(24)
    plan, pack = plan_for(s, made, x, y)
    for node in made:
        s.ok("cudnnBackendDestroyDescriptor", node.address)
    churn(s)
    s.ok("cudnnBackendExecute", s.handle, plan.address, pack.address)
    np.testing.assert_allclose(s.download(y), np.exp(np.linspace(-1, 1, 24)), rtol=1e-6)


def test_a_recurrent_network_outlives_its_dropout_descriptor(s: Ops) -> None:
    drop, rnn, data = s.create("Dropout"), s.create("RNN"), s.create("RNNData")
    s.ok("cudnnSetDropoutDescriptor", drop, s.handle, 0.5, None, 0, 7)
    s.ok("cudnnSetRNNDescriptor_v8", rnn, 0, 2, 0, 0, 0, FLOAT, FLOAT, 0, 4, 4, 4, 2, drop, 0)
    s.ok("cudnnSetRNNDataDescriptor", data, FLOAT, 0, 3, 2, 4, s.ints([3, 3]), None)
    s.ok("cudnnDestroyDropoutDescriptor", drop)
    churn(s)
    weights, work, reserve = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_size_t()
    s.ok("cudnnGetRNNWeightSpaceSize", s.handle, rnn, ctypes.byref(weights))
    s.ok("cudnnGetRNNTempSpaceSizes", s.handle, rnn, 1, data, ctypes.byref(work), ctypes.byref(reserve))
    w, y = s.random_buffer(weights.value // 4), s.filled(24)
    state, spaces = s.tensor(FLOAT, (2, 2, 4)), (s.space(work.value), s.space(reserve.value))
    none = (state, None, None, state, None, None)
    given = (weights.value, w.address, work.value, spaces[0], reserve.value, spaces[1])
    s.ok("cudnnRNNForward", s.handle, rnn, 1, None, data, s.random_buffer(24).address, data, y.address, *none, *given)
    assert np.isfinite(s.download(y)).all()


# ---- descriptors that keep what a refused setter wrote


def refused(s: Ops, kind: str) -> int:
    """A descriptor with a rank and a type, but without the numbers behind the first wrong one."""
    desc = s.create(kind)
    zeros = s.ints([0] * 4)
    if kind == "Convolution":
        status = s.lib.cudnnSetConvolution2dDescriptor(desc, 0, 0, 0, 0, 0, 0, 1, FLOAT)
    elif kind == "Filter":
        status = s.lib.cudnnSetFilterNdDescriptor(desc, HALF, 0, 4, zeros)
    else:
        status = s.lib.cudnnSetTensorNdDescriptor(desc, HALF, 4, zeros, zeros)
    assert status == BAD_PARAM
    return desc


def problem(s: Ops, wrong: str) -> dict[str, Any]:
    """Descriptors of a convolution, one of them refused, and memory for all of them."""
    conv = s.create("Convolution")
    s.ok("cudnnSetConvolution2dDescriptor", conv, 1, 1, 1, 1, 1, 1, 1, FLOAT)
    good = {
        "x": s.tensor(HALF, (2, 4, 5, 6)),
        "w": s.filter(HALF, (8, 4, 3, 3)),
        "y": s.tensor(HALF, (2, 8, 5, 6)),
        "conv": conv,
    }
    kind = {"w": "Filter", "conv": "Convolution"}.get(wrong, "Tensor")
    return good | {wrong: refused(s, kind), "memory": s.filled(1000, HALF).address}


ORDERS = {"Forward": "x w conv y", "BackwardData": "w y conv x", "BackwardFilter": "x y conv w"}
PERF_BYTES, MOST = 48, 8


@pytest.mark.parametrize(("wrong", "which"), list(product(("x", "w", "y", "conv"), ORDERS)))
def test_a_refused_descriptor_is_refused_by_convolutions(s: Ops, wrong: str, which: str) -> None:
    p = problem(s, wrong)
    order = ORDERS[which].split()
    descriptors, at, one = [p[name] for name in order], p["memory"], s.scalar(1)
    with_memory = [part for name in order for part in ([p[name]] if name == "conv" else [p[name], at])]
    count, perf = ctypes.byref(ctypes.c_int()), ctypes.create_string_buffer(MOST * PERF_BYTES)
    size = ctypes.byref(ctypes.c_size_t())
    lib, head = s.lib, f"cudnn{{}}Convolution{which}{{}}"
    ask = getattr(lib, head.format("Get", "WorkspaceSize"))
    assert ask(s.handle, *descriptors, 1, size) == BAD_PARAM
    get = getattr(lib, head.format("Get", "Algorithm_v7"))
    assert get(s.handle, *descriptors, MOST, count, perf) == BAD_PARAM
    end = with_memory.index(p["conv"]) + 1
    run = getattr(lib, f"cudnnConvolution{which}")
    assert run(s.handle, one, *with_memory[:end], 1, None, 0, s.scalar(0), *with_memory[end:]) == BAD_PARAM
    for name, arguments, room in (("Algorithm", descriptors, ()), ("AlgorithmEx", with_memory, (None, 0))):
        find = getattr(lib, head.format("Find", name))
        assert find(s.handle, *arguments, MOST, count, perf, *room) == SUCCESS
        entries = np.frombuffer(perf.raw, np.int32).reshape(MOST, -1)[: count._obj.value]
        assert set(entries[:, 1]) == {BAD_PARAM}, name
        assert lib.cudaDeviceSynchronize() == 0


@pytest.mark.parametrize("function", ["cudaMallocHost", "cudaHostAlloc", "cudaMallocManaged"])
@pytest.mark.parametrize("size", [2**64 - 1, 2**64 - 4095, 2**63])
def test_host_memory_of_absurd_size_is_refused(s: Ops, function: str, size: int) -> None:
    pointer, out_of_memory = ctypes.c_void_p(), 2
    more = () if function == "cudaMallocHost" else (1,)
    assert getattr(s.lib, function)(ctypes.byref(pointer), size, *more) == out_of_memory
    assert pointer.value is None
    s.lib.cudaGetLastError()


EVERY = """
from grader.contract.api_types import Function
from tests.native.parity.values import FUNCTIONS
from tests.native.test_sim_lifetimes import refused
from tests.native.ops import session
s = session()
memory = s.filled(4096).address
objects = {"cudnnHandle_t": s.handle, "cudnnTensorDescriptor_t": refused(s, "Tensor"),
           "cudnnFilterDescriptor_t": refused(s, "Filter"), "cudnnConvolutionDescriptor_t": refused(s, "Convolution")}
for kind in ("Pooling", "Activation", "LRN", "Dropout", "OpTensor", "ReduceTensor", "RNN", "RNNData"):
    objects[f"cudnn{kind}Descriptor_t"] = s.create(kind)
s.lib.cudnnSetPooling2dDescriptor(objects["cudnnPoolingDescriptor_t"], 0, 0, 2, 2, 0, 0, 1, 1)
s.lib.cudnnSetActivationDescriptor(objects["cudnnActivationDescriptor_t"], 1, 0, 0.0)
s.lib.cudnnSetLRNDescriptor(objects["cudnnLRNDescriptor_t"], 5, 1e-4, 0.75, 2.0)
s.lib.cudnnSetOpTensorDescriptor(objects["cudnnOpTensorDescriptor_t"], 0, 0, 0)
s.lib.cudnnSetReduceTensorDescriptor(objects["cudnnReduceTensorDescriptor_t"], 0, 0, 0, 0, 0)
def argument(p, number):
    if p.role in ("handle", "descriptor", "stream"): return objects.get(p.base)
    if p.role == "device": return memory
    if p.pointers: return ctypes.create_string_buffer(4096)
    return 4096 if p.base == "size_t" else number
called = 0
for function in FUNCTIONS.values():
    takes = {"cudnnTensorDescriptor_t", "cudnnFilterDescriptor_t"} & {p.base for p in function.parameters}
    if not takes or not hasattr(s.lib, function.name) or "Destroy" in function.name or "Create" in function.name:
        continue
    if "Set" in function.name and function.name.endswith(("Descriptor", "DescriptorEx")): continue
    for number in (0, 1, 2):
        print(function.name, number, getattr(s.lib, function.name)(*(argument(p, number) for p in function.parameters)))
        s.lib.cudaDeviceSynchronize()
        called += 1
print("called", called)
"""


def test_every_function_survives_descriptors_whose_setter_was_refused(native_build: object) -> None:
    done = run_program(EVERY)
    lines = done.stdout.splitlines()
    assert done.status == 0, lines[-1:]
    assert int(lines[-1].split()[1]) > 150
