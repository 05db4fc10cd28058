import libcudnn as cudnn


def multiply(handle, y, count, factor):
    desc = cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, 1, 1, count)
    # Here: one call of cudnnScaleTensor that multiplies every number of y by factor.
    cudnn.cudnnDestroyTensorDescriptor(desc)
