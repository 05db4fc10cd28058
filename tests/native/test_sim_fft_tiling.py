"""FFT_TILING in double: what the workspace query answered on an H200 (runs of 2 and 3 December 2026)."""

import ctypes

import numpy as np
import pytest

from tests.native.simulator import (
    CROSS_CORRELATION,
    NCHW,
    NOT_SUPPORTED,
    SUCCESS,
    Simulator,
    packed_strides,
    pointer_to,
)

DOUBLE, TILING, GRADIENT_TILING = 1, 5, 3
PLAIN = (0, 1, 1, 1)
"""Padding, stride, dilation and groups."""
# dims (n, c, h, w, k, r, s), the rest → status
RECORDED = [
    ((2, 1, 7, 4, 2, 1, 1), PLAIN, SUCCESS),
    ((2, 2, 23, 20, 2, 1, 1), PLAIN, SUCCESS),
    ((1, 8, 10, 7, 4, 2, 1), PLAIN, SUCCESS),
    ((2, 1, 4, 4, 2, 3, 1), PLAIN, SUCCESS),
    ((2, 16, 7, 7, 1, 2, 1), PLAIN, SUCCESS),
    ((4, 2, 12, 9, 4, 1, 1), PLAIN, SUCCESS),
    ((4, 2, 7, 4, 2, 3, 1), (0, 1, 1, 2), SUCCESS),
    ((2, 16, 23, 20, 4, 2, 2), PLAIN, NOT_SUPPORTED),
    ((2, 3, 7, 7, 4, 1, 1), (1, 1, 1, 1), NOT_SUPPORTED),
    ((4, 8, 19, 16, 2, 1, 1), (2, 1, 1, 1), NOT_SUPPORTED),
    ((2, 3, 23, 20, 2, 3, 1), (2, 1, 1, 1), NOT_SUPPORTED),
    ((4, 2, 12, 9, 2, 1, 1), (0, 2, 1, 1), NOT_SUPPORTED),
    ((4, 16, 16, 16, 1, 3, 1), (0, 2, 1, 1), NOT_SUPPORTED),
    ((2, 16, 12, 9, 8, 2, 1), (0, 1, 2, 2), NOT_SUPPORTED),
]


@pytest.fixture(scope="module")
def sim(native_build: object) -> Simulator:
    return Simulator()


class Columns:
    """The descriptors of one convolution of doubles."""

    def __init__(
        self, sim: Simulator, dims: tuple[int, ...], pad: int, stride: int, dilation: int, groups: int
    ) -> None:
        n, c, h, w, k, r, s = dims
        sizes = [(size + 2 * pad - dilation * (window - 1) - 1) // stride + 1 for size, window in ((h, r), (w, s))]
        self.x_dims, self.y_dims = [n, c, h, w], [n, k, *sizes]
        self.x = sim.tensor(DOUBLE, self.x_dims, packed_strides(self.x_dims, NCHW))
        self.y = sim.tensor(DOUBLE, self.y_dims, packed_strides(self.y_dims, NCHW))
        self.w, self.conv = sim.filter(DOUBLE, NCHW, [k, c // groups, r, s]), sim.create("Convolution")
        numbers = (pad, pad, stride, stride, dilation, dilation, CROSS_CORRELATION, DOUBLE)
        sim.must(sim.dnn.cudnnSetConvolution2dDescriptor(self.conv, *numbers))
        sim.must(sim.dnn.cudnnSetConvolutionGroupCount(self.conv, groups))


@pytest.mark.parametrize(("dims", "rest", "status"), RECORDED)
def test_columns_of_doubles_are_tiled_without_padding_or_steps(
    sim: Simulator, dims: tuple[int, ...], rest: tuple[int, int, int, int], status: int
) -> None:
    problem, size = Columns(sim, dims, *rest), ctypes.c_size_t()
    given = (problem.x, problem.w, problem.conv, problem.y, TILING, ctypes.byref(size))
    assert sim.dnn.cudnnGetConvolutionForwardWorkspaceSize(sim.handle, *given) == status


def test_a_tiled_convolution_of_doubles_runs_in_the_workspace_that_it_asks_for(sim: Simulator) -> None:
    problem, size = Columns(sim, (1, 8, 10, 7, 4, 2, 1), *PLAIN), ctypes.c_size_t()
    rng = np.random.default_rng(1)
    x, w = rng.standard_normal(problem.x_dims), rng.standard_normal((4, 8, 2, 1))
    given = (problem.x, problem.w, problem.conv, problem.y, TILING, ctypes.byref(size))
    sim.must(sim.dnn.cudnnGetConvolutionForwardWorkspaceSize(sim.handle, *given))
    one, zero, y = np.array([1.0]), np.array([0.0]), sim.to_device(np.zeros(problem.y_dims))
    memory = [sim.to_device(x), sim.to_device(w), sim.malloc(max(size.value, 1))]
    inputs = (problem.x, memory[0], problem.w, memory[1], problem.conv, TILING, memory[2], size)
    sim.must(sim.dnn.cudnnConvolutionForward(sim.handle, pointer_to(one), *inputs, pointer_to(zero), problem.y, y))
    rows = [np.einsum("nchw,kc->nkhw", x[:, :, row : row + 9], w[:, :, row, 0]) for row in range(2)]
    np.testing.assert_allclose(sim.to_host(y, np.zeros(problem.y_dims)), rows[0] + rows[1], rtol=1e-12, atol=1e-12)
    sim.free(*memory, y)


@pytest.mark.parametrize(
    ("dims", "status"), [((1, 2, 10, 7, 2, 2, 1), NOT_SUPPORTED), ((1, 1, 4, 4, 1, 1, 1), SUCCESS)]
)
def test_gradients_of_doubles_are_tiled_under_windows_of_one_tap(
    sim: Simulator, dims: tuple[int, ...], status: int
) -> None:
    problem, size = Columns(sim, dims, *PLAIN), ctypes.c_size_t()
    given = (problem.w, problem.y, problem.conv, problem.x, GRADIENT_TILING, ctypes.byref(size))
    assert sim.dnn.cudnnGetConvolutionBackwardDataWorkspaceSize(sim.handle, *given) == status
