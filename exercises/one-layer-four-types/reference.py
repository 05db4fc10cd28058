"""The convolution in float64, of inputs that were rounded to each type."""

import numpy as np

from grader.references import convolution_forward


def reference(inputs, parameters):
    padding = (parameters["pad"], parameters["pad"])
    return {f"y{kind}": convolution_forward(inputs[f"x{kind}"], inputs[f"w{kind}"], padding=padding)
            for kind in ("64", "32", "16", "b")}


def _as_half(values):
    """The bits of bfloat16 numbers, read as half."""
    upper = values.astype(np.float32).view(np.uint32) >> 16
    return upper.astype(np.uint16).view(np.float16).astype(np.float64)


def mistakes(inputs, parameters):
    padding = (parameters["pad"], parameters["pad"])
    halves = convolution_forward(_as_half(inputs["xb"]), _as_half(inputs["wb"]), padding=padding).astype(np.float16)
    bits = halves.view(np.uint16).astype(np.uint32) << 16
    return {"bfloat16_as_half": {"yb": bits.view(np.float32).astype(np.float64)}}
