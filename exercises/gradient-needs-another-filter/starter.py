import cupy as cp
import libcudnn as cudnn


def input_gradient(handle, dy, w, dx, N, C, H, W, K, R, pad):
    """Gradient of a convolution with respect to its input: dx from dy and w. Stride 1, padding pad."""
    P, Q = H + 2 * pad - R + 1, W + 2 * pad - R + 1
    dy_desc, dx_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(dy_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, K, P, Q)
    cudnn.cudnnSetTensor4dDescriptor(dx_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, C, K, R, R)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)

    algo = cudnn.CUDNN_CONVOLUTION_BWD_DATA_ALGO_1
    size = cudnn.cudnnGetConvolutionBackwardDataWorkspaceSize(handle, w_desc, dy_desc, conv, dx_desc, algo)
    workspace = cp.empty(size, dtype=cp.uint8) if size else None
    cudnn.cudnnConvolutionBackwardData(handle, 1.0, w_desc, w, dy_desc, dy, conv, algo, workspace, size,
                                       0.0, dx_desc, dx)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(dx_desc)
    cudnn.cudnnDestroyTensorDescriptor(dy_desc)
