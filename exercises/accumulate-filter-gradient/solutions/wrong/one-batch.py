# verdict: api_misuse
# rule: gradient_not_accumulated
# why: puts the halves together again and computes the whole batch at once
import cupy as cp
import libcudnn as c


def accumulate(handle, x1, dy1, x2, dy2, dw, N1, N2, C, H, W, K):
    L, D = c.CUDNN_TENSOR_NCHW, c.CUDNN_DATA_FLOAT
    x, dy, n = cp.concatenate([x1, x2]), cp.concatenate([dy1, dy2]), N1 + N2
    xd, yd = c.cudnnCreateTensorDescriptor(), c.cudnnCreateTensorDescriptor()
    wd, conv = c.cudnnCreateFilterDescriptor(), c.cudnnCreateConvolutionDescriptor()
    c.cudnnSetFilter4dDescriptor(wd, D, L, K, C, 3, 3)
    c.cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1, c.CUDNN_CROSS_CORRELATION, D)
    c.cudnnSetTensor4dDescriptor(xd, L, D, n, C, H, W)
    c.cudnnSetTensor4dDescriptor(yd, L, D, n, K, H, W)
    c.cudnnConvolutionBackwardFilter(
        handle, 1.0, xd, x, yd, dy, conv, c.CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, None, 0, 0.0, wd, dw
    )
    c.cudnnDestroyConvolutionDescriptor(conv)
    c.cudnnDestroyFilterDescriptor(wd)
    c.cudnnDestroyTensorDescriptor(yd)
    c.cudnnDestroyTensorDescriptor(xd)
