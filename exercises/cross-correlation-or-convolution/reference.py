"""Both modes in float64."""

from grader.references import convolution_forward


def reference(inputs, parameters):
    x, w = inputs["x"], inputs["w"]
    return {"correlated": convolution_forward(x, w), "convolved": convolution_forward(x, w, flip=True)}


def mistakes(inputs, parameters):
    x, w = inputs["x"], inputs["w"]
    return {"flipped_filter": {"correlated": convolution_forward(x, w, flip=True), "convolved": convolution_forward(x, w)}}
