"""max(y + bias, 0) in float64, one bias for each channel."""

from grader.references import activation_forward


def reference(inputs, parameters):
    return {"y": activation_forward(inputs["y"] + inputs["bias"].reshape(1, -1, 1, 1), "relu")}
