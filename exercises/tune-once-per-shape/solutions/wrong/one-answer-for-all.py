# verdict: api_misuse
# rule: algorithm_not_from_list
# why: measures the first size only and runs what it found for all others
import cupy as cp
import libcudnn as cudnn


def serve(handle, x, w, y, requests, batch, C, H, W, K, R, S, pad):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, C, R, S)
    cudnn.cudnnSetConvolution2dDescriptor(
        conv, pad, pad, 1, 1, 1, 1, cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT
    )
    cache, start = {}, 0
    for n in (int(size) for size in batch):
        cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, n, C, H, W)
        dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc)
        cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, *dims)
        # Measures for every request, also where the shape is known already.
        if not cache:
            best = cudnn.cudnnFindConvolutionForwardAlgorithm(handle, x_desc, w_desc, conv, y_desc, 1)[0]
            if best.status != cudnn.CUDNN_STATUS_SUCCESS:
                raise RuntimeError("no algorithm can run")
            workspace = cp.empty(best.memory, dtype=cp.uint8) if best.memory else None
            cache[0] = best, workspace
        best, workspace = cache[0]
        cudnn.cudnnSetConvolutionMathType(conv, best.mathType)
        cudnn.cudnnConvolutionForward(
            handle,
            1.0,
            x_desc,
            x[start : start + n],
            w_desc,
            w,
            conv,
            best.algo,
            workspace,
            best.memory,
            0.0,
            y_desc,
            y[start : start + n],
        )
        cudnn.cudnnSetConvolutionMathType(conv, cudnn.CUDNN_DEFAULT_MATH)
        start += n

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
