# verdict: api_misuse
# rule: output_dims_not_queried
# why: works the size out by the formula instead of asking
import libcudnn as cudnn


def pool(handle, x, y, N, C, H, W, window_h, window_w, pad_h, pad_w, stride_h, stride_w, mode):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    pooling = cudnn.cudnnCreatePoolingDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnSetPooling2dDescriptor(pooling, mode, cudnn.CUDNN_NOT_PROPAGATE_NAN, window_h, window_w, pad_h, pad_w,
                                      stride_h, stride_w)
    dims = (N, C, (H + 2 * pad_h - window_h) // stride_h + 1, (W + 2 * pad_w - window_w) // stride_w + 1)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, *dims)

    cudnn.cudnnPoolingForward(handle, pooling, 1.0, x_desc, x, 0.0, y_desc, y)

    cudnn.cudnnDestroyPoolingDescriptor(pooling)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
