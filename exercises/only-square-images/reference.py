"""Pooling in float64, on NHWC data."""

from grader.references import nchw_to_nhwc, nhwc_to_nchw, pooling_forward


def reference(inputs, parameters):
    return {"y": nchw_to_nhwc(pooling_forward(nhwc_to_nchw(inputs["x"]), (2, 2)))}
