# verdict: wrong_answer
# case: exact-benchmark
# why: never sets the math type, so that TF32 stays allowed
import cupy as cp
import libcudnn as cudnn


def layer(handle, x, w, y, N, C, H, W, K, R, pad, stride, benchmark, allow_tf32, math_type):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    layout, dtype = cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT
    cudnn.cudnnSetTensor4dDescriptor(x_desc, layout, dtype, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, dtype, layout, K, C, R, R)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1, cudnn.CUDNN_CROSS_CORRELATION, dtype)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, layout, dtype,
                                     *cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc))
    if benchmark:
        entries = cudnn.cudnnFindConvolutionForwardAlgorithm(handle, x_desc, w_desc, conv, y_desc, 8)
    else:
        entries = cudnn.cudnnGetConvolutionForwardAlgorithm_v7(handle, x_desc, w_desc, conv, y_desc, 8)
    best = next(entry for entry in entries if entry.status == cudnn.CUDNN_STATUS_SUCCESS)
    cudnn.cudnnSetConvolutionMathType(conv, best.mathType)
    size = cudnn.cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, best.algo)
    workspace = cp.empty(size, dtype=cp.uint8) if size else None
    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x, w_desc, w, conv, best.algo, workspace, size, 0.0, y_desc, y)
    math_type[0] = cudnn.cudnnGetConvolutionMathType(conv)
    cp.cuda.runtime.deviceSynchronize()
    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
