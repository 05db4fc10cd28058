"""The convolution in float64."""

from grader.references import convolution_forward


def reference(inputs, parameters):
    pad, stride, dilation = (parameters[name] for name in ("pad", "stride", "dilation"))
    y = convolution_forward(
        inputs["x"], inputs["w"], padding=(pad, pad), stride=(stride, stride), dilation=(dilation, dilation)
    )
    return {"y": y}
