# verdict: wrong_answer
# case: small
# why: leaves the bias out
import libcudnn as cudnn


def layer(handle, x, w, bias, y, N, C, H, W, K, R, S, pad):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, C, R, S)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
    dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, *dims)

    bias_desc, relu = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateActivationDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(bias_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, K, 1, 1)
    cudnn.cudnnSetActivationDescriptor(relu, cudnn.CUDNN_ACTIVATION_RELU, cudnn.CUDNN_NOT_PROPAGATE_NAN, 0.0)

    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x, w_desc, w, conv,
                                  cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, None, 0, 0.0, y_desc, y)
    cudnn.cudnnActivationForward(handle, relu, 1.0, y_desc, y, 0.0, y_desc, y)

    cudnn.cudnnDestroyActivationDescriptor(relu)
    cudnn.cudnnDestroyTensorDescriptor(bias_desc)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
