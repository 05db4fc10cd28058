# verdict: runtime_error
# case: filter-too-large
# why: lets the exception through instead of reporting it
import libcudnn as cudnn


def diagnose(N, C, H, W, K, filter_c, R, S, pad, stride, report):
    x, w = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateFilterDescriptor()
    conv = cudnn.cudnnCreateConvolutionDescriptor()
    step, status, dims = 1, 0, (0, 0, 0, 0)
    try:
        cudnn.cudnnSetTensor4dDescriptor(x, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
        step = 2
        cudnn.cudnnSetFilter4dDescriptor(w, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, filter_c, R, S)
        step = 3
        cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1,
                                              cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
        step = 4
        dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x, w)
        step = 0
    finally:
        cudnn.cudnnDestroyConvolutionDescriptor(conv)
        cudnn.cudnnDestroyFilterDescriptor(w)
        cudnn.cudnnDestroyTensorDescriptor(x)
    report[:] = (step, status, *dims)
