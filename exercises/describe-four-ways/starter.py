import libcudnn as cudnn

FLOAT = cudnn.CUDNN_DATA_FLOAT


def read_strides(desc):
    """s_n, s_c, s_h, s_w of a tensor descriptor."""
    dtype, n, c, h, w, *strides = cudnn.cudnnGetTensor4dDescriptor(desc)
    return strides


def describe(n, c, h, w, strides):
    desc = cudnn.cudnnCreateTensorDescriptor()

    # Row 0: NCHW. The rows 1, 2 and 3 are yours.
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, FLOAT, n, c, h, w)
    strides[0] = read_strides(desc)

    cudnn.cudnnDestroyTensorDescriptor(desc)
