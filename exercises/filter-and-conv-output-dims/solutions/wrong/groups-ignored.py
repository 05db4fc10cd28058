# verdict: api_misuse
# rule: not_called
# why: describes an ordinary convolution whatever the groups; the size is the same, so only the calls show it
import libcudnn as cudnn


def output_dims(n, c, h, w, k, r, s, pad, stride, dilation, groups, dims):
    input_ = cudnn.cudnnCreateTensorDescriptor()
    filter_ = cudnn.cudnnCreateFilterDescriptor()
    conv = cudnn.cudnnCreateConvolutionDescriptor()

    cudnn.cudnnSetTensor4dDescriptor(input_, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, n, c, h, w)
    cudnn.cudnnSetFilter4dDescriptor(filter_, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, k, c, r, s)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, dilation, dilation,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
    dims[:] = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, input_, filter_)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(filter_)
    cudnn.cudnnDestroyTensorDescriptor(input_)
