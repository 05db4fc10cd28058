# verdict: wrong_answer
# case: half-channels-last
# why: ignores that the numbers are of type half
import libcudnn as cudnn


def describe_filter(inputs, outputs, groups, r, s, half, channels_last, report):
    filter_ = cudnn.cudnnCreateFilterDescriptor()
    dtype = cudnn.CUDNN_DATA_FLOAT
    layout = cudnn.CUDNN_TENSOR_NHWC if channels_last else cudnn.CUDNN_TENSOR_NCHW
    cudnn.cudnnSetFilter4dDescriptor(filter_, dtype, layout, outputs, inputs // groups, r, s)
    _, format_, *sizes = cudnn.cudnnGetFilter4dDescriptor(filter_)
    report[:] = (*sizes, format_, cudnn.cudnnGetFilterSizeInBytes(filter_))
    cudnn.cudnnDestroyFilterDescriptor(filter_)
