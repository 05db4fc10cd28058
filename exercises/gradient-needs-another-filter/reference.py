"""The gradient in float64."""

from grader.references import convolution_backward_data


def reference(inputs, parameters):
    pad, names = parameters["pad"], ("N", "C", "H", "W")
    shape = tuple(parameters[name] for name in names)
    return {"dx": convolution_backward_data(inputs["dy"], inputs["w"], shape, padding=(pad, pad))}
