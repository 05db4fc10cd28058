"""factor * y in float64."""


def reference(inputs, parameters):
    return {"y": parameters["factor"] * inputs["y"]}
