from contextlib import ExitStack

import cupy as cp
import libcudnn as cudnn


def convolve(handle, x, w, y, N, C, H, W, K, R, S,
             pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w, groups):
    with ExitStack() as stack:

        def made(kind):
            """A descriptor that the with statement destroys."""
            descriptor = getattr(cudnn, f"cudnnCreate{kind}Descriptor")()
            stack.callback(getattr(cudnn, f"cudnnDestroy{kind}Descriptor"), descriptor)
            return descriptor

        x_desc, y_desc, w_desc, conv = made("Tensor"), made("Tensor"), made("Filter"), made("Convolution")
        layout, dtype = cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT
        cudnn.cudnnSetTensor4dDescriptor(x_desc, layout, dtype, N, C, H, W)
        cudnn.cudnnSetFilter4dDescriptor(w_desc, dtype, layout, K, C // groups, R, S)
        cudnn.cudnnSetConvolution2dDescriptor(conv, pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w,
                                              cudnn.CUDNN_CROSS_CORRELATION, dtype)
        cudnn.cudnnSetConvolutionGroupCount(conv, groups)
        dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc)
        cudnn.cudnnSetTensor4dDescriptor(y_desc, layout, dtype, *dims)

        entries = cudnn.cudnnGetConvolutionForwardAlgorithm_v7(handle, x_desc, w_desc, conv, y_desc, 8)
        best = next(entry for entry in entries if entry.status == cudnn.CUDNN_STATUS_SUCCESS)
        cudnn.cudnnSetConvolutionMathType(conv, best.mathType)
        size = cudnn.cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, best.algo)
        workspace = cp.empty(size, dtype=cp.uint8) if size else None
        cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x, w_desc, w, conv, best.algo, workspace, size,
                                      0.0, y_desc, y)
        cp.cuda.runtime.deviceSynchronize()
