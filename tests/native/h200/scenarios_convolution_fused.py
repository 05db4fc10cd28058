"""ConvolutionBiasActivationForward."""

import ctypes
import itertools
from dataclasses import replace

from tests.native.h200.scenarios_convolution import BASE, CONFIGS, Config, Problem
from tests.native.h200.session import FLOAT, HALF, INT8, INT32, NAMES, NHWC, Session, count_of


def bias_activation(s: Session) -> None:
    for mode, algo in itertools.product(range(7), range(8)):
        run_bias_activation(s, f"mode {mode} algo {algo}", BASE, mode, algo, 1, 0.5)
    for name in (
        "5x5",
        "3x3 s2",
        "dilation",
        "groups",
        "flipped",
        "nhwc",
        "f16",
        "f16 nhwc",
        "f16 compute f16",
        "bf16",
        "bf16 nhwc",
        "f64",
        "int8",
        "3d",
        "1d",
        "y nhwc",
        "x nchw w nhwc",
        "f64 compute f32",
    ):
        for mode, algo in itertools.product((1, 5), range(2)):
            run_bias_activation(s, f"{name} mode {mode} algo {algo}", CONFIGS[name], mode, algo, 2, 0.5)
    int8 = CONFIGS["int8"]
    for ydtype, bias in itertools.product((INT8, FLOAT, INT32), (FLOAT, INT8, INT32)):
        for mode, algo in itertools.product((1, 5), range(2)):
            first = (s, f"int8 to {NAMES[ydtype]} bias {NAMES[bias]} mode {mode} algo {algo}")
            second = (replace(int8, ydtype=ydtype), mode, algo, 0.25, 0, bias)
            run_bias_activation(*first, *second)
    run_bias_activation(s, "half bias float", CONFIGS["f16"], 1, 1, 1, 0.5, FLOAT)
    run_bias_activation(s, "alpha1 0", BASE, 1, 1, 0, 1)
    run_bias_activation(s, "alpha2 0", BASE, 1, 1, 1, 0)
    run_bias_activation(s, "coef", BASE, 3, 1, 1, 1)
    bias_activation_edges(s)


def bias_activation_edges(s: Session) -> None:
    p, c = Problem(s, BASE), BASE
    x, w, y, b = (s.random_buffer(count_of(d)) for d in (c.x, c.w, c.y, (6,)))
    bd, act = s.tensor(FLOAT, (1, 6, 1, 1)), s.activation(1)
    good = [
        s.handle,
        s.scalar(1),
        p.x,
        x.address,
        p.w,
        w.address,
        p.conv,
        1,
        None,
        0,
        s.scalar(0),
        p.y,
        y.address,
        bd,
        b.address,
        act,
        p.y,
        y.address,
    ]
    for i in (0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15, 16, 17):
        s.call(
            f"null {i}", "cudnnConvolutionBiasActivationForward", *[None if i == j else v for j, v in enumerate(good)]
        )
    odd = {
        "bias dims": (13, s.tensor(FLOAT, (1, 5, 1, 1))),
        "bias 1111": (13, s.tensor(FLOAT, (1, 1, 1, 1))),
        "bias rank": (13, s.tensor(FLOAT, (1, 6, 1))),
        "bias full": (13, s.tensor(FLOAT, c.y)),
        "bias half": (13, s.tensor(HALF, (1, 6, 1, 1))),
        "z dims": (11, s.tensor(FLOAT, (2, 6, 8, 6))),
        "z layout": (11, s.tensor(FLOAT, c.y, NHWC)),
        "z half": (11, s.tensor(HALF, c.y)),
        "y dims": (16, s.tensor(FLOAT, (2, 6, 8, 6))),
        "fresh activation": (15, s.create("Activation")),
        "z broadcast": (11, s.tensor(FLOAT, (1, 6, 1, 1))),
    }
    for name, (place, desc) in odd.items():
        s.call(name, "cudnnConvolutionBiasActivationForward", *[desc if place == j else v for j, v in enumerate(good)])
    for algo in (4, 5, 7):
        need = s.size(f"size {algo}", "cudnnGetConvolutionForwardWorkspaceSize", s.handle, p.x, p.w, p.conv, p.y, algo)
        for given in (0, need - 1, need):
            s.call(
                f"algo {algo} given {given - need}",
                "cudnnConvolutionBiasActivationForward",
                *[algo if j == 7 else s.space(given) if j == 8 else given if j == 9 else v for j, v in enumerate(good)],
            )
    z = s.random_buffer(count_of(c.y))
    good[10], good[12], good[17] = s.scalar(0.5), z.address, z.address
    s.output("z is y", s.call("z is y", "cudnnConvolutionBiasActivationForward", *good), z)


def run_bias_activation(
    s: Session, key: str, c: Config, mode: int, algo: int, alpha1: float, alpha2: float, bias: int | None = None
) -> None:
    p = Problem(s, c)
    bias = bias if bias is not None else FLOAT if c.dtype == INT8 else c.dtype
    x, w = s.random_buffer(count_of(c.x), c.dtype), s.random_buffer(count_of(c.w), c.dtype)
    z, y, b = (
        s.random_buffer(count_of(c.y), p.ytype),
        s.random_buffer(count_of(c.y), p.ytype),
        s.random_buffer(c.k, bias),
    )
    size = ctypes.c_size_t()
    s.lib.cudnnGetConvolutionForwardWorkspaceSize(s.handle, p.x, p.w, p.conv, p.y, algo, ctypes.byref(size))
    rank = len(c.x)
    first = (s.handle, s.scalar(alpha1, c.dtype), p.x, x.address, p.w, w.address, p.conv, algo)
    second = (s.space(size.value), size.value, s.scalar(alpha2, c.dtype), p.y, z.address)
    third = (s.tensor(bias, (1, c.k, *[1] * (rank - 2))), b.address)
    fourth = (s.activation(mode, 0.5 if mode in (3, 4) else 0.0), p.y, y.address)
    status = s.call(key, "cudnnConvolutionBiasActivationForward", *first, *second, *third, *fourth)
    s.output(key, status, y)


SCENARIOS = [bias_activation]
