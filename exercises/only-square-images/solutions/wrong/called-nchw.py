# verdict: wrong_answer
# case: square
# why: calls the data NCHW, while the channels lie innermost
import libcudnn as cudnn


def pool(handle, x, y, N, C, H, W):
    """2×2 max pooling of x (N×H×W×C in memory) to y (N×H/2×W/2×C in memory)."""
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    pooling = cudnn.cudnnCreatePoolingDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H // 2, W // 2)
    cudnn.cudnnSetPooling2dDescriptor(pooling, cudnn.CUDNN_POOLING_MAX, cudnn.CUDNN_NOT_PROPAGATE_NAN,
                                      2, 2, 0, 0, 2, 2)

    cudnn.cudnnPoolingForward(handle, pooling, 1.0, x_desc, x, 0.0, y_desc, y)

    cudnn.cudnnDestroyPoolingDescriptor(pooling)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
