import cupy as cp
import libcudnn as cudnn


def layer(handle, x, w, y, N, C, H, W, K, R, pad, stride, benchmark, allow_tf32, math_type):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    layout, dtype = cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT
    cudnn.cudnnSetTensor4dDescriptor(x_desc, layout, dtype, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, dtype, layout, K, C, R, R)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1, cudnn.CUDNN_CROSS_CORRELATION, dtype)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, layout, dtype,
                                     *cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc))

    # Both switches are ignored so far. 1. Set the math type by allow_tf32. 2. Get the list by benchmark.
    # 3. Take the first entry that can run, provide its workspace, run, and read the math type back.

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
