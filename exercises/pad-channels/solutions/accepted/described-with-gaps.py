import libcudnn as c


def pad_channels(handle, x, padded, N, C, H, W):
    wide = (C + 7) // 8 * 8
    a, b = c.cudnnCreateTensorDescriptor(), c.cudnnCreateTensorDescriptor()
    c.cudnnSetTensor4dDescriptor(b, c.CUDNN_TENSOR_NHWC, c.CUDNN_DATA_HALF, N, wide, H, W)
    c.cudnnSetTensor(handle, b, padded, 0.0)
    c.cudnnSetTensor4dDescriptor(a, c.CUDNN_TENSOR_NHWC, c.CUDNN_DATA_HALF, N, C, H, W)
    c.cudnnSetTensor4dDescriptorEx(b, c.CUDNN_DATA_HALF, N, C, H, W, H * W * wide, 1, W * wide, wide)
    c.cudnnTransformTensor(handle, 1.0, a, x, 0.0, b, padded)
    c.cudnnDestroyTensorDescriptor(b)
    c.cudnnDestroyTensorDescriptor(a)
