import libcudnn as cudnn


def many_sizes(handle, x, w, side, y, L, C, K):
    """One layer for L square images of changing sides, one behind the other in memory."""
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, C, 3, 3)
    cudnn.cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)

    # Image i has side[i] × side[i] pixels and C channels; its result has K channels.
    # Sizes come again and again: what is worth remembering?

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
