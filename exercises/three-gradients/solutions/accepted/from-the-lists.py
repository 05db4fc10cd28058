import cupy as cp
import libcudnn as c


def gradients(handle, x, w, dy, dx, dw, db, N, C, H, W, K, R, S, pad, stride):
    L, D = c.CUDNN_TENSOR_NCHW, c.CUDNN_DATA_FLOAT
    xd, yd, bd = (c.cudnnCreateTensorDescriptor() for _ in range(3))
    wd, conv = c.cudnnCreateFilterDescriptor(), c.cudnnCreateConvolutionDescriptor()
    c.cudnnSetTensor4dDescriptor(xd, L, D, *x.shape)
    c.cudnnSetTensor4dDescriptor(yd, L, D, *dy.shape)
    c.cudnnSetTensor4dDescriptor(bd, L, D, 1, K, 1, 1)
    c.cudnnSetFilter4dDescriptor(wd, D, L, *w.shape)
    c.cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1, c.CUDNN_CROSS_CORRELATION, D)
    a = next(e for e in c.cudnnGetConvolutionBackwardDataAlgorithm_v7(handle, wd, yd, conv, xd, 10) if e.status == 0)
    ws = cp.empty(max(a.memory, 1), dtype=cp.uint8)
    c.cudnnSetConvolutionMathType(conv, a.mathType)
    c.cudnnConvolutionBackwardData(handle, 1.0, wd, w, yd, dy, conv, a.algo, ws, a.memory, 0.0, xd, dx)
    a = next(e for e in c.cudnnGetConvolutionBackwardFilterAlgorithm_v7(handle, xd, yd, conv, wd, 10) if e.status == 0)
    ws = cp.empty(max(a.memory, 1), dtype=cp.uint8)
    c.cudnnSetConvolutionMathType(conv, a.mathType)
    c.cudnnConvolutionBackwardFilter(handle, 1.0, xd, x, yd, dy, conv, a.algo, ws, a.memory, 0.0, wd, dw)
    c.cudnnConvolutionBackwardBias(handle, 1.0, yd, dy, 0.0, bd, db)
    c.cudnnDestroyConvolutionDescriptor(conv)
    c.cudnnDestroyFilterDescriptor(wd)
    for d in (bd, yd, xd):
        c.cudnnDestroyTensorDescriptor(d)
