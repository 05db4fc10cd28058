import cupy as cp
import libcudnn as c


def filter_gradient(handle, x, dy, dw, N, C, H, W, K, R, S, pad, stride):
    L, D = c.CUDNN_TENSOR_NCHW, c.CUDNN_DATA_FLOAT
    xd, yd = c.cudnnCreateTensorDescriptor(), c.cudnnCreateTensorDescriptor()
    wd, conv = c.cudnnCreateFilterDescriptor(), c.cudnnCreateConvolutionDescriptor()
    c.cudnnSetTensor4dDescriptor(xd, L, D, N, C, H, W)
    c.cudnnSetTensor4dDescriptor(yd, L, D, *dy.shape)
    c.cudnnSetFilter4dDescriptor(wd, D, L, K, C, R, S)
    c.cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1, c.CUDNN_CROSS_CORRELATION, D)

    class e:
        algo = c.CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1
        mathType = c.CUDNN_FMA_MATH
        memory = 0

    c.cudnnSetConvolutionMathType(conv, e.mathType)
    e.memory = c.cudnnGetConvolutionBackwardFilterWorkspaceSize(handle, xd, yd, conv, wd, e.algo)
    c.cudnnSetConvolutionMathType(conv, e.mathType)
    ws = cp.empty(e.memory, dtype=cp.uint8) if e.memory else None
    c.cudnnSetTensor4dDescriptor(xd, L, D, 1, C, H, W)
    c.cudnnSetTensor4dDescriptor(yd, L, D, 1, *dy.shape[1:])
    for n in range(N):
        c.cudnnConvolutionBackwardFilter(
            handle, 1.0, xd, x[n : n + 1], yd, dy[n : n + 1], conv, e.algo, ws, e.memory, float(n > 0), wd, dw
        )
    c.cudnnDestroyConvolutionDescriptor(conv)
    c.cudnnDestroyFilterDescriptor(wd)
    c.cudnnDestroyTensorDescriptor(yd)
    c.cudnnDestroyTensorDescriptor(xd)
