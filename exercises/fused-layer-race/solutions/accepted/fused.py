import cupy as cp
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

    # One call for the three steps. It needs an algorithm with precomputed indices.
    algo = cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM
    size = cudnn.cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, algo)
    workspace = cp.empty(size, dtype=cp.uint8) if size else None
    cudnn.cudnnConvolutionBiasActivationForward(handle, 1.0, x_desc, x, w_desc, w, conv, algo, workspace, size,
                                                0.0, y_desc, y, bias_desc, bias, relu, y_desc, y)

    cudnn.cudnnDestroyActivationDescriptor(relu)
    cudnn.cudnnDestroyTensorDescriptor(bias_desc)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
