"""The cross-correlation without padding, in float64."""

from grader.references import convolution_forward


def reference(inputs, parameters):
    stride = (parameters["stride"],) * 2
    return {"y": convolution_forward(inputs["x"][None], inputs["w"], stride=stride)[0]}
