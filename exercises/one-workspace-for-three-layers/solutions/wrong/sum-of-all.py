# verdict: api_misuse
# rule: workspace_larger_than_needed
# why: allocates the sum of the three answers instead of the largest
import cupy as cp
import libcudnn as cudnn


def three_layers(handle, x, w1, w2, w3, y1, y2, y3, N, C, H, W, algo1, algo2, algo3):
    image = cudnn.cudnnCreateTensorDescriptor()
    filter_ = cudnn.cudnnCreateFilterDescriptor()
    conv = cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(image, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnSetFilter4dDescriptor(filter_, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, C, C, 3, 3)
    cudnn.cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)

    layers = ((x, w1, y1, algo1), (y1, w2, y2, algo2), (y2, w3, y3, algo3))
    size = 0
    for *_, algo in layers:
        size += cudnn.cudnnGetConvolutionForwardWorkspaceSize(handle, image, filter_, conv, image, algo)
    buffer = cp.empty(max(size, 1), dtype=cp.uint8)
    for source, w, y, algo in layers:
        cudnn.cudnnConvolutionForward(handle, 1.0, image, source, filter_, w, conv, algo, buffer, size, 0.0, image, y)
    cp.cuda.runtime.deviceSynchronize()
    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(filter_)
    cudnn.cudnnDestroyTensorDescriptor(image)
