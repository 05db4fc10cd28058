"""The graph API: statuses of incomplete and wrong descriptors."""

import ctypes
import itertools

from tests.native.h200.scenarios_backend import (
    ENGINE,
    ENGINECFG,
    GRAPH,
    HEUR,
    PACK,
    PLAN,
    T_BOOL,
    T_CONV,
    T_DESC,
    T_DOUBLE,
    T_DTYPE,
    T_FLOAT,
    T_HANDLE,
    T_HEUR,
    T_INT64,
    T_PTR,
    Node,
    conv_forward,
    convolution,
    tensor,
)
from tests.native.h200.session import FLOAT, HALF, INT32, Session


def backend_statuses(s: Session) -> None:
    for kind in (*range(-1, 45), 99):
        s.put(f"create {kind}", Node(s, kind).created)
    s.call("create null", "cudnnBackendCreateDescriptor", 17, None)
    s.call("destroy null", "cudnnBackendDestroyDescriptor", None)
    s.call("finalize null", "cudnnBackendFinalize", None)
    for kind in (0, 1, 2, 10, 13, 17, 18, 19):
        node = Node(s, kind)
        s.attempt(f"finalize empty {kind}", node.finalize)
    backend_tensor(s)
    backend_convolution(s)


def backend_tensor(s: Session) -> None:
    node = Node(s, 17)
    s.attempt("wrong attribute", node.set, 100, T_DTYPE, 0)
    s.attempt("unknown attribute", node.set, 5555, T_INT64, 0)
    s.attempt("wrong type", node.set, 902, T_DOUBLE, 1.0)
    s.attempt("count 0", node.set, 902, T_INT64)
    s.attempt("count 9", node.set, 902, T_INT64, *[1] * 9)
    s.attempt("dim 0", node.set, 902, T_INT64, 1, 0, 2, 2)
    s.attempt("dtype 99", node.set, 901, T_DTYPE, 99)
    s.attempt("two types", node.set, 901, T_DTYPE, 0, 0)
    s.attempt("dims", node.set, 902, T_INT64, 1, 2, 3, 4)
    s.attempt("no strides", node.finalize)
    s.attempt("strides short 0", node.set, 903, T_INT64, 12, 4, 1)
    s.attempt("strides short", node.finalize)
    s.attempt("strides", node.set, 903, T_INT64, 24, 12, 4, 1)
    s.attempt("no type", node.finalize)
    s.attempt("type", node.set, 901, T_DTYPE, 0)
    s.attempt("no id", node.finalize)
    s.attempt("id", node.set, 906, T_INT64, 5)
    s.attempt("no alignment", node.finalize)
    s.attempt("alignment 3", node.set, 900, T_INT64, 3)
    s.attempt("alignment", node.set, 900, T_INT64, 16)
    s.attempt("get unfinalized", node.get, 902, T_INT64, 8)
    s.attempt("finalize", node.finalize)
    s.attempt("finalize again", node.finalize)
    s.attempt("set finalized", node.set, 906, T_INT64, 6)
    for requested in (0, 2, 8):
        s.attempt(f"get dims {requested}", node.get, 902, T_INT64, requested)
    s.attempt("get type", node.get, 901, T_DTYPE)
    s.attempt("get wrong type", node.get, 901, T_INT64)
    s.attempt("get virtual", node.get, 907, T_BOOL)
    eight = (ctypes.c_int64 * 8)()
    s.call("get null count", "cudnnBackendGetAttribute", node.address, 902, T_INT64, 8, None, eight)
    s.call("set null", "cudnnBackendSetAttribute", node.address, 902, T_INT64, 4, None)
    s.call("set null desc", "cudnnBackendSetAttribute", None, 902, T_INT64, 4, eight)
    tensor_layouts(s)


def tensor_layouts(s: Session) -> None:
    for dims, strides in (
        ((1, 2, 3), (6, 3, 1)),
        ((4,), (1,)),
        ((2, 3, 4, 5), (0, 0, 0, 0)),
        ((2, 3, 4, 5), (-60, 20, 5, 1)),
        ((2, 3, 4, 5), (60, 20, 5, 0)),
    ):
        node = Node(s, 17)
        for name, dtype, values in (
            (901, T_DTYPE, (0,)),
            (906, T_INT64, (1,)),
            (900, T_INT64, (16,)),
            (902, T_INT64, dims),
            (903, T_INT64, strides),
        ):
            node.set(name, dtype, *values)
        s.attempt(f"tensor {dims} {strides}", node.finalize)


def backend_convolution(s: Session) -> None:
    conv = Node(s, 1)
    for name, dtype, values in (
        (106, T_INT64, (2,)),
        (100, T_DTYPE, (0,)),
        (101, T_CONV, (1,)),
        (102, T_INT64, (1, 1)),
        (103, T_INT64, (1, 1)),
        (104, T_INT64, (1, 1)),
        (105, T_INT64, (1, 1)),
    ):
        s.attempt(f"conv finalize before {name}", conv.finalize)
        s.attempt(f"conv set {name}", conv.set, name, dtype, *values)
    s.attempt("conv finalize", conv.finalize)


def backend_operations(s: Session) -> None:
    x, w, y = tensor(s, 1, FLOAT, (2, 8, 6, 5)), tensor(s, 2, FLOAT, (16, 8, 3, 3)), tensor(s, 3, FLOAT, (2, 16, 6, 5))
    bad, same = tensor(s, 4, FLOAT, (2, 16, 6, 4)), tensor(s, 1, FLOAT, (2, 16, 6, 5))
    for name, (a, b, c) in {
        "good": (x, w, y),
        "y dims": (x, w, bad),
        "w c": (x, tensor(s, 5, FLOAT, (16, 4, 3, 3)), y),
        "w c 3": (x, tensor(s, 5, FLOAT, (16, 3, 3, 3)), y),
        "half w": (x, tensor(s, 5, HALF, (16, 8, 3, 3)), y),
        "unfinalized": (x, w, Node(s, 17)),
        "same id": (x, w, same),
    }.items():
        node = Node(s, 10)
        s.put(
            f"conv op {name} set",
            [
                node.set(704, T_DESC, a),
                node.set(703, T_DESC, b),
                node.set(705, T_DESC, c),
                node.set(702, T_DESC, convolution(s, FLOAT)),
                node.set(700, T_FLOAT, 1.0),
                node.set(701, T_FLOAT, 0.0),
            ],
        )
        status = node.finalize()
        s.put(f"conv op {name}", status)
        if status == 0:
            graph = Node(s, GRAPH)
            s.attempt(f"graph {name} set 0", graph.set, 801, T_DESC, node)
            s.attempt(f"graph {name} set", graph.set, 800, T_HANDLE, s.handle)
            s.attempt(f"graph {name}", graph.finalize)
    for missing in (700, 701, 702, 703, 704, 705):
        node = Node(s, 10)
        for name, dtype, value in (
            (704, T_DESC, x),
            (703, T_DESC, w),
            (705, T_DESC, y),
            (702, T_DESC, convolution(s, FLOAT)),
            (700, T_FLOAT, 1.0),
            (701, T_FLOAT, 0.0),
        ):
            if name != missing:
                node.set(name, dtype, value)
        s.attempt(f"conv op without {missing}", node.finalize)


def backend_plans(s: Session) -> None:
    x, w, y = tensor(s, 1, FLOAT, (2, 8, 6, 5)), tensor(s, 2, FLOAT, (16, 8, 3, 3)), tensor(s, 3, FLOAT, (2, 16, 6, 5))
    good = conv_forward(s, x, w, y, FLOAT)
    for name, attributes in {
        "no ops": [(800, T_HANDLE, s.handle)],
        "no handle": [(801, T_DESC, good)],
        "null handle": [(801, T_DESC, good), (800, T_HANDLE, None)],
    }.items():
        graph = Node(s, GRAPH)
        for n, attribute in enumerate(attributes):
            s.attempt(f"graph {name} set {n}", graph.set, *attribute)
        s.attempt(f"graph {name}", graph.finalize)
    graph = Node(s, GRAPH)
    graph.set(801, T_DESC, good)
    graph.set(800, T_HANDLE, s.handle)
    graph.finalize()
    backend_engines(s, graph)
    missing_pointer(s, graph)


def backend_engines(s: Session, graph: Node) -> None:
    s.attempt("engine count", graph.get, 802, T_INT64)
    for mode in (0, 1, 2, 3):
        ask = Node(s, HEUR)
        ask.set(201, T_DESC, graph)
        ask.set(200, T_HEUR, mode)
        s.attempt(f"results {mode} early", ask.get, 202, T_DESC, 0)
        s.attempt(f"heuristic {mode}", ask.finalize)
        s.attempt(f"results {mode} asked 0", lambda node: node.get(202, T_DESC, 0)[:2], ask)
    heuristic = Node(s, HEUR)
    s.attempt("heuristic mode 9", heuristic.set, 200, T_HEUR, 9)
    s.attempt("heuristic no mode 0", heuristic.set, 201, T_DESC, graph)
    s.attempt("heuristic no mode", heuristic.finalize)
    for index in (-1, 0, 1, 9999):
        engine = Node(s, ENGINE)
        s.attempt(f"engine {index} 0", engine.set, 1300, T_DESC, graph)
        s.attempt(f"engine {index} 1", engine.set, 1301, T_INT64, index)
        s.attempt(f"engine {index}", engine.finalize)
    engine = Node(s, ENGINE)
    engine.set(1300, T_DESC, graph)
    engine.set(1301, T_INT64, 0)
    if engine.finalize() == 0:
        config = Node(s, ENGINECFG)
        s.attempt("config 0", config.set, 300, T_DESC, engine)
        s.attempt("config", config.finalize)
        for name, (attribute, dtype, count) in {
            "numerical": (1303, 11, 10),
            "behavior": (1305, 19, 10),
            "knobs": (1302, T_DESC, 0),
        }.items():
            s.attempt(f"engine {name}", lambda node, *a: node.get(*a)[:2], engine, attribute, dtype, count)
        plan = Node(s, PLAN)
        s.attempt("plan 0", plan.set, 401, T_DESC, config)
        s.attempt("plan", plan.finalize)
    pack = Node(s, PACK)
    s.attempt("pack ids", pack.set, 1000, T_INT64, 1, 2, 3)
    s.attempt("pack null pointers", pack.set, 1001, T_PTR, None, None, None)
    s.attempt("pack", pack.finalize)
    short = Node(s, PACK)
    short.set(1000, T_INT64, 1, 2, 3)
    short.set(1001, T_PTR, 1, 2)
    s.attempt("pack short", short.finalize)
    s.call("execute nulls", "cudnnBackendExecute", s.handle, None, pack.address)
    s.call("execute pack as plan", "cudnnBackendExecute", s.handle, pack.address, pack.address)


def missing_pointer(s: Session, graph: Node) -> None:
    heuristic = Node(s, HEUR)
    heuristic.set(201, T_DESC, graph)
    heuristic.set(200, T_HEUR, 0)
    heuristic.finalize()
    config = Node(s, ENGINECFG)
    array, got = (ctypes.c_void_p * 1)(config.address), ctypes.c_int64()
    s.lib.cudnnBackendGetAttribute(heuristic.address, 202, T_DESC, 1, ctypes.byref(got), array)
    plan = Node(s, PLAN)
    plan.set(401, T_DESC, config)
    s.attempt("plan no handle", plan.finalize)
    plan.set(400, T_HANDLE, s.handle)
    s.attempt("plan good", plan.finalize)
    buffers = {1: s.filled(480), 2: s.filled(1152), 3: s.filled(960)}
    for ids in itertools.combinations(buffers, 2):
        pack = Node(s, PACK)
        pack.set(1000, T_INT64, *ids)
        pack.set(1001, T_PTR, *[buffers[i].address for i in ids])
        s.attempt(f"pack {ids}", pack.finalize)
        s.call(f"execute {ids}", "cudnnBackendExecute", s.handle, plan.address, pack.address)
    pack = Node(s, PACK)
    pack.set(1000, T_INT64, 1, 2, 3, 7)
    pack.set(1001, T_PTR, *[b.address for b in buffers.values()], buffers[1].address)
    s.attempt("pack extra", pack.finalize)
    s.call("execute extra", "cudnnBackendExecute", s.handle, plan.address, pack.address)
    s.call("execute null handle", "cudnnBackendExecute", None, plan.address, pack.address)
    unfinalized = Node(s, PACK)
    s.call("execute unfinalized pack", "cudnnBackendExecute", s.handle, plan.address, unfinalized.address)
    s.attempt("int32 dims", tensor(s, 8, INT32, (1, 1)).get, 902, T_INT64, 8)
    s.attempt("plan size", plan.get, 402, T_INT64)
    s.attempt("plan again", plan.finalize)


SCENARIOS = [backend_statuses, backend_operations, backend_plans]
