import libcudnn as cudnn

MOST = 65535  # images that one call takes


def normalise(handle, x, scale, bias, mean, variance, y, N, C, H, W):
    """Batch normalization at inference over any number of images."""
    desc, channels = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(channels, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, C, 1, 1)

    for done in range(0, N, MOST):
        images = min(MOST, N - done)
        cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, images, C, H, W)
        cudnn.cudnnBatchNormalizationForwardInference(handle, cudnn.CUDNN_BATCHNORM_SPATIAL, 1.0, 0.0,
                                                      desc, x[done:], desc, y[done:],
                                                      channels, scale, bias, mean, variance, 1e-5)

    cudnn.cudnnDestroyTensorDescriptor(channels)
    cudnn.cudnnDestroyTensorDescriptor(desc)
