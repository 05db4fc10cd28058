import cupy as cp
import libcudnn as cudnn

kept = {}


def prepare(handle, N, C, H, W, K, R, S, pad):
    xd, yd, bd = (cudnn.cudnnCreateTensorDescriptor() for _ in range(3))
    wd, cd, act = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor(), cudnn.cudnnCreateActivationDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(xd, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnSetTensor4dDescriptor(bd, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, K, 1, 1)
    cudnn.cudnnSetFilter4dDescriptor(wd, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, C, R, S)
    cudnn.cudnnSetConvolution2dDescriptor(cd, pad, pad, 1, 1, 1, 1, cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
    cudnn.cudnnSetTensor4dDescriptor(yd, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT,
                                     *cudnn.cudnnGetConvolution2dForwardOutputDim(cd, xd, wd))
    cudnn.cudnnSetActivationDescriptor(act, cudnn.CUDNN_ACTIVATION_RELU, cudnn.CUDNN_NOT_PROPAGATE_NAN, 0.0)
    algo = cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM
    n = cudnn.cudnnGetConvolutionForwardWorkspaceSize(handle, xd, wd, cd, yd, algo)
    return xd, yd, bd, wd, cd, act, algo, cp.empty(n, dtype=cp.uint8) if n else None, n


def layer(handle, x, w, bias, y, N, C, H, W, K, R, S, pad):
    key = (N, C, H, W, K, R, S, pad)
    if key not in kept:
        kept[key] = prepare(handle, *key)
    xd, yd, bd, wd, cd, act, algo, ws, n = kept[key]
    cudnn.cudnnConvolutionBiasActivationForward(handle, 1.0, xd, x, wd, w, cd, algo, ws, n, 0.0, yd, y, bd, bias, act, yd, y)


import atexit


@atexit.register
def give_back():
    for xd, yd, bd, wd, cd, act, *_ in kept.values():
        for d in (xd, yd, bd):
            cudnn.cudnnDestroyTensorDescriptor(d)
        cudnn.cudnnDestroyFilterDescriptor(wd)
        cudnn.cudnnDestroyConvolutionDescriptor(cd)
        cudnn.cudnnDestroyActivationDescriptor(act)
