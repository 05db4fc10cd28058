import libcudnn as cudnn


def classify(handle, x, y, N, C, H, W):
    """Class probabilities of each pixel: softmax of x (N×C×H×W) over the C classes."""
    desc = cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)

    cudnn.cudnnSoftmaxForward(handle, cudnn.CUDNN_SOFTMAX_FAST, cudnn.CUDNN_SOFTMAX_MODE_CHANNEL,
                              1.0, desc, x, 0.0, desc, y)

    cudnn.cudnnDestroyTensorDescriptor(desc)
