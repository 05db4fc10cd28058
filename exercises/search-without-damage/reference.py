"""What y held, plus the convolution."""

from grader.references import convolution_forward


def reference(inputs, parameters):
    padding = (parameters["pad"], parameters["pad"])
    return {"y": inputs["y"] + convolution_forward(inputs["x"], inputs["w"], padding=padding)}
