# verdict: runtime_error
# case: far-larger
# why: takes 16 MiB, which seems plenty, until an image comes that needs more
import cupy as cp
import libcudnn as cudnn


def tensor(channels, side):
    desc = cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, channels, side, side)
    return desc


def two_sizes(handle, x1, x2, w, y1, y2, C, K, side1, side2):
    """One layer for two images of different size: y1 = conv(x1, w), y2 = conv(x2, w), padding 1, filter 3×3."""
    algo = cudnn.CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, C, 3, 3)
    cudnn.cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
    x_desc, y_desc = [tensor(C, side1), tensor(C, side2)], [tensor(K, side1), tensor(K, side2)]
    needed = [
        cudnn.cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc[i], w_desc, conv, y_desc[i], algo) for i in (0, 1)
    ]
    size = 16 << 20
    workspace = cp.empty(size, dtype=cp.uint8)

    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc[0], x1, w_desc, w, conv, algo, workspace, size,
                                  0.0, y_desc[0], y1)
    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc[1], x2, w_desc, w, conv, algo, workspace, size,
                                  0.0, y_desc[1], y2)

    for desc in (*x_desc, *y_desc):
        cudnn.cudnnDestroyTensorDescriptor(desc)
    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
