from contextlib import ExitStack

import libcudnn as cudnn


def output_dims(n, c, h, w, k, r, s, pad, stride, dilation, groups, dims):
    with ExitStack() as stack:
        made = {}
        for kind in ("Tensor", "Filter", "Convolution"):
            made[kind] = getattr(cudnn, f"cudnnCreate{kind}Descriptor")()
            stack.callback(getattr(cudnn, f"cudnnDestroy{kind}Descriptor"), made[kind])
        x, f, conv = made.values()
        cudnn.cudnnSetTensor4dDescriptor(x, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, n, c, h, w)
        cudnn.cudnnSetFilter4dDescriptor(f, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, k, c // groups, r, s)
        cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, dilation, dilation,
                                              cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
        cudnn.cudnnSetConvolutionGroupCount(conv, groups)
        dims[:] = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x, f)
