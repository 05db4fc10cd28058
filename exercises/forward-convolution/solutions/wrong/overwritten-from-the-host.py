# verdict: api_misuse
# gpu: accepted
# rule: output_from_the_host
# why: calls cuDNN and then sets y to what NumPy has computed
import cupy as cp
import libcudnn as cudnn
import numpy as np


def on_the_host(x, w, shape, pad, stride, dilation, groups):
    x, w = np.pad(cp.asnumpy(x), ((0, 0), (0, 0), *((p, p) for p in pad))), cp.asnumpy(w)
    c, each = w.shape[1], w.shape[0] // groups
    y = np.zeros(shape, np.float32)
    for _, k, p, q in np.ndindex(1, *shape[1:]):
        top, left, first = p * stride[0], q * stride[1], k // each * c
        rows, columns = (slice(at, at + (n - 1) * d + 1, d)
                         for at, n, d in zip((top, left), w.shape[2:], dilation, strict=True))
        y[:, k, p, q] = (x[:, first : first + c, rows, columns] * w[k]).sum((1, 2, 3))
    return y


def convolve(handle, x, w, y, N, C, H, W, K, R, S,
             pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w, groups):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, C // groups, R, S)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
    cudnn.cudnnSetConvolutionGroupCount(conv, groups)
    dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, *dims)

    algo = cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM
    size = cudnn.cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, algo)
    workspace = cp.empty(size, dtype=cp.uint8) if size else None
    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x, w_desc, w, conv, algo, workspace, size, 0.0, y_desc, y)

    result = on_the_host(x, w, dims, (pad_h, pad_w), (stride_h, stride_w), (dilation_h, dilation_w), groups)
    y.set(result)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
