"""Softmax over a whole image and over the channels of each position, in float64."""

from grader.references import softmax


def reference(inputs, parameters):
    return {"per_image": softmax(inputs["x"], "instance"), "per_position": softmax(inputs["x"], "channel")}
