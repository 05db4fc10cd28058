"""The convolution in float64, with filters that lie as R, S, C, K."""

from grader.references import convolution_forward


def reference(inputs, parameters):
    pad = parameters["pad"]
    return {"y": convolution_forward(inputs["x"], inputs["w"].transpose(3, 2, 0, 1), padding=(pad, pad))}
