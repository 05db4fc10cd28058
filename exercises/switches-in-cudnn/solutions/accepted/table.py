import cupy as cp
import libcudnn as cudnn


ASK = {0: cudnn.cudnnGetConvolutionForwardAlgorithm_v7, 1: cudnn.cudnnFindConvolutionForwardAlgorithm}
MATH = {0: cudnn.CUDNN_FMA_MATH, 1: cudnn.CUDNN_DEFAULT_MATH}


def layer(handle, x, w, y, N, C, H, W, K, R, pad, stride, benchmark, allow_tf32, math_type):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    layout, dtype = cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT
    cudnn.cudnnSetTensor4dDescriptor(x_desc, layout, dtype, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, dtype, layout, K, C, R, R)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1, cudnn.CUDNN_CROSS_CORRELATION, dtype)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, layout, dtype,
                                     *cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc))
    cudnn.cudnnSetConvolutionMathType(conv, MATH[allow_tf32])
    for entry in ASK[benchmark](handle, x_desc, w_desc, conv, y_desc, 8):
        if entry.status != cudnn.CUDNN_STATUS_SUCCESS:
            continue
        size = cudnn.cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, entry.algo)
        workspace = cp.empty(max(size, 1), dtype=cp.uint8)
        cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x, w_desc, w, conv, entry.algo, workspace, size,
                                      0.0, y_desc, y)
        cp.cuda.runtime.deviceSynchronize()
        break
    math_type[0] = cudnn.cudnnGetConvolutionMathType(conv)
    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
