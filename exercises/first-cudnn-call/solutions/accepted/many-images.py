import libcudnn as cudnn


def multiply(handle, y, count, factor):
    desc = cudnn.cudnnCreateTensorDescriptor()
    try:
        # One number in each of `count` images is the same memory.
        cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, count, 1, 1, 1)
        cudnn.cudnnScaleTensor(handle, desc, y, factor)
    finally:
        cudnn.cudnnDestroyTensorDescriptor(desc)
