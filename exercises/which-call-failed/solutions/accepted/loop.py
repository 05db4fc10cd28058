from contextlib import ExitStack

import libcudnn as cudnn


def diagnose(N, C, H, W, K, filter_c, R, S, pad, stride, report):
    with ExitStack() as stack:

        def made(create, destroy):
            thing = create()
            stack.callback(destroy, thing)
            return thing

        x = made(cudnn.cudnnCreateTensorDescriptor, cudnn.cudnnDestroyTensorDescriptor)
        w = made(cudnn.cudnnCreateFilterDescriptor, cudnn.cudnnDestroyFilterDescriptor)
        conv = made(cudnn.cudnnCreateConvolutionDescriptor, cudnn.cudnnDestroyConvolutionDescriptor)
        steps = (
            lambda: cudnn.cudnnSetTensor4dDescriptor(
                x, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W),
            lambda: cudnn.cudnnSetFilter4dDescriptor(
                w, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, K, filter_c, R, S),
            lambda: cudnn.cudnnSetConvolution2dDescriptor(
                conv, pad, pad, stride, stride, 1, 1, cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT),
            lambda: cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x, w),
        )
        for number, step in enumerate(steps, start=1):
            try:
                answer = step()
            except cudnn.CudnnError as error:
                report[:] = (number, error.status, 0, 0, 0, 0)
                return
        report[:] = (0, 0, *answer)
