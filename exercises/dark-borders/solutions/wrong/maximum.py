# verdict: wrong_answer
# case: five-by-four
# why: padding does not darken a maximum, which is no average
import libcudnn as cudnn


def smooth(handle, x, y, N, C, H, W):
    """3×3 average with stride 1 over x (N×C×H×W). At the border only what lies inside the image is averaged."""
    desc, pooling = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreatePoolingDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnSetPooling2dDescriptor(pooling, cudnn.CUDNN_POOLING_MAX,
                                      cudnn.CUDNN_NOT_PROPAGATE_NAN, 3, 3, 1, 1, 1, 1)

    cudnn.cudnnPoolingForward(handle, pooling, 1.0, desc, x, 0.0, desc, y)

    cudnn.cudnnDestroyPoolingDescriptor(pooling)
    cudnn.cudnnDestroyTensorDescriptor(desc)
