# verdict: wrong_answer
# case: average-with-padding
# why: ignores the mode
import libcudnn as cudnn


def pool(handle, x, y, N, C, H, W, window_h, window_w, pad_h, pad_w, stride_h, stride_w, mode):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    pooling = cudnn.cudnnCreatePoolingDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnSetPooling2dDescriptor(pooling, cudnn.CUDNN_POOLING_MAX, cudnn.CUDNN_NOT_PROPAGATE_NAN, window_h, window_w, pad_h, pad_w,
                                      stride_h, stride_w)
    dims = cudnn.cudnnGetPooling2dForwardOutputDim(pooling, x_desc)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, *dims)

    cudnn.cudnnPoolingForward(handle, pooling, 1.0, x_desc, x, 0.0, y_desc, y)

    cudnn.cudnnDestroyPoolingDescriptor(pooling)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
