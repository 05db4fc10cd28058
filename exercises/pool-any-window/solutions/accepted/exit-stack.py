from contextlib import ExitStack

import libcudnn as cudnn


def pool(handle, x, y, N, C, H, W, window_h, window_w, pad_h, pad_w, stride_h, stride_w, mode):
    with ExitStack() as stack:

        def made(create, destroy):
            thing = create()
            stack.callback(destroy, thing)
            return thing

        x_desc = made(cudnn.cudnnCreateTensorDescriptor, cudnn.cudnnDestroyTensorDescriptor)
        y_desc = made(cudnn.cudnnCreateTensorDescriptor, cudnn.cudnnDestroyTensorDescriptor)
        pooling = made(cudnn.cudnnCreatePoolingDescriptor, cudnn.cudnnDestroyPoolingDescriptor)
        cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
        cudnn.cudnnSetPooling2dDescriptor(pooling, mode, cudnn.CUDNN_PROPAGATE_NAN, window_h, window_w, pad_h, pad_w,
                                          stride_h, stride_w)
        dims = cudnn.cudnnGetPooling2dForwardOutputDim(pooling, x_desc)
        cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, *dims)
        cudnn.cudnnPoolingForward(handle, pooling, 1.0, x_desc, x, 0.0, y_desc, y)
