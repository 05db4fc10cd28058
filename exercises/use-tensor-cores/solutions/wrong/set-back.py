# verdict: wrong_answer
# why: sets the math type back before the convolution runs
import cupy as cp
import libcudnn as cudnn


def convolve(handle, x, w, y, used, N, C, H, W, K, R, S, pad):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NHWC, cudnn.CUDNN_DATA_HALF, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_HALF, cudnn.CUDNN_TENSOR_NHWC, K, C, R, S)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
    dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NHWC, cudnn.CUDNN_DATA_HALF, *dims)

    cudnn.cudnnSetConvolutionMathType(conv, cudnn.CUDNN_TENSOR_OP_MATH)
    entries = cudnn.cudnnGetConvolutionForwardAlgorithm_v7(handle, x_desc, w_desc, conv, y_desc, 10)
    chosen = next(
        entry
        for entry in entries
        if entry.status == cudnn.CUDNN_STATUS_SUCCESS and entry.mathType == cudnn.CUDNN_TENSOR_OP_MATH
    )
    cudnn.cudnnSetConvolutionMathType(conv, cudnn.CUDNN_DEFAULT_MATH)
    size = cudnn.cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, chosen.algo)
    workspace = cp.empty(size, dtype=cp.uint8) if size else None
    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x, w_desc, w, conv, chosen.algo, workspace, size, 0.0, y_desc, y)
    used[:] = int(chosen.algo), int(cudnn.cudnnGetConvolutionMathType(conv))

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
