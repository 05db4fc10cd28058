import cupy as cp
import libcudnn as cudnn


def add_gradient(handle, x, dy, dw, N, C, H, W, K, R, pad):
    """Adds the gradient of the filter to what dw holds already: dw += gradient. Stride 1, padding pad."""
    x_desc, dy_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    dw_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnSetTensor4dDescriptor(dy_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT,
                                     N, K, H + 2 * pad - R + 1, W + 2 * pad - R + 1)
    cudnn.cudnnSetFilter4dDescriptor(dw_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, C, R, R)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)

    scratch = cp.empty_like(dw)
    entries = cudnn.cudnnFindConvolutionBackwardFilterAlgorithmEx(handle, x_desc, x, dy_desc, dy, conv, dw_desc, scratch,
                                                                  1, None, 0)
    best = entries[0]
    if best.status != cudnn.CUDNN_STATUS_SUCCESS:
        raise RuntimeError("no algorithm without workspace")
    cudnn.cudnnConvolutionBackwardFilter(handle, 1.0, x_desc, x, dy_desc, dy, conv, best.algo, None, 0,
                                         1.0, dw_desc, dw)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(dw_desc)
    cudnn.cudnnDestroyTensorDescriptor(dy_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
