# verdict: wrong_answer
# case: first-layer
# why: passes input channels before output channels
import libcudnn as cudnn


def describe_filter(inputs, outputs, groups, r, s, half, channels_last, report):
    filter_ = cudnn.cudnnCreateFilterDescriptor()
    dtype = cudnn.CUDNN_DATA_HALF if half else cudnn.CUDNN_DATA_FLOAT
    layout = cudnn.CUDNN_TENSOR_NHWC if channels_last else cudnn.CUDNN_TENSOR_NCHW
    cudnn.cudnnSetFilter4dDescriptor(filter_, dtype, layout, inputs // groups, outputs, r, s)
    _, format_, *sizes = cudnn.cudnnGetFilter4dDescriptor(filter_)
    report[:] = (*sizes, format_, cudnn.cudnnGetFilterSizeInBytes(filter_))
    cudnn.cudnnDestroyFilterDescriptor(filter_)
