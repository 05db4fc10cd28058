from contextlib import ExitStack

import libcudnn as cudnn


def bias_relu(handle, y, bias, N, K, P, Q):
    with ExitStack() as stack:

        def tensor(*dims):
            desc = cudnn.cudnnCreateTensorDescriptor()
            stack.callback(cudnn.cudnnDestroyTensorDescriptor, desc)
            cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, *dims)
            return desc

        y_desc, bias_desc = tensor(N, K, P, Q), tensor(1, K, 1, 1)
        relu = cudnn.cudnnCreateActivationDescriptor()
        stack.callback(cudnn.cudnnDestroyActivationDescriptor, relu)
        cudnn.cudnnSetActivationDescriptor(relu, cudnn.CUDNN_ACTIVATION_RELU, cudnn.CUDNN_PROPAGATE_NAN, 0.0)
        cudnn.cudnnAddTensor(handle, 1.0, bias_desc, bias, 1.0, y_desc, y)
        cudnn.cudnnActivationForward(handle, relu, 1.0, y_desc, y, 0.0, y_desc, y)
