import cupy as cp
import libcudnn as cudnn


def convolve(handle, x, w, y, N, C, H, W, K, R, S, pad):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NHWC, cudnn.CUDNN_DATA_HALF, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_HALF, cudnn.CUDNN_TENSOR_NHWC, K, C, R, S)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
    dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NHWC, cudnn.CUDNN_DATA_HALF, *dims)

    # Tensor Cores for half data; the first entry of the list that keeps to the budget, with its own math type.
    cudnn.cudnnSetConvolutionMathType(conv, cudnn.CUDNN_TENSOR_OP_MATH)
    entries = cudnn.cudnnGetConvolutionForwardAlgorithm_v7(handle, x_desc, w_desc, conv, y_desc,
                                                           cudnn.CUDNN_CONVOLUTION_FWD_ALGO_COUNT)
    best = next(e for e in entries if e.status == cudnn.CUDNN_STATUS_SUCCESS and e.memory <= 1 << 20)
    cudnn.cudnnSetConvolutionMathType(conv, best.mathType)

    workspace = cp.empty(best.memory, dtype=cp.uint8) if best.memory else None
    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x, w_desc, w, conv, best.algo, workspace, best.memory,
                                  0.0, y_desc, y)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
