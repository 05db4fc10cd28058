"""relu(conv(x, w) + bias) in float64, printed as the program should."""

import numpy as np

from grader.references import activation_forward, convolution_forward


def expected_stdout(parameters):
    b = parameters["b"]
    x = np.arange(-4.0, 5.0).reshape(1, 1, 3, 3)
    w = np.array([1.0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, -1]).reshape(3, 1, 2, 2)
    bias = np.array([b, 0.0, 2 * b]).reshape(1, 3, 1, 1)
    y = activation_forward(convolution_forward(x, w) + bias, "relu")
    return "\n".join(" ".join(f"{value:g}" for value in channel.ravel()) for channel in y[0]) + "\n"
