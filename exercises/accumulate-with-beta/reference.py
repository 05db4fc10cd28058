"""alpha * convolution + beta * y in float64."""

from grader.references import convolution_forward


def reference(inputs, parameters):
    result = convolution_forward(inputs["x"], inputs["w"], padding=(parameters["pad"],) * 2)
    return {"y": parameters["alpha"] * result + parameters["beta"] * inputs["y"]}
