# verdict: wrong_answer
# pattern: bfloat16_as_half
# why: describes bfloat16 as half: both have 16 bits, but divide them otherwise
import cupy as cp
import libcudnn as cudnn


def convolve(handle, data, compute, x, w, y, N, C, H, W, K, R, S, pad):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, data, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, data, cudnn.CUDNN_TENSOR_NCHW, K, C, R, S)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1, cudnn.CUDNN_CROSS_CORRELATION, compute)
    dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, data, *dims)

    algo = cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM
    size = cudnn.cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, algo)
    workspace = cp.empty(size, dtype=cp.uint8) if size else None
    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x, w_desc, w, conv, algo, workspace, size, 0.0, y_desc, y)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)


def four_types(handle, x64, w64, y64, x32, w32, y32, x16, w16, y16, xb, wb, yb, N, C, H, W, K, R, S, pad):
    layer = (N, C, H, W, K, R, S, pad)
    convolve(handle, cudnn.CUDNN_DATA_DOUBLE, cudnn.CUDNN_DATA_DOUBLE, x64, w64, y64, *layer)
    convolve(handle, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_DATA_FLOAT, x32, w32, y32, *layer)
    convolve(handle, cudnn.CUDNN_DATA_HALF, cudnn.CUDNN_DATA_FLOAT, x16, w16, y16, *layer)
    convolve(handle, cudnn.CUDNN_DATA_HALF, cudnn.CUDNN_DATA_FLOAT, xb, wb, yb, *layer)
