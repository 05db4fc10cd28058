# verdict: wrong_answer
# case: grouped
# why: divides the outputs by the groups as well
import libcudnn as cudnn


def describe_filter(inputs, outputs, groups, r, s, half, channels_last, report):
    f = cudnn.cudnnCreateFilterDescriptor()
    try:
        cudnn.cudnnSetFilterNdDescriptor(
            f, cudnn.CUDNN_DATA_HALF if half else cudnn.CUDNN_DATA_FLOAT,
            cudnn.CUDNN_TENSOR_NHWC if channels_last else cudnn.CUDNN_TENSOR_NCHW, 4, [outputs // groups, inputs // groups, r, s])
        _, fmt, k, c, h, w = cudnn.cudnnGetFilter4dDescriptor(f)
        report[...] = k, c, h, w, int(fmt), cudnn.cudnnGetFilterSizeInBytes(f)
    finally:
        cudnn.cudnnDestroyFilterDescriptor(f)
