import libcudnn as cudnn


def sizes(n, c, h, w, pitch, bytes):
    desc = cudnn.cudnnCreateTensorDescriptor()

    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, n, c, h, w)
    bytes[0] = cudnn.cudnnGetTensorSizeInBytes(desc)

    # bytes[1] to bytes[3] are yours.
    cudnn.cudnnDestroyTensorDescriptor(desc)
