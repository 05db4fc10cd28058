"""The step in float64."""

from grader.references import batch_norm_training


def reference(inputs, parameters):
    names = ("scale", "bias", "running_mean", "running_variance")
    shaped = (inputs[name].reshape(1, -1, 1, 1) for name in names)
    step = batch_norm_training(inputs["x"], *shaped, factor=1 - parameters["keep"], epsilon=1e-5)
    return {
        "y": step.y,
        "running_mean": step.running_mean.reshape(-1),
        "running_variance": step.running_variance.reshape(-1),
    }
