import libcudnn as cudnn


def activate(handle, x, y, N, C, H, W, mode, coefficient):
    desc = cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)

    # 1. Create an activation descriptor, set mode and coefficient.
    # 2. SWISH reads its beta from elsewhere, and cudnnActivationForward refuses IDENTITY.
    # 3. y = f(x), then give everything back.

    cudnn.cudnnDestroyTensorDescriptor(desc)
