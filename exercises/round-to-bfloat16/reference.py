"""Rounds to nearest, ties to even, by searching the two neighbours in exact arithmetic."""

import math

import numpy as np


def to_bits(value):
    sign, size = (0x8000 if math.copysign(1.0, value) < 0 else 0), abs(value)
    if size == 0:
        return sign
    exponent = max(math.frexp(size)[1] - 1, -126)
    steps = round(math.ldexp(size, 7 - exponent))  # Python rounds ties to even
    return sign + ((exponent + 126) << 7) + steps


def reference(inputs, parameters):
    return {"bits": np.array([float(to_bits(float(value))) for value in inputs["values"]])}


def mistakes(inputs, parameters):
    bits = inputs["values"].astype(np.float32).view(np.uint32).astype(np.int64)
    return {"cut_off": {"bits": (bits >> 16) + 0.0}, "ties_away": {"bits": ((bits + 0x8000) >> 16) + 0.0}}
