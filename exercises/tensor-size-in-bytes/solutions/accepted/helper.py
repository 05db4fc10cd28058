import libcudnn as cudnn


def size_of(dtype, dims, strides):
    desc = cudnn.cudnnCreateTensorDescriptor()
    try:
        cudnn.cudnnSetTensor4dDescriptorEx(desc, dtype, *dims, *strides)
        return cudnn.cudnnGetTensorSizeInBytes(desc)
    finally:
        cudnn.cudnnDestroyTensorDescriptor(desc)


def sizes(n, c, h, w, pitch, bytes):
    dims = (n, c, h, w)
    gaps = (c * h * pitch, h * pitch, pitch, 1)
    bytes[0] = size_of(cudnn.CUDNN_DATA_FLOAT, dims, (c * h * w, h * w, w, 1))
    bytes[1] = size_of(cudnn.CUDNN_DATA_HALF, dims, (c * h * w, 1, w * c, c))
    bytes[2] = size_of(cudnn.CUDNN_DATA_FLOAT, dims, gaps)
    bytes[3] = size_of(cudnn.CUDNN_DATA_DOUBLE, dims, gaps)
