"""The convolution in float64; the image comes in NCHW, filter and output are channels last."""

from grader.references import convolution_forward


def _layer(inputs, parameters, x):
    w = inputs["w"].transpose(0, 3, 1, 2)
    y = convolution_forward(x, w, padding=(parameters["pad"], parameters["pad"]))
    return {"y": y.transpose(0, 2, 3, 1)}


def reference(inputs, parameters):
    return _layer(inputs, parameters, inputs["x"])


def mistakes(inputs, parameters):
    n, c, h, w = inputs["x"].shape
    return {"label_only": _layer(inputs, parameters, inputs["x"].reshape(n, h, w, c).transpose(0, 3, 1, 2))}
