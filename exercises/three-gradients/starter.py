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

    # 1. dx: cudnnConvolutionBackwardData, from w and dy.
    # 2. dw: cudnnConvolutionBackwardFilter, from x and dy.
    # 3. db: cudnnConvolutionBackwardBias, from dy alone.
    # Ask the first two for their workspace: each has a query and algorithms of its own.

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    for desc in (bias_desc, y_desc, x_desc):
        cudnn.cudnnDestroyTensorDescriptor(desc)
