import libcudnn as cudnn


def relu_rows(handle, x, y, H, W, pitch):
    act = cudnn.cudnnCreateActivationDescriptor()
    cudnn.cudnnSetActivationDescriptor(act, cudnn.CUDNN_ACTIVATION_RELU, cudnn.CUDNN_PROPAGATE_NAN, 0.0)
    descs = []
    for step in (pitch, W):
        d = cudnn.cudnnCreateTensorDescriptor()
        cudnn.cudnnSetTensorNdDescriptor(d, cudnn.CUDNN_DATA_FLOAT, 4, [H, 1, 1, W], [step, step, step, 1])
        descs.append(d)
    cudnn.cudnnActivationForward(handle, act, 1.0, descs[0], x, 0.0, descs[1], y)
    for d in descs:
        cudnn.cudnnDestroyTensorDescriptor(d)
    cudnn.cudnnDestroyActivationDescriptor(act)
