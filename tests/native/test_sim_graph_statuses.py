"""Attributes of the graph API: what may be left out, how many, what is read back. cuDNN 9.19 gave each answer."""

import ctypes
from collections.abc import Sequence
from typing import Any

import pytest

from tests.native.simulator import BAD_PARAM, NOT_SUPPORTED, SUCCESS, Simulator

DTYPE, BOOL, INT64, FLOAT, DOUBLE, POINTER, MODE, DESCRIPTOR = 1, 2, 3, 4, 5, 6, 7, 15
POINTWISE, CONVOLUTION, FORWARD, PACK, TENSOR = 0, 1, 10, 16, 17
HOST_ALLOCATION = 4003
TYPES: dict[int, Any] = {BOOL: ctypes.c_bool, INT64: ctypes.c_int64, FLOAT: ctypes.c_float, DOUBLE: ctypes.c_double,
                         POINTER: ctypes.c_void_p, DESCRIPTOR: ctypes.c_void_p}  # fmt: skip
LAYOUT = {900: (INT64, [16]), 902: (INT64, [2, 3, 4]), 903: (INT64, [12, 4, 1])}
"""Alignment, dims and strides of a tensor."""
STEPS = {102: (INT64, [1, 1]), 103: (INT64, [1, 1]), 106: (INT64, [2])}
"""Dilations, strides and number of spatial dimensions."""


@pytest.fixture(scope="module")
def sim(native_build: object) -> Simulator:
    return Simulator()


class Node:
    """A descriptor of the graph API."""

    def __init__(
        self, sim: Simulator, kind: int, attributes: dict[int, tuple[int, Sequence[Any]]] | None = None
    ) -> None:
        self.dnn, self.pointer = sim.dnn, ctypes.c_void_p()
        sim.must(sim.dnn.cudnnBackendCreateDescriptor(kind, ctypes.byref(self.pointer)))
        for name, (dtype, values) in (attributes or {}).items():
            sim.must(self.put(name, dtype, *values))

    def put(self, name: int, dtype: int, *values: Any) -> int:
        array = (TYPES.get(dtype, ctypes.c_int) * max(len(values), 1))(*values)
        count = ctypes.c_int64(len(values))
        return int(self.dnn.cudnnBackendSetAttribute(self.pointer, name, dtype, count, array))

    def finalize(self) -> int:
        return int(self.dnn.cudnnBackendFinalize(self.pointer))

    def get(self, name: int, dtype: int, asked: int = 1) -> tuple[int, list[Any]]:
        array, count = (TYPES.get(dtype, ctypes.c_int) * 8)(), ctypes.c_int64(0)
        out = (name, dtype, ctypes.c_int64(asked), ctypes.byref(count), array)
        status = int(self.dnn.cudnnBackendGetAttribute(self.pointer, *out))
        return status, list(array)[: count.value]


def test_a_tensor_needs_its_layout_and_has_defaults_for_the_rest(sim: Simulator) -> None:
    tensor = Node(sim, TENSOR, LAYOUT)
    assert tensor.finalize() == SUCCESS
    wanted = {
        901: (DTYPE, 0),
        906: (INT64, -1),
        907: (BOOL, False),
        908: (BOOL, False),
        904: (INT64, 1),
        905: (INT64, -1),
    }
    assert {name: tensor.get(name, dtype) for name, (dtype, _) in wanted.items()} == {
        name: (SUCCESS, [value]) for name, (_, value) in wanted.items()
    }
    assert tensor.get(900, INT64)[0] == NOT_SUPPORTED  # the alignment is never told


@pytest.mark.parametrize("missing", [900, 902, 903])
def test_a_tensor_without_its_layout_is_refused(sim: Simulator, missing: int) -> None:
    assert Node(sim, TENSOR, {k: v for k, v in LAYOUT.items() if k != missing}).finalize() == BAD_PARAM


@pytest.mark.parametrize(
    ("alignment", "dtype", "status"), [(3, 0, BAD_PARAM), (1, 2, BAD_PARAM), (2, 2, SUCCESS), (8, 1, SUCCESS)]
)
def test_an_alignment_is_a_multiple_of_an_element(sim: Simulator, alignment: int, dtype: int, status: int) -> None:
    tensor = Node(sim, TENSOR, LAYOUT | {900: (INT64, [alignment]), 901: (DTYPE, [dtype])})
    assert tensor.finalize() == status


def test_single_values_are_asked_for_one_at_a_time_and_lists_as_one_likes(sim: Simulator) -> None:
    tensor = Node(sim, TENSOR, LAYOUT)
    assert tensor.finalize() == SUCCESS
    assert [tensor.get(907, BOOL, asked)[0] for asked in (0, 1, 2)] == [BAD_PARAM, SUCCESS, BAD_PARAM]
    assert [tensor.get(902, INT64, asked) for asked in (0, 2, 8)] == [(0, []), (0, [2, 3]), (0, [2, 3, 4])]
    count, asked = ctypes.c_int64(), ctypes.c_int64(-1)
    assert sim.dnn.cudnnBackendGetAttribute(tensor.pointer, 902, INT64, asked, ctypes.byref(count), None) == SUCCESS
    assert count.value == 3
    assert sim.dnn.cudnnBackendGetAttribute(tensor.pointer, 902, INT64, asked, None, None) == BAD_PARAM


def test_a_convolution_has_a_default_mode_that_is_read_as_a_data_type(sim: Simulator) -> None:
    convolution = Node(sim, CONVOLUTION, STEPS)
    assert convolution.finalize() == SUCCESS
    assert convolution.get(101, DTYPE) == (SUCCESS, [0])
    assert convolution.get(101, MODE)[0] == 2010
    assert convolution.get(104, INT64, 2) == (SUCCESS, [0, 0])


def test_a_pack_may_repeat_an_id_and_hides_its_pointers(sim: Simulator) -> None:
    pack = Node(sim, PACK, {1000: (INT64, [1, 2, 2]), 1001: (POINTER, [4096, 8192, 12288])})
    assert pack.put(1000, FLOAT, 1.0) == NOT_SUPPORTED
    assert pack.finalize() == SUCCESS
    assert pack.get(1000, INT64, 3)[0] == NOT_SUPPORTED


def test_pointwise_numbers_may_be_floats_and_are_not_read_back(sim: Simulator) -> None:
    pointwise = Node(sim, POINTWISE, {3: (FLOAT, [0.5])})
    assert pointwise.finalize() == SUCCESS
    assert pointwise.get(3, DOUBLE)[0] == NOT_SUPPORTED


def test_an_unknown_kind_is_refused_before_a_null_pointer(sim: Simulator) -> None:
    assert sim.dnn.cudnnBackendCreateDescriptor(99, None) == HOST_ALLOCATION


def test_an_operation_takes_one_descriptor_a_role(sim: Simulator) -> None:
    tensor, operation = Node(sim, TENSOR, LAYOUT), Node(sim, FORWARD)
    assert operation.put(704, DESCRIPTOR, tensor.pointer.value, tensor.pointer.value) == NOT_SUPPORTED
    assert operation.put(704, DESCRIPTOR) == BAD_PARAM


@pytest.mark.parametrize(("rows", "status"), [(5, BAD_PARAM), (4, SUCCESS)])
def test_uneven_paddings_count_for_the_output(sim: Simulator, rows: int, status: int) -> None:
    def tensor(*dims: int) -> Node:
        _, c, h, w = dims
        made = Node(sim, TENSOR, LAYOUT | {902: (INT64, dims), 903: (INT64, [c * h * w, h * w, w, 1])})
        assert made.finalize() == SUCCESS
        return made

    parts = {704: tensor(2, 4, 5, 5), 703: tensor(8, 4, 3, 3), 705: tensor(2, 8, rows, rows)}
    parts[702] = Node(sim, CONVOLUTION, STEPS | {105: (INT64, [1, 1])})
    assert parts[702].finalize() == SUCCESS
    operation = Node(sim, FORWARD, {name: (DESCRIPTOR, [node.pointer.value]) for name, node in parts.items()})
    assert operation.finalize() == status
