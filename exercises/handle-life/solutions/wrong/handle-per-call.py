# verdict: api_misuse
# rule: handle_per_call
# why: creates and destroys a handle for every operation
import cupy as cp
import libcudnn as cudnn


def multiply(factor, number):
    """factor * number, for arrays of one element on the GPU."""
    handle = cudnn.cudnnCreate()
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, 1, 1, 1)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, 1, 1, 1)
    cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, 1, 1, 1, 1)
    cudnn.cudnnSetConvolution2dDescriptor(conv, 0, 0, 1, 1, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)

    w = cp.asarray([factor], dtype=cp.float32)
    product = cp.empty(1, dtype=cp.float32)
    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, number, w_desc, w, conv,
                                  cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, None, 0, 0.0, y_desc, product)
    result = float(cp.asnumpy(product)[0])

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
    cudnn.cudnnDestroy(handle)
    print(f"{result:g}")
    return product


doubled = multiply(2.0, cp.asarray([7.0], dtype=cp.float32))
multiply(3.0, doubled)
