"""Batch and layer normalization. Variances are those of the population; only the running variance is unbiased."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mode = Literal["spatial", "per_activation"]


@dataclass(frozen=True, slots=True)
class BatchNormTraining:
    """What training gives. saved_inverse: 1/√(variance + epsilon), which cuDNN calls the saved inverse variance."""

    y: Floats
    running_mean: Floats
    running_variance: Floats
    saved_mean: Floats
    saved_inverse: Floats


def _axes(x: Floats, mode: Mode) -> tuple[int, ...]:
    return (0, *range(2, x.ndim)) if mode == "spatial" else (0,)


def batch_norm_inference(
    x: Floats, scale: Floats, bias: Floats, mean: Floats, variance: Floats, epsilon: float = 1e-5
) -> Floats:
    """scale, bias, mean, variance: [1, C, 1, 1] (spatial) or [1, C, H, W] (per activation)."""
    return scale * (x - mean) / np.sqrt(variance + epsilon) + bias


def batch_norm_training(
    x: Floats,
    scale: Floats,
    bias: Floats,
    running_mean: Floats,
    running_variance: Floats,
    *,
    factor: float = 0.1,
    epsilon: float = 1e-5,
    mode: Mode = "spatial",
) -> BatchNormTraining:
    """factor: weight of this batch in the running values (cuDNN's exponentialAverageFactor)."""
    axes = _axes(x, mode)
    count = x.size // scale.size
    mean, variance = x.mean(axis=axes, keepdims=True), x.var(axis=axes, keepdims=True)
    inverse = 1.0 / np.sqrt(variance + epsilon)
    unbiased = variance * (count / (count - 1) if count > 1 else 1.0)
    return BatchNormTraining(
        scale * (x - mean) * inverse + bias,
        running_mean * (1 - factor) + mean * factor,
        running_variance * (1 - factor) + unbiased * factor,
        mean,
        inverse,
    )


def batch_norm_backward(
    x: Floats, dy: Floats, scale: Floats, *, epsilon: float = 1e-5, mode: Mode = "spatial"
) -> tuple[Floats, Floats, Floats]:
    """(dx, dscale, dbias) of training-mode batch normalization."""
    axes = _axes(x, mode)
    inverse = 1.0 / np.sqrt(x.var(axis=axes, keepdims=True) + epsilon)
    normal = (x - x.mean(axis=axes, keepdims=True)) * inverse
    dscale = (dy * normal).sum(axis=axes, keepdims=True)
    dbias = dy.sum(axis=axes, keepdims=True)
    count = x.size // scale.size
    dx = scale * inverse * (dy - dbias / count - normal * dscale / count)
    return dx, dscale, dbias


def layer_norm(x: Floats, scale: Floats, bias: Floats, *, axes: int = 1, epsilon: float = 1e-5) -> Floats:
    """Normalizes over the last `axes` axes, as torch.nn.LayerNorm does."""
    last = tuple(range(x.ndim - axes, x.ndim))
    centred = x - x.mean(axis=last, keepdims=True)
    y: Floats = scale * centred / np.sqrt(x.var(axis=last, keepdims=True) + epsilon) + bias
    return y
