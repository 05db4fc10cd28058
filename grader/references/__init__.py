"""Float64 NumPy operations that exercises' reference.py files share: what cuDNN defines, written for clearness.

Arrays are laid out as NCHW unless a function says otherwise; `layout` converts.
"""

from grader.references.activation import ACTIVATIONS, activation_backward, activation_forward, softmax
from grader.references.convolution import (
    convolution_backward_bias,
    convolution_backward_data,
    convolution_backward_filter,
    convolution_forward,
)
from grader.references.layout import nchw_to_nhwc, nhwc_to_nchw
from grader.references.normalization import (
    batch_norm_backward,
    batch_norm_inference,
    batch_norm_training,
    layer_norm,
)
from grader.references.pooling import pooling_backward, pooling_forward
from grader.references.recurrent import gru, lstm, rnn

__all__ = [
    "ACTIVATIONS",
    "activation_backward",
    "activation_forward",
    "batch_norm_backward",
    "batch_norm_inference",
    "batch_norm_training",
    "convolution_backward_bias",
    "convolution_backward_data",
    "convolution_backward_filter",
    "convolution_forward",
    "gru",
    "layer_norm",
    "lstm",
    "nchw_to_nhwc",
    "nhwc_to_nchw",
    "pooling_backward",
    "pooling_forward",
    "rnn",
    "softmax",
]
