"""The batches do not touch one another, so that one large batch gives the same."""

from grader.references import convolution_forward


def reference(inputs, parameters):
    return {"y": convolution_forward(inputs["x"], inputs["w"], padding=(parameters["pad"], parameters["pad"]))}
