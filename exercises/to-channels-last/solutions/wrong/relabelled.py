# verdict: wrong_answer
# pattern: label_only
# why: calls NCHW data NHWC and moves no value
import cupy as cp
import libcudnn as cudnn


def convolve(handle, x, w, y, N, C, H, W, K, R, S, pad):
    given, x_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    y_desc = cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(given, cudnn.CUDNN_TENSOR_NHWC, cudnn.CUDNN_DATA_HALF, N, C, H, W)
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NHWC, cudnn.CUDNN_DATA_HALF, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_HALF, cudnn.CUDNN_TENSOR_NHWC, K, C, R, S)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
    cudnn.cudnnSetConvolutionMathType(conv, cudnn.CUDNN_TENSOR_OP_MATH)
    dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NHWC, cudnn.CUDNN_DATA_HALF, *dims)

    x_last = cp.empty((N, H, W, C), dtype=cp.float16)
    cudnn.cudnnTransformTensor(handle, 1.0, given, x, 0.0, x_desc, x_last)

    algo = cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM
    size = cudnn.cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, algo)
    workspace = cp.empty(size, dtype=cp.uint8) if size else None
    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x_last, w_desc, w, conv, algo, workspace, size, 0.0, y_desc, y)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    for desc in (y_desc, x_desc, given):
        cudnn.cudnnDestroyTensorDescriptor(desc)
