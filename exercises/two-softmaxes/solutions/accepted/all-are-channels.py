import libcudnn as cudnn


def two_softmaxes(handle, x, per_image, per_position, N, C, H, W):
    # An image whose numbers all count as channels of one position: the softmax over channels is that over the image.
    for dims, y in (((N, C * H * W, 1, 1), per_image), ((N, C, H, W), per_position)):
        desc = cudnn.cudnnCreateTensorDescriptor()
        try:
            cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, *dims)
            cudnn.cudnnSoftmaxForward(handle, cudnn.CUDNN_SOFTMAX_ACCURATE, cudnn.CUDNN_SOFTMAX_MODE_CHANNEL,
                                      1.0, desc, x, 0.0, desc, y)
        finally:
            cudnn.cudnnDestroyTensorDescriptor(desc)
