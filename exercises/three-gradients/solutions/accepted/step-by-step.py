import cupy as cp
import libcudnn as cudnn


def gradients(handle, x, w, dy, dx, dw, db, N, C, H, W, K, R, S, pad, stride):
    layout, dtype = cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT
    x_desc, y_desc, bias_desc = (cudnn.cudnnCreateTensorDescriptor() for _ in range(3))
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, layout, dtype, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, dtype, layout, K, C, R, S)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1, cudnn.CUDNN_CROSS_CORRELATION, dtype)
    dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, layout, dtype, *dims)
    cudnn.cudnnSetTensor4dDescriptor(bias_desc, layout, dtype, 1, K, 1, 1)

    algo = cudnn.CUDNN_CONVOLUTION_BWD_DATA_ALGO_1
    size = cudnn.cudnnGetConvolutionBackwardDataWorkspaceSize(handle, w_desc, y_desc, conv, x_desc, algo)
    workspace = cp.empty(size, dtype=cp.uint8) if size else None
    cudnn.cudnnConvolutionBackwardData(handle, 1.0, w_desc, w, y_desc, dy, conv, algo, workspace, size, 0.0, x_desc, dx)

    algo = cudnn.CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1
    size = cudnn.cudnnGetConvolutionBackwardFilterWorkspaceSize(handle, x_desc, y_desc, conv, w_desc, algo)
    workspace = cp.empty(size, dtype=cp.uint8) if size else None
    cudnn.cudnnConvolutionBackwardFilter(handle, 1.0, x_desc, x, y_desc, dy, conv, algo, workspace, size,
                                         0.0, w_desc, dw)

    cudnn.cudnnConvolutionBackwardBias(handle, 1.0, y_desc, dy, 0.0, bias_desc, db)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    for desc in (bias_desc, y_desc, x_desc):
        cudnn.cudnnDestroyTensorDescriptor(desc)
