from contextlib import ExitStack

import cupy as cp
import libcudnn as cudnn

ONE = (1, 1, 1, 1)

with ExitStack() as stack:

    def made(create, destroy):
        """Something that the with statement gives back, in reverse order."""
        thing = create()
        stack.callback(destroy, thing)
        return thing

    handle = made(cudnn.cudnnCreate, cudnn.cudnnDestroy)
    number = made(cudnn.cudnnCreateTensorDescriptor, cudnn.cudnnDestroyTensorDescriptor)
    filter_ = made(cudnn.cudnnCreateFilterDescriptor, cudnn.cudnnDestroyFilterDescriptor)
    conv = made(cudnn.cudnnCreateConvolutionDescriptor, cudnn.cudnnDestroyConvolutionDescriptor)
    cudnn.cudnnSetTensor4dDescriptor(number, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, *ONE)
    cudnn.cudnnSetFilter4dDescriptor(filter_, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, *ONE)
    cudnn.cudnnSetConvolution2dDescriptor(conv, 0, 0, 1, 1, 1, 1,
                                          cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
    value = cp.asarray([7.0], dtype=cp.float32)
    for factor in (2.0, 3.0):
        weight = cp.asarray([factor], dtype=cp.float32)
        product = cp.empty(1, dtype=cp.float32)
        cudnn.cudnnConvolutionForward(handle, 1.0, number, value, filter_, weight, conv,
                                      cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, None, 0, 0.0, number, product)
        print(f"{float(cp.asnumpy(product)[0]):g}")
        value = product
