import libcudnn as cudnn


def relu_first(handle, y, used, C, H, W):
    """ReLU in place on the first `used` of the N images in y (N×C×H×W). The rest stays as it is."""
    desc, relu = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateActivationDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, used, C, H, W)
    cudnn.cudnnSetActivationDescriptor(relu, cudnn.CUDNN_ACTIVATION_RELU, cudnn.CUDNN_NOT_PROPAGATE_NAN, 0.0)

    cudnn.cudnnActivationForward(handle, relu, 1.0, desc, y, 0.0, desc, y)

    cudnn.cudnnDestroyActivationDescriptor(relu)
    cudnn.cudnnDestroyTensorDescriptor(desc)
