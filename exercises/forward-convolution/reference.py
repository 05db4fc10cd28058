"""The convolution in float64, and what the commonest mistakes would give."""

from grader.references import convolution_forward


def _options(parameters):
    pairs = {"padding": "pad", "stride": "stride", "dilation": "dilation"}
    options = {key: (parameters[f"{name}_h"], parameters[f"{name}_w"]) for key, name in pairs.items()}
    return options | {"groups": parameters["groups"]}


def reference(inputs, parameters):
    return {"y": convolution_forward(inputs["x"], inputs["w"], **_options(parameters))}


def mistakes(inputs, parameters):
    flipped = convolution_forward(inputs["x"], inputs["w"], flip=True, **_options(parameters))
    return {"flipped_filter": {"y": flipped}}
