import libcudnn as cudnn


def describe(n, c, h, w, strides):
    pitch = -(-w // 8) * 8
    ways = (
        (cudnn.cudnnSetTensor4dDescriptor, (cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, n, c, h, w)),
        (cudnn.cudnnSetTensor4dDescriptor, (cudnn.CUDNN_TENSOR_NHWC, cudnn.CUDNN_DATA_FLOAT, n, c, h, w)),
        (cudnn.cudnnSetTensor4dDescriptorEx,
         (cudnn.CUDNN_DATA_FLOAT, n, c, h, w, c * h * pitch, h * pitch, pitch, 1)),
        (cudnn.cudnnSetTensor4dDescriptorEx,
         (cudnn.CUDNN_DATA_FLOAT, n, c, h, len(range(0, w, 2)), c * h * w, h * w, w, 2)),
    )
    for row, (set_descriptor, arguments) in enumerate(ways):
        desc = cudnn.cudnnCreateTensorDescriptor()
        set_descriptor(desc, *arguments)
        strides[row] = cudnn.cudnnGetTensor4dDescriptor(desc)[5:]
        cudnn.cudnnDestroyTensorDescriptor(desc)
