"""Arrays: creation, views, arithmetic, types."""

import copy
import pickle
from typing import Any

import numpy as np

from tests.native.cupy_tools import check, raises, same, sample


@check
def creation_functions(cp: Any) -> None:
    same(cp.zeros((2, 3)), np.zeros((2, 3)))
    same(cp.ones(4, dtype=cp.float16), np.ones(4, np.float16))
    same(cp.full((2, 2), 7, dtype=np.int32), np.full((2, 2), 7, np.int32))
    same(cp.full(3, np.nan, dtype=np.float32), np.full(3, np.nan, np.float32))
    same(cp.arange(2, 9, 2), np.arange(2, 9, 2))
    same(cp.arange(3, dtype=np.float32), np.arange(3, dtype=np.float32))
    same(cp.linspace(0, 1, 5), np.linspace(0, 1, 5))
    same(cp.eye(3), np.eye(3))
    assert cp.empty((2, 3), dtype=np.float64).nbytes == 48


@check
def like_functions(cp: Any) -> None:
    a = cp.asarray(sample(2, 3))
    same(cp.zeros_like(a), np.zeros((2, 3), np.float32))
    same(cp.ones_like(a, dtype=np.int32), np.ones((2, 3), np.int32))
    same(cp.full_like(a, 2), np.full((2, 3), 2, np.float32))
    assert cp.empty_like(a).shape == (2, 3)


@check
def round_trip_of_every_type(cp: Any) -> None:
    for dtype in ("f2", "f4", "f8", "i1", "u1", "i2", "i4", "u4", "i8", "?", "c8"):
        host = sample(3, 4).astype(dtype)
        same(cp.asarray(host), host)
        np.testing.assert_array_equal(cp.asnumpy(cp.array(host)), host)


@check
def array_of_sequences_and_arrays(cp: Any) -> None:
    same(cp.array([[1, 2], [3, 4]]), np.array([[1, 2], [3, 4]]))
    same(cp.array([1, 2], dtype=np.float32), np.array([1, 2], np.float32))
    a = cp.asarray(sample(4))
    assert cp.asarray(a) is a
    b = cp.array(a)
    assert b.data.ptr != a.data.ptr
    same(cp.array([a, a]), np.array([sample(4), sample(4)]))
    same(cp.asarray(a, dtype=np.float64), sample(4).astype(np.float64))


@check
def description(cp: Any) -> None:
    a = cp.asarray(sample(2, 3, 4))
    assert (a.shape, a.ndim, a.size, a.itemsize, a.nbytes, a.strides) == ((2, 3, 4), 3, 24, 4, 96, (48, 16, 4))
    assert a.flags.c_contiguous
    assert not a.flags.f_contiguous
    assert a.T.flags.f_contiguous
    assert a.dtype == np.float32
    assert len(a) == 2
    assert isinstance(a, cp.ndarray)
    assert isinstance(a.data.ptr, int)
    assert a.data.mem.size >= 96


@check
def cuda_array_interface(cp: Any) -> None:
    a = cp.asarray(sample(2, 3))
    interface = a.__cuda_array_interface__
    assert interface["data"] == (a.data.ptr, False)
    assert (interface["shape"], interface["typestr"], interface["strides"]) == ((2, 3), "<f4", None)
    assert a.T.__cuda_array_interface__["strides"] == (4, 12)


@check
def implicit_conversion_is_refused(cp: Any) -> None:
    a = cp.asarray(sample(3))
    raises(TypeError, lambda: np.asarray(a))
    raises(TypeError, lambda: np.array(a))
    raises(TypeError, lambda: a + np.ones(3, np.float32))
    raises(TypeError, lambda: cp.add(a, np.ones(3, np.float32)))
    assert (a + np.float32(1)).dtype == np.float32


@check
def slices_are_views(cp: Any) -> None:
    host = sample(4, 5, 6)
    a = cp.asarray(host)
    for key in (np.s_[1], np.s_[1:3], np.s_[:, 2], np.s_[..., 1], np.s_[::2, ::-1, 1:4], np.s_[None, 1, :, None],
                np.s_[-1, -2], np.s_[0, 0, 0], np.s_[3:1], np.s_[:]):  # fmt: skip
        same(a[key], host[key])
    a[1:3, 2] = 9
    view = a[0]
    view[1, 1] = -4
    expected = host.copy()
    expected[1:3, 2] = 9
    expected[0, 1, 1] = -4
    same(a, expected)
    assert a[1].data.ptr == a.data.ptr + 5 * 6 * 4
    assert a[1].base is a


@check
def fancy_indexing(cp: Any) -> None:
    host = sample(5, 4)
    a = cp.asarray(host)
    same(a[cp.asarray([0, 2, 2])], host[[0, 2, 2]])
    same(a[[1, 3], [0, 2]], host[[1, 3], [0, 2]])
    same(a[a > 0], host[host > 0])
    same(a[np.array([4, 1])], host[[4, 1]])
    a[a < 0] = 0
    host[host < 0] = 0
    same(a, host)
    a[cp.asarray([0, 1])] = cp.ones(4, dtype=np.float32)
    host[[0, 1]] = 1
    same(a, host)


@check
def an_index_gives_an_array_and_not_a_number(cp: Any) -> None:
    element = cp.asarray(sample(3))[1]
    assert isinstance(element, cp.ndarray)
    assert element.shape == ()
    assert float(element) == sample(3)[1]
    assert int(cp.asarray([3])[0]) == 3
    raises(TypeError, lambda: len(element))
    raises(IndexError, lambda: cp.zeros(3)[3])


@check
def reshape_transpose_ravel(cp: Any) -> None:
    host = sample(2, 3, 4)
    a = cp.asarray(host)
    assert a.reshape(6, 4).data.ptr == a.data.ptr
    same(a.reshape(6, -1), host.reshape(6, -1))
    same(a.reshape((4, 6), order="F"), host.reshape((4, 6), order="F"))
    same(a.transpose(2, 0, 1), host.transpose(2, 0, 1))
    same(a.transpose((0, 2, 1)).reshape(-1), host.transpose(0, 2, 1).reshape(-1))
    same(a.T, host.T)
    same(a.swapaxes(0, 2), host.swapaxes(0, 2))
    same(a.ravel(), host.ravel())
    same(a.flatten(), host.flatten())
    same(a[:, :1].squeeze(), host[:, :1].squeeze())
    same(cp.moveaxis(a, 1, -1), np.moveaxis(host, 1, -1))
    same(cp.expand_dims(a, 0), np.expand_dims(host, 0))
    same(cp.broadcast_to(a[0, 0], (2, 4)), np.broadcast_to(host[0, 0], (2, 4)))
    raises(ValueError, lambda: a.reshape(5, 5))


@check
def nchw_to_nhwc(cp: Any) -> None:
    host = sample(2, 3, 4, 5)
    packed = cp.ascontiguousarray(cp.asarray(host).transpose(0, 2, 3, 1))
    assert packed.flags.c_contiguous
    same(packed, np.ascontiguousarray(host.transpose(0, 2, 3, 1)))


@check
def writing_to_a_transposed_view(cp: Any) -> None:
    host = np.zeros((3, 4), np.float32)
    a = cp.asarray(host)
    a.T[...] = cp.asarray(sample(4, 3))
    host.T[...] = sample(4, 3)
    same(a, host)
    a[::2, ::-2] += 1
    host[::2, ::-2] += 1
    same(a, host)


@check
def arithmetic(cp: Any) -> None:
    x, y = sample(3, 4), sample(4) + 10
    a, b = cp.asarray(x), cp.asarray(y)
    for function in (lambda p, q: p + q, lambda p, q: p - q, lambda p, q: q * p, lambda p, q: p / q,
                     lambda p, q: p // q, lambda p, q: p % q, lambda p, q: q**2, lambda p, q: 2 - p,
                     lambda p, q: 1 / q, lambda p, q: -p, lambda p, q: abs(p), lambda p, q: +p):  # fmt: skip
        same(function(a, b), function(x, y))
    same(a @ b, x @ y)
    same(a.dot(b), x.dot(y))


@check
def in_place_arithmetic(cp: Any) -> None:
    x = sample(3, 4)
    a = cp.asarray(x)
    address = a.data.ptr
    a += 1
    a *= cp.asarray(sample(4))
    a -= 0.5
    x += 1
    x *= sample(4)
    x -= 0.5
    same(a, x)
    assert a.data.ptr == address


@check
def comparison_and_logic(cp: Any) -> None:
    x, y = sample(6), np.zeros(6, np.float32)
    a, b = cp.asarray(x), cp.asarray(y)
    for function in (lambda p, q: p == q, lambda p, q: p != q, lambda p, q: p < q, lambda p, q: p >= q,
                     lambda p, q: (p > q) & (p < 2), lambda p, q: ~(p > q)):  # fmt: skip
        same(function(a, b), function(x, y))
    assert bool((a == a).all())
    raises(ValueError, lambda: bool(a == b))


@check
def integer_types_and_promotion(cp: Any) -> None:
    x = np.arange(6, dtype=np.int32)
    a = cp.asarray(x)
    same(a + 1, x + 1)
    same(a / 2, x / 2)
    same(a * 1.5, x * 1.5)
    same(a << 1, x << 1)
    same(cp.asarray(x.astype(np.int8)) + cp.asarray(x), x.astype(np.int8) + x)
    half = cp.ones(3, dtype=np.float16)
    assert (half + 1).dtype == np.float16
    assert (half + cp.ones(3, dtype=np.float32)).dtype == np.float32


@check
def reductions(cp: Any) -> None:
    x = sample(2, 3, 4)
    a = cp.asarray(x)
    for name in ("sum", "mean", "max", "min", "prod", "std", "var", "argmax", "argmin", "any", "all", "cumsum"):
        same(getattr(a, name)(), getattr(x, name)(), 1e-4)
        same(getattr(a, name)(axis=1), getattr(x, name)(axis=1), 1e-4)
        if name != "cumsum":
            assert getattr(cp, name)(a).shape == ()
    assert isinstance(cp.mean(np.ones(3)), np.floating)
    same(a.sum(axis=(0, 2), keepdims=True), x.sum(axis=(0, 2), keepdims=True))
    same(a.sum(dtype=np.float64), x.sum(dtype=np.float64))


@check
def elementwise_functions(cp: Any) -> None:
    x = np.abs(sample(3, 4)) + 0.1
    a = cp.asarray(x)
    for name in ("exp", "log", "sqrt", "tanh", "sin", "cos", "square", "floor", "ceil", "sign", "log1p", "reciprocal"):
        same(getattr(cp, name)(a), getattr(np, name)(x), 1e-4)
    same(cp.maximum(a, 1), np.maximum(x, 1))
    same(cp.where(a > 1, a, cp.zeros_like(a)), np.where(x > 1, x, np.zeros_like(x)))
    same(cp.clip(a, 0.5, 2), np.clip(x, 0.5, 2))
    same(cp.isnan(cp.asarray([1.0, np.nan])), np.isnan([1.0, np.nan]))
    same(cp.add(a, a, out=a), x + x)


@check
def numpy_functions_dispatch(cp: Any) -> None:
    x = sample(3, 4)
    a = cp.asarray(x)
    assert isinstance(np.exp(a), cp.ndarray)
    same(np.add(a, 1), x + 1)
    same(np.sum(a, axis=0), x.sum(axis=0))


@check
def joining_and_splitting(cp: Any) -> None:
    x, y = sample(2, 3), sample(2, 3) + 1
    a, b = cp.asarray(x), cp.asarray(y)
    same(cp.concatenate([a, b]), np.concatenate([x, y]))
    same(cp.stack([a, b], axis=1), np.stack([x, y], axis=1))
    same(cp.vstack((a, b)), np.vstack((x, y)))
    same(cp.pad(a, 1), np.pad(x, 1))
    same(cp.tile(a, (2, 1)), np.tile(x, (2, 1)))
    same(cp.split(a, 3, axis=1)[1], np.split(x, 3, axis=1)[1])
    same(cp.flip(a, 1), np.flip(x, 1))
    same(cp.einsum("ij,ij->i", a, b), np.einsum("ij,ij->i", x, y))
    same(cp.sort(a, axis=1), np.sort(x, axis=1))
    same(cp.tensordot(a, b, ([1], [1])), np.tensordot(x, y, ([1], [1])))


@check
def conversion(cp: Any) -> None:
    x = sample(3, 4)
    a = cp.asarray(x)
    same(a.astype(np.float16), x.astype(np.float16))
    same(a.astype(np.int32), x.astype(np.int32))
    assert a.astype(np.float32, copy=False) is a
    assert a.astype(np.float32).data.ptr != a.data.ptr
    assert a.tolist() == x.tolist()
    assert a[0, 0].item() == x[0, 0]
    assert a.tobytes() == x.tobytes()
    same(a.view(np.int32), x.view(np.int32))
    f = cp.asfortranarray(a)
    assert f.flags.f_contiguous
    same(f, x)


@check
def copies(cp: Any) -> None:
    a = cp.asarray(sample(3))
    for duplicate in (a.copy(), cp.copy(a), copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a))):
        assert duplicate.data.ptr != a.data.ptr
        same(duplicate, sample(3))


@check
def get_and_set(cp: Any) -> None:
    a = cp.zeros((2, 3), dtype=np.float32)
    a.set(sample(2, 3))
    out = np.empty((2, 3), np.float32)
    assert a.get(out=out) is out
    np.testing.assert_array_equal(out, sample(2, 3))
    assert a.get(order="F").flags.f_contiguous
    raises(TypeError, lambda: a.set(sample(2, 3).astype(np.float64)))
    raises(ValueError, lambda: a.set(sample(3, 2)))
    raises(TypeError, lambda: a.set([1, 2, 3]))


@check
def fill_and_assignment(cp: Any) -> None:
    a = cp.empty((2, 3), dtype=np.float32)
    a.fill(3)
    same(a, np.full((2, 3), 3, np.float32))
    a[...] = cp.asarray(sample(3))
    same(a, np.broadcast_to(sample(3), (2, 3)))
    raises(ValueError, lambda: a.__setitem__(..., np.ones((2, 3), np.float32)))
    a[0] = np.array(4.0)
    same(a[0], np.full(3, 4, np.float32))
    cp.copyto(a, cp.ones(3, dtype=np.float32))
    same(a, np.ones((2, 3), np.float32))


@check
def empty_arrays(cp: Any) -> None:
    a = cp.zeros((0, 3), dtype=np.float32)
    same(a, np.zeros((0, 3), np.float32))
    same(a.sum(axis=0), np.zeros(3, np.float32))
    same(a.reshape(3, 0), np.zeros((3, 0), np.float32))
    raises(ValueError, lambda: cp.zeros((-1,)))


@check
def truth_and_text(cp: Any) -> None:
    a = cp.asarray([1.5, 2.5])
    assert str(a) == str(np.array([1.5, 2.5]))
    assert repr(a) == repr(np.array([1.5, 2.5]))
    assert f"{cp.asarray(2.5):.2f}" == "2.50"
    assert bool(cp.asarray([True]))
    raises(TypeError, lambda: hash(a))
