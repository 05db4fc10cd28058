"""The convolution in float64."""

from grader.references import convolution_forward


def reference(inputs, parameters):
    pad = parameters["pad"]
    return {"y": convolution_forward(inputs["x"], inputs["w"], padding=(pad, pad))}


def mistakes(inputs, parameters):
    pad = parameters["pad"]
    return {"flipped_filter": {"y": convolution_forward(inputs["x"], inputs["w"], padding=(pad, pad), flip=True)}}
