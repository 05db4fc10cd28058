"""Strides of the four descriptions, worked out by hand."""

import numpy as np


def reference(inputs, parameters):
    n, c, h, w = (int(parameters[name]) for name in "NCHW")
    pitch = -(-w // 8) * 8
    rows = [
        [c * h * w, h * w, w, 1],
        [h * w * c, 1, w * c, c],
        [c * h * pitch, h * pitch, pitch, 1],
        [c * h * w, h * w, w, 2],
    ]
    return {"strides": np.array(rows, dtype=np.float64)}
