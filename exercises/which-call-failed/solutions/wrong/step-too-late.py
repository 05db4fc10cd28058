# verdict: wrong_answer
# case: filter-too-large
# why: does not count the calls
import libcudnn as cudnn


def diagnose(N, C, H, W, K, filter_c, R, S, pad, stride, report):
    x, w = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateFilterDescriptor()
    conv = cudnn.cudnnCreateConvolutionDescriptor()
    step, status, dims = 1, 0, (0, 0, 0, 0)
    try:
        cudnn.cudnnSetTensor4dDescriptor(x, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
        cudnn.cudnnSetFilter4dDescriptor(w, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, filter_c, R, S)
        cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1,
                                              cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
        dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x, w)
        step = 0
    except cudnn.CudnnError as error:
        status = int(error.status)
    finally:
        cudnn.cudnnDestroyConvolutionDescriptor(conv)
        cudnn.cudnnDestroyFilterDescriptor(w)
        cudnn.cudnnDestroyTensorDescriptor(x)
    report[:] = (step, status, *dims)
