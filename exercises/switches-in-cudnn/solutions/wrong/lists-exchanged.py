# verdict: api_misuse
# rule: not_called_in_case
# why: measures where it should guess and guesses where it should measure
import cupy as cp
import libcudnn as cudnn


def layer(handle, x, w, y, N, C, H, W, K, R, pad, stride, benchmark, allow_tf32, math_type):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    layout, dtype = cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT
    cudnn.cudnnSetTensor4dDescriptor(x_desc, layout, dtype, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, dtype, layout, K, C, R, R)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1, cudnn.CUDNN_CROSS_CORRELATION, dtype)
    cudnn.cudnnSetTensor4dDescriptor(
        y_desc, layout, dtype, *cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc)
    )

    cudnn.cudnnSetConvolutionMathType(conv, cudnn.CUDNN_DEFAULT_MATH if allow_tf32 else cudnn.CUDNN_FMA_MATH)
    ask = cudnn.cudnnFindConvolutionForwardAlgorithm if not benchmark else cudnn.cudnnGetConvolutionForwardAlgorithm_v7
    best = next(e for e in ask(handle, x_desc, w_desc, conv, y_desc, 8) if e.status == cudnn.CUDNN_STATUS_SUCCESS)
    ws = cp.empty(best.memory, dtype=cp.uint8) if best.memory else None
    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x, w_desc, w, conv, best.algo, ws, best.memory, 0.0, y_desc, y)
    math_type[0] = int(cudnn.cudnnGetConvolutionMathType(conv))

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
