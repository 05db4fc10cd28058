# verdict: wrong_answer
# case: two-channels
# why: takes the largest value
import libcudnn as cudnn


def global_average(handle, x, y, N, C, H, W):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    pooling = cudnn.cudnnCreatePoolingDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, 1, 1)
    cudnn.cudnnSetPooling2dDescriptor(pooling, cudnn.CUDNN_POOLING_MAX,
                                      cudnn.CUDNN_NOT_PROPAGATE_NAN, H, W, 0, 0, 1, 1)

    cudnn.cudnnPoolingForward(handle, pooling, 1.0, x_desc, x, 0.0, y_desc, y)

    cudnn.cudnnDestroyPoolingDescriptor(pooling)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
