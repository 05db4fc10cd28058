# verdict: wrong_answer
# case: three-sizes
# why: reads the first image again and again
import cupy as cp
import libcudnn as cudnn

LIMIT = 1 << 20


def many_sizes(handle, x, w, side, y, L, C, K):
    """One layer for L square images of changing sides, one behind the other in memory."""
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, C, 3, 3)
    cudnn.cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)

    workspace = cp.empty(LIMIT, dtype=cp.uint8)
    x_at = y_at = 0
    for i in range(L):
        s = int(side[i])
        cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, C, s, s)
        cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, K, s, s)
        entries = cudnn.cudnnGetConvolutionForwardAlgorithm_v7(handle, x_desc, w_desc, conv, y_desc,
                                                               cudnn.CUDNN_CONVOLUTION_FWD_ALGO_COUNT)
        best = next(e for e in entries if e.status == cudnn.CUDNN_STATUS_SUCCESS and e.memory <= LIMIT)
        cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x[x_at:], w_desc, w, conv, best.algo, workspace,
                                      best.memory, 0.0, y_desc, y[y_at:])
        y_at += K * s * s

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
