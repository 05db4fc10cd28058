import cupy as cp
import libcudnn as cudnn


def filter_gradient(handle, x, dy, dw, N, C, H, W, K, R, S, pad, stride):
    x_desc, dy_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    dw_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(dw_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, C, R, S)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
    dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, dw_desc)
    cudnn.cudnnSetTensor4dDescriptor(dy_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, *dims)

    # Right numbers, but possibly not the same bits in the next run.
    algo = cudnn.CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0
    size = cudnn.cudnnGetConvolutionBackwardFilterWorkspaceSize(handle, x_desc, dy_desc, conv, dw_desc, algo)
    workspace = cp.empty(size, dtype=cp.uint8) if size else None
    cudnn.cudnnConvolutionBackwardFilter(handle, 1.0, x_desc, x, dy_desc, dy, conv, algo, workspace, size, 0.0,
                                         dw_desc, dw)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(dw_desc)
    cudnn.cudnnDestroyTensorDescriptor(dy_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
