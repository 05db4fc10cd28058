"""Averages over what lies inside the image."""

from grader.references import pooling_forward


def reference(inputs, parameters):
    return {"y": pooling_forward(inputs["x"], (3, 3), padding=(1, 1), stride=(1, 1), mode="average_exclude_padding")}
