# verdict: api_misuse
# rule: one_mode_only
# why: turns the filter by hand and never touches the mode
import cupy as cp
import libcudnn as cudnn


def both_modes(handle, x, w, correlated, convolved, N, C, H, W, K, R, S):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, C, R, S)
    algo = cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM

    cudnn.cudnnSetConvolution2dDescriptor(conv, 0, 0, 1, 1, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
    dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, *dims)
    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x, w_desc, w, conv, algo, None, 0, 0.0, y_desc, correlated)

    turned = cp.ascontiguousarray(w[:, :, ::-1, ::-1])
    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x, w_desc, turned, conv, algo, None, 0, 0.0, y_desc, convolved)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
