# verdict: wrong_answer
# case: first-layer
# why: passes the dilation where the stride belongs and the other way round
import libcudnn as cudnn


def output_dims(n, c, h, w, k, r, s, pad, stride, dilation, groups, dims):
    input_ = cudnn.cudnnCreateTensorDescriptor()
    filter_ = cudnn.cudnnCreateFilterDescriptor()
    conv = cudnn.cudnnCreateConvolutionDescriptor()

    cudnn.cudnnSetTensor4dDescriptor(input_, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, n, c, h, w)
    cudnn.cudnnSetFilter4dDescriptor(filter_, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, k, c // groups, r, s)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, dilation, dilation, stride, stride,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
    cudnn.cudnnSetConvolutionGroupCount(conv, groups)
    dims[:] = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, input_, filter_)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(filter_)
    cudnn.cudnnDestroyTensorDescriptor(input_)
