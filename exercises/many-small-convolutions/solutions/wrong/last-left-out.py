# verdict: wrong_answer
# case: three
# why: leaves the last image out
import libcudnn as cudnn


def convolve_each(handle, x, w, y, M, C, H, W, K):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, C, H, W)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, K, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, C, 3, 3)
    cudnn.cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)

    for m in range(M - 1):
        cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x[m], w_desc, w[m], conv,
                                      cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, None, 0, 0.0, y_desc, y[m])

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
