"""The gradients in float64, and those of the flipped filter."""

from grader.references import convolution_backward_bias, convolution_backward_data, convolution_backward_filter


def _gradients(inputs, parameters, flip):
    pad, stride = parameters["pad"], parameters["stride"]
    options = {"padding": (pad, pad), "stride": (stride, stride), "flip": flip}
    x, w, dy = inputs["x"], inputs["w"], inputs["dy"]
    return {
        "dx": convolution_backward_data(dy, w, x.shape, **options),
        "dw": convolution_backward_filter(x, dy, w.shape, **options),
        "db": convolution_backward_bias(dy).ravel(),
    }


def reference(inputs, parameters):
    return _gradients(inputs, parameters, False)


def mistakes(inputs, parameters):
    return {"flipped_filter": _gradients(inputs, parameters, True)}
