import libcudnn as cudnn


def activate(handle, x, y, N, C, H, W, mode, coefficient):
    desc = cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    activation = cudnn.cudnnCreateActivationDescriptor()
    cudnn.cudnnSetActivationDescriptor(activation, mode, cudnn.CUDNN_PROPAGATE_NAN, coefficient)
    if mode == cudnn.CUDNN_ACTIVATION_SWISH:
        cudnn.cudnnSetActivationDescriptorSwishBeta(activation, coefficient)

    if mode == cudnn.CUDNN_ACTIVATION_IDENTITY:
        cudnn.cudnnTransformTensor(handle, 1.0, desc, x, 0.0, desc, y)
    else:
        cudnn.cudnnActivationForward(handle, activation, 1.0, desc, x, 0.0, desc, y)

    cudnn.cudnnDestroyActivationDescriptor(activation)
    cudnn.cudnnDestroyTensorDescriptor(desc)
