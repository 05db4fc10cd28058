import libcudnn as cudnn

FLOAT = cudnn.CUDNN_DATA_FLOAT


def read_strides(desc):
    """s_n, s_c, s_h, s_w of a tensor descriptor."""
    dtype, n, c, h, w, *strides = cudnn.cudnnGetTensor4dDescriptor(desc)
    return strides


def describe(n, c, h, w, strides):
    desc = cudnn.cudnnCreateTensorDescriptor()

    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, FLOAT, n, c, h, w)
    strides[0] = read_strides(desc)

    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NHWC, FLOAT, n, c, h, w)
    strides[1] = read_strides(desc)

    pitch = (w + 7) // 8 * 8
    cudnn.cudnnSetTensor4dDescriptorEx(desc, FLOAT, n, c, h, w, c * h * pitch, h * pitch, pitch, 1)
    strides[2] = read_strides(desc)

    cudnn.cudnnSetTensor4dDescriptorEx(desc, FLOAT, n, c, h, (w + 1) // 2, c * h * w, h * w, w, 2)
    strides[3] = read_strides(desc)

    cudnn.cudnnDestroyTensorDescriptor(desc)
