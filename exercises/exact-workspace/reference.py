"""The convolution in float64; the algorithm does not change it."""

from grader.references import convolution_forward


def reference(inputs, parameters):
    return {"y": convolution_forward(inputs["x"], inputs["w"], padding=(parameters["pad"],) * 2)}
