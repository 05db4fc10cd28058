import cupy as cp
import libcudnn as cudnn


def serve(handle, x, w, y, requests, batch, C, H, W, K, R, S, pad):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, C, R, S)
    cudnn.cudnnSetConvolution2dDescriptor(
        conv, pad, pad, 1, 1, 1, 1, cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT
    )
    starts, at = [], 0
    for size in batch:
        starts.append(at)
        at += int(size)
    for n in sorted({int(size) for size in batch}):
        cudnn.cudnnSetConvolutionMathType(conv, cudnn.CUDNN_DEFAULT_MATH)
        cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, n, C, H, W)
        dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc)
        cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, *dims)
        best = next(
            e
            for e in cudnn.cudnnFindConvolutionForwardAlgorithm(handle, x_desc, w_desc, conv, y_desc, 8)
            if e.status == 0
        )
        cudnn.cudnnSetConvolutionMathType(conv, best.mathType)
        ws = cp.empty(max(1, best.memory), dtype=cp.uint8)
        for s, size in zip(starts, batch):
            if int(size) == n:
                cudnn.cudnnConvolutionForward(
                    handle,
                    1.0,
                    x_desc,
                    x[s : s + n],
                    w_desc,
                    w,
                    conv,
                    best.algo,
                    ws,
                    best.memory,
                    0.0,
                    y_desc,
                    y[s : s + n],
                )
    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
