"""The convolution in float64 between NHWC arrays; in NHWC only IMPLICIT_PRECOMP_GEMM (1) has TENSOR_OP_MATH (1)."""

import numpy as np

from grader.references import convolution_forward


def reference(inputs, parameters):
    x, w = inputs["x"].transpose(0, 3, 1, 2), inputs["w"].transpose(0, 3, 1, 2)
    y = convolution_forward(x, w, padding=(parameters["pad"], parameters["pad"]))
    return {"y": y.transpose(0, 2, 3, 1), "used": np.array([1.0, 1.0])}
