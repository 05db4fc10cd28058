"""What y held, plus the convolution."""

from grader.references import convolution_forward


def reference(inputs, parameters):
    padding = (parameters["pad"], parameters["pad"])
    return {"y": inputs["y"] + convolution_forward(inputs["x"], inputs["w"], padding=padding)}


def mistakes(inputs, parameters):
    layer = reference(inputs | {"y": 0.0}, parameters)["y"]
    return {"not_added": {"y": layer}, "added_to_search": {"y": 2 * layer}}
