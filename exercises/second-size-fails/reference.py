"""The same filter over two images."""

from grader.references import convolution_forward


def reference(inputs, parameters):
    return {f"y{i}": convolution_forward(inputs[f"x{i}"], inputs["w"], padding=(1, 1)) for i in (1, 2)}
