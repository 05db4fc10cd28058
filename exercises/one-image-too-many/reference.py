"""Each channel with its own statistics."""

from grader.references import batch_norm_inference


def reference(inputs, parameters):
    names = ("scale", "bias", "mean", "variance")
    scale, bias, mean, variance = (inputs[name].reshape(1, -1, 1, 1) for name in names)
    return {"y": batch_norm_inference(inputs["x"], scale, bias, mean, variance, 1e-5)}
