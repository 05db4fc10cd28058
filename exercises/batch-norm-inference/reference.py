"""Batch normalisation with given statistics, in float64."""

from grader.references import batch_norm_inference


def reference(inputs, parameters):
    values = (inputs[name].reshape(1, -1, 1, 1) for name in ("scale", "bias", "mean", "variance"))
    return {"y": batch_norm_inference(inputs["x"], *values, epsilon=parameters["epsilon"])}
