"""Pooling in float64."""

from grader.references import pooling_forward

MODES = {
    "CUDNN_POOLING_MAX": "max",
    "CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING": "average_include_padding",
    "CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING": "average_exclude_padding",
}


def reference(inputs, parameters):
    window, padding, stride = (
        (parameters[f"{name}_h"], parameters[f"{name}_w"]) for name in ("window", "pad", "stride")
    )
    mode = MODES[str(parameters["mode"])]
    return {"y": pooling_forward(inputs["x"], window, padding=padding, stride=stride, mode=mode)}
