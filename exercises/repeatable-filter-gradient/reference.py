"""The gradient of the filter in float64."""

from grader.references import convolution_backward_filter


def reference(inputs, parameters):
    pad, stride = parameters["pad"], parameters["stride"]
    window = (parameters["R"], parameters["S"])
    shape = (parameters["K"], parameters["C"], *window)
    return {"dw": convolution_backward_filter(inputs["x"], inputs["dy"], shape, padding=(pad, pad), stride=(stride, stride))}
