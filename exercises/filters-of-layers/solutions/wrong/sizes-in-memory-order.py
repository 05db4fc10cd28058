# verdict: wrong_answer
# case: half-channels-last
# why: passes the sizes in the order of the memory: K, R, S, C for channels last
import libcudnn as cudnn


def describe_filter(inputs, outputs, groups, r, s, half, channels_last, report):
    filter_ = cudnn.cudnnCreateFilterDescriptor()
    sizes = (r, s, inputs // groups) if channels_last else (inputs // groups, r, s)
    dtype = cudnn.CUDNN_DATA_HALF if half else cudnn.CUDNN_DATA_FLOAT
    layout = cudnn.CUDNN_TENSOR_NHWC if channels_last else cudnn.CUDNN_TENSOR_NCHW
    cudnn.cudnnSetFilter4dDescriptor(filter_, dtype, layout, outputs, *sizes)
    _, format_, *sizes = cudnn.cudnnGetFilter4dDescriptor(filter_)
    report[:] = (*sizes, format_, cudnn.cudnnGetFilterSizeInBytes(filter_))
    cudnn.cudnnDestroyFilterDescriptor(filter_)
