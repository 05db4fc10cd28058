# verdict: wrong_answer
# why: sums in half, as the data are half
import cupy as cp
import libcudnn as cudnn


def convolve(handle, x, w, y, N, C, H, W, K, R, S, pad, stride):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NHWC, cudnn.CUDNN_DATA_HALF, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_HALF, cudnn.CUDNN_TENSOR_NHWC, K, C, R, S)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_HALF)
    dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NHWC, cudnn.CUDNN_DATA_HALF, *dims)

    algo = cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM
    size = cudnn.cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, algo)
    workspace = cp.empty(size, dtype=cp.uint8) if size else None
    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x, w_desc, w, conv, algo, workspace, size, 0.0, y_desc, y)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
