import libcudnn as cudnn

TYPES = (cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_DATA_HALF)
FORMATS = (cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_TENSOR_NHWC)


def describe_filter(inputs, outputs, groups, r, s, half, channels_last, report):
    described = cudnn.cudnnCreateFilterDescriptor()
    try:
        cudnn.cudnnSetFilter4dDescriptor(described, TYPES[half], FORMATS[channels_last], outputs, inputs // groups, r, s)
        answer = cudnn.cudnnGetFilter4dDescriptor(described)
        report[:4] = answer[2:]
        report[4] = answer[1]
        report[5] = cudnn.cudnnGetFilterSizeInBytes(described)
    finally:
        cudnn.cudnnDestroyFilterDescriptor(described)
