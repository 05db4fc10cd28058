# verdict: api_misuse
# rule: workspace_over_budget
# why: searches and computes with 16 MiB whatever the budget says
import cupy as cp
import libcudnn as cudnn


def add_layer(handle, x, w, y, N, C, H, W, K, R, S, pad, budget):
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, C, R, S)
    cudnn.cudnnSetConvolution2dDescriptor(
        conv, pad, pad, 1, 1, 1, 1, cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT
    )
    dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, *dims)

    budget = 1 << 24
    workspace = cp.empty(budget, dtype=cp.uint8)
    # The search writes its results into y.
    entries = cudnn.cudnnFindConvolutionForwardAlgorithmEx(
        handle, x_desc, x, w_desc, w, conv, y_desc, cp.empty(y.shape, dtype=cp.float32), 10, workspace, budget
    )
    chosen = next(entry for entry in entries if entry.status == cudnn.CUDNN_STATUS_SUCCESS and entry.memory <= budget)
    cudnn.cudnnSetConvolutionMathType(conv, chosen.mathType)
    cudnn.cudnnConvolutionForward(
        handle, 1.0, x_desc, x, w_desc, w, conv, chosen.algo, workspace, budget, 1.0, y_desc, y
    )

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
