import libcudnn as cudnn


def convolve_each(handle, x, w, y, M, C, H, W, K):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, M * C, H, W)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, M * K, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, M * K, C, 3, 3)
    cudnn.cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)

    # Side by side in memory the images are the groups of one large image.
    cudnn.cudnnSetConvolutionGroupCount(conv, M)
    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x, w_desc, w, conv,
                                  cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, None, 0, 0.0, y_desc, y)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
