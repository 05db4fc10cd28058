# verdict: wrong_answer
# case: photographs
# why: steps by C instead of by the padded number of channels
import libcudnn as cudnn


def pad_channels(handle, x, padded, N, C, H, W):
    wide = (C + 7) // 8 * 8
    padded.fill(0)
    source, target = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(source, cudnn.CUDNN_TENSOR_NHWC, cudnn.CUDNN_DATA_HALF, N, C, H, W)
    cudnn.cudnnSetTensor4dDescriptorEx(target, cudnn.CUDNN_DATA_HALF, N, C, H, W, H * W * C, 1, W * C, C)
    cudnn.cudnnTransformTensor(handle, 1.0, source, x, 0.0, target, padded)
    cudnn.cudnnDestroyTensorDescriptor(target)
    cudnn.cudnnDestroyTensorDescriptor(source)
