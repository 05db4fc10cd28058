"""The convolution in float64, and the math type that the switch asks for: 0 is DEFAULT_MATH, 3 is FMA_MATH."""

import numpy as np

from grader.references import convolution_forward


def reference(inputs, parameters):
    padding, stride = (parameters["pad"],) * 2, (parameters["stride"],) * 2
    y = convolution_forward(inputs["x"], inputs["w"], padding=padding, stride=stride)
    return {"y": y, "math_type": np.array([0.0 if parameters["tf32"] else 3.0])}
