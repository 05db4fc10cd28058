"""Softmax over the channels."""

from grader.references import softmax


def reference(inputs, parameters):
    return {"y": softmax(inputs["x"])}
