"""Activation functions and softmax as cuDNN defines them."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def _sigmoid(x: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return 1.0 / (1.0 + np.exp(-x))


def _relu(x: Floats, _: float) -> Floats:
    return np.where(np.isnan(x), x, np.maximum(x, 0.0))


def _clipped(x: Floats, ceiling: float) -> Floats:
    return np.minimum(np.maximum(x, 0.0), ceiling)


def _elu(x: Floats, alpha: float) -> Floats:
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0.0)))


def _swish(x: Floats, beta: float) -> Floats:
    return x * _sigmoid(beta * x)


ACTIVATIONS: dict[str, Callable[[Floats, float], Floats]] = {
    "sigmoid": lambda x, _: _sigmoid(x),
    "relu": _relu,
    "tanh": lambda x, _: np.tanh(x),
    "clipped_relu": _clipped,
    "elu": _elu,
    "identity": lambda x, _: x,
    "swish": _swish,
}
"""Name of the mode (CUDNN_ACTIVATION_…, lower case) → function of (x, coefficient)."""


def activation_forward(x: Floats, mode: str, coefficient: float = 1.0) -> Floats:
    """coefficient: ceiling of clipped_relu, alpha of elu, beta of swish. Raises KeyError for an unknown mode."""
    return ACTIVATIONS[mode](x, coefficient)


def activation_backward(x: Floats, dy: Floats, mode: str, coefficient: float = 1.0) -> Floats:
    """Gradient with respect to x, of the same shape. KeyError: no such mode."""
    return dy * _slope(x, mode, coefficient)


def _slope(x: Floats, mode: str, coefficient: float) -> Floats:
    if mode == "sigmoid":
        return _sigmoid(x) * (1.0 - _sigmoid(x))
    if mode == "tanh":
        return 1.0 - np.tanh(x) ** 2
    if mode == "elu":
        return np.where(x > 0, 1.0, coefficient * np.exp(np.minimum(x, 0.0)))
    if mode == "swish":
        gate = _sigmoid(coefficient * x)
        return gate + coefficient * x * gate * (1.0 - gate)
    slopes = {"relu": x > 0, "clipped_relu": (x > 0) & (x < coefficient), "identity": np.ones_like(x)}
    return slopes[mode].astype(np.float64)


def softmax(x: Floats, mode: Literal["channel", "instance"] = "channel", *, log: bool = False) -> Floats:
    """channel: over C for each n, h, w. instance: over C, H and W for each n. log: its logarithm."""
    axes = (1,) if mode == "channel" else tuple(range(1, x.ndim))
    shifted = x - x.max(axis=axes, keepdims=True)
    total = np.log(np.exp(shifted).sum(axis=axes, keepdims=True))
    logarithm: Floats = shifted - total
    return logarithm if log else np.exp(logarithm)
