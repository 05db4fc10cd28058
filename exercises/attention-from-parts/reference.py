"""Scaled dot-product attention in float64, and what the commonest mistakes would give."""

import numpy as np


def _attention(inputs, factor, axes=(-1,)):
    scores = inputs["q"] @ inputs["k"].transpose(0, 2, 1) * factor
    weights = np.exp(scores - scores.max(axis=axes, keepdims=True))
    return weights / weights.sum(axis=axes, keepdims=True) @ inputs["v"]


def reference(inputs, parameters):
    return {"o": _attention(inputs, parameters["D"] ** -0.5)}
