"""The graph API: descriptors, operation graphs, plans, execution."""

import ctypes
from collections.abc import Sequence
from typing import Any

from tests.native.h200.session import BF16, DOUBLE, FLOAT, HALF, NAMES, Session, count_of

T_HANDLE, T_DTYPE, T_BOOL, T_INT64, T_FLOAT, T_DOUBLE, T_PTR, T_CONV, T_HEUR = range(9)
T_NAN, T_POINTWISE, T_DESC, T_REDUCE = 10, 14, 15, 18
C_TYPES = {
    T_BOOL: ctypes.c_bool,
    T_INT64: ctypes.c_int64,
    T_FLOAT: ctypes.c_float,
    T_DOUBLE: ctypes.c_double,
    T_HANDLE: ctypes.c_void_p,
    T_PTR: ctypes.c_void_p,
    T_DESC: ctypes.c_void_p,
}
PLAN, HEUR, ENGINE, ENGINECFG, GRAPH, PACK = 5, 4, 2, 3, 15, 16


class Node:
    """One backend descriptor."""

    def __init__(self, s: Session, kind: int) -> None:
        self.s = s
        pointer = ctypes.c_void_p()
        self.created = s.lib.cudnnBackendCreateDescriptor(kind, ctypes.byref(pointer))
        self.address = pointer.value or 0

    def set(self, name: int, dtype: int, *values: Any) -> int:
        array = (C_TYPES.get(dtype, ctypes.c_int) * max(len(values), 1))(
            *[v.address if isinstance(v, Node) else v for v in values]
        )
        self.s.keep.append(array)
        return int(self.s.lib.cudnnBackendSetAttribute(self.address, name, dtype, len(values), array))

    def finalize(self) -> int:
        return int(self.s.lib.cudnnBackendFinalize(self.address))

    def get(self, name: int, dtype: int, requested: int = 1) -> tuple[int, int, list[Any]]:
        array, count = (C_TYPES.get(dtype, ctypes.c_int) * max(requested, 1))(), ctypes.c_int64(-7)
        status = int(
            self.s.lib.cudnnBackendGetAttribute(self.address, name, dtype, requested, ctypes.byref(count), array)
        )
        return status, count.value, list(array)[: max(0, min(requested, count.value))]


def tensor(s: Session, uid: int, dtype: int, dims: Sequence[int], last: bool = False, virtual: bool = False) -> Node:
    node = Node(s, 17)
    order = [0, *range(2, len(dims)), 1] if last else list(range(len(dims)))
    strides, step = [0] * len(dims), 1
    for d in reversed(order):
        strides[d], step = step, step * dims[d]
    node.set(906, T_INT64, uid)
    node.set(901, T_DTYPE, dtype)
    node.set(900, T_INT64, 16)
    node.set(902, T_INT64, *dims)
    node.set(903, T_INT64, *strides)
    if virtual:
        node.set(907, T_BOOL, True)
    node.finalize()
    return node


def convolution(s: Session, compute: int, pad: int = 1, mode: int = 1) -> Node:
    node = Node(s, 1)
    node.set(106, T_INT64, 2)
    node.set(100, T_DTYPE, compute)
    node.set(101, T_CONV, mode)
    for name, value in ((102, 1), (103, 1), (104, pad), (105, pad)):
        node.set(name, T_INT64, value, value)
    node.finalize()
    return node


def conv_forward(
    s: Session, x: Node, w: Node, y: Node, compute: int, pad: int = 1, alpha: float = 1, beta: float = 0
) -> Node:
    node = Node(s, 10)
    scalar = T_DOUBLE if compute == DOUBLE else T_FLOAT
    for name, value in ((704, x), (703, w), (705, y), (702, convolution(s, compute, pad))):
        node.set(name, T_DESC, value)
    node.set(700, scalar, alpha)
    node.set(701, scalar, beta)
    node.finalize()
    return node


def pointwise(
    s: Session,
    mode: int,
    x: Node,
    y: Node,
    b: Node | None = None,
    compute: int = FLOAT,
    options: dict[int, float] | None = None,
) -> Node:
    desc, node = Node(s, 0), Node(s, 13)
    desc.set(0, T_POINTWISE, mode)
    desc.set(1, T_DTYPE, compute)
    for name, value in (options or {}).items():
        desc.set(name, T_DOUBLE, value)
    desc.finalize()
    node.set(750, T_DESC, desc)
    node.set(751, T_DESC, x)
    node.set(753, T_DESC, y)
    if b:
        node.set(752, T_DESC, b)
    node.finalize()
    return node


def matmul(s: Session, a: Node, b: Node, c: Node, compute: int = FLOAT) -> Node:
    desc, node = Node(s, 18), Node(s, 19)
    desc.set(1500, T_DTYPE, compute)
    desc.finalize()
    for name, value in ((1520, a), (1521, b), (1522, c), (1523, desc)):
        node.set(name, T_DESC, value)
    node.finalize()
    return node


def execute(s: Session, key: str, operations: list[Node], buffers: dict[int, Any], result: int) -> None:
    graph = Node(s, GRAPH)
    graph.set(801, T_DESC, *operations)
    graph.set(800, T_HANDLE, s.handle)
    status = graph.finalize()
    s.put(f"{key} graph", status)
    if status:
        return
    s.put(f"{key} engines", graph.get(802, T_INT64)[:2])
    plans = []
    for mode in (3, 2, 0, 1):
        heuristic = Node(s, HEUR)
        heuristic.set(201, T_DESC, graph)
        heuristic.set(200, T_HEUR, mode)
        s.put(f"{key} heuristic {mode}", heuristic.finalize())
        _, count, _ = heuristic.get(202, T_DESC, 0)
        s.put(f"{key} configs {mode} any", count > 0)
        configs = [Node(s, ENGINECFG) for _ in range(max(min(count, 8), 1))]
        array, got = (ctypes.c_void_p * len(configs))(*[c.address for c in configs]), ctypes.c_int64()
        s.lib.cudnnBackendGetAttribute(heuristic.address, 202, T_DESC, len(configs), ctypes.byref(got), array)
        plans += configs[: got.value]
    status = -1
    for config in plans:
        plan = Node(s, PLAN)
        plan.set(401, T_DESC, config)
        plan.set(400, T_HANDLE, s.handle)
        status = plan.finalize()
        if status:
            continue
        size = plan.get(402, T_INT64)[2][0]
        pack = Node(s, PACK)
        pack.set(1000, T_INT64, *buffers)
        pack.set(1001, T_PTR, *[b.address for b in buffers.values()])
        pack.set(1003, T_PTR, s.space(size))
        pack.finalize()
        status = int(s.lib.cudnnBackendExecute(s.handle, plan.address, pack.address))
        if status == 0:
            break
    s.put(f"{key} execute", status)
    s.output(key, status, buffers[result])


def graphs(s: Session) -> None:
    x, w, y, b = (2, 8, 6, 5), (16, 8, 3, 3), (2, 16, 6, 5), (1, 16, 1, 1)
    for dtype, compute, last in (
        (FLOAT, FLOAT, False),
        (FLOAT, FLOAT, True),
        (HALF, FLOAT, True),
        (HALF, FLOAT, False),
        (BF16, FLOAT, True),
        (DOUBLE, DOUBLE, False),
        (HALF, HALF, True),
    ):
        key = f"{NAMES[dtype]} compute {NAMES[compute]} last {last}"
        buffers: dict[int, Any] = {uid: s.random_buffer(count_of(d), dtype) for uid, d in ((1, x), (2, w), (3, b))} | {
            9: s.filled(count_of(y), dtype)
        }
        tx, tw, tb = tensor(s, 1, dtype, x, last), tensor(s, 2, dtype, w, last), tensor(s, 3, dtype, b, last)
        execute(
            s,
            f"conv {key}",
            [conv_forward(s, tx, tw, tensor(s, 9, dtype, y, last), compute)],
            {u: buffers[u] for u in (1, 2, 9)},
            9,
        )
        execute(
            s,
            f"conv alpha {key}",
            [conv_forward(s, tx, tw, tensor(s, 9, dtype, y, last), compute, 1, 2, 0.5)],
            {u: buffers[u] for u in (1, 2, 9)},
            9,
        )
        v1, v2 = (
            tensor(s, 100, FLOAT if compute == FLOAT else dtype, y, last, True),
            tensor(s, 101, FLOAT if compute == FLOAT else dtype, y, last, True),
        )
        operations = [
            conv_forward(s, tx, tw, v1, compute),
            pointwise(s, 0, v1, v2, tb, compute),
            pointwise(s, 100, v2, tensor(s, 9, dtype, y, last), None, compute),
        ]
        execute(s, f"conv bias relu {key}", operations, buffers, 9)
    for dtype in (FLOAT, HALF, BF16):
        a, m, c, bias = (2, 16, 24), (2, 24, 32), (2, 16, 32), (1, 1, 32)
        buffers = {uid: s.random_buffer(count_of(d), dtype) for uid, d in ((1, a), (2, m), (3, bias))} | {
            9: s.filled(count_of(c), dtype)
        }
        ta, tm, tb = tensor(s, 1, dtype, a), tensor(s, 2, dtype, m), tensor(s, 3, dtype, bias)
        execute(
            s,
            f"matmul {NAMES[dtype]}",
            [matmul(s, ta, tm, tensor(s, 9, dtype, c))],
            {u: buffers[u] for u in (1, 2, 9)},
            9,
        )
        v1, v2 = tensor(s, 100, FLOAT, c, False, True), tensor(s, 101, FLOAT, c, False, True)
        execute(
            s,
            f"matmul bias gelu {NAMES[dtype]}",
            [matmul(s, ta, tm, v1), pointwise(s, 0, v1, v2, tb), pointwise(s, 104, v2, tensor(s, 9, dtype, c))],
            buffers,
            9,
        )
    pointwise_graphs(s, x)


def pointwise_graphs(s: Session, x: tuple[int, ...]) -> None:
    for mode in (*range(24), *range(100, 108)):
        two = mode in (0, 1, 2, 3, 5, 6, 7, 8, 9, 23)
        buffers = {1: s.random_buffer(480, FLOAT, 0.1), 2: s.random_buffer(480, FLOAT, 0.1), 9: s.filled(480)}
        operation = pointwise(
            s,
            mode,
            tensor(s, 1, FLOAT, x, True),
            tensor(s, 9, FLOAT, x, True),
            tensor(s, 2, FLOAT, x, True) if two else None,
        )
        execute(s, f"pointwise {mode}", [operation], buffers if two else {u: buffers[u] for u in (1, 9)}, 9)
    for name, mode, options in (
        ("relu clip", 100, {3: 0.0, 4: 0.5}),
        ("leaky", 100, {5: 0.1}),
        ("swish 2", 106, {8: 2.0}),
        ("elu 2", 103, {6: 2.0}),
    ):
        buffers = {1: s.random_buffer(480, FLOAT, -1), 9: s.filled(480)}
        execute(
            s,
            name,
            [pointwise(s, mode, tensor(s, 1, FLOAT, x, True), tensor(s, 9, FLOAT, x, True), None, FLOAT, options)],
            buffers,
            9,
        )


SCENARIOS = [graphs]
