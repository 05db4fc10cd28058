# verdict: wrong_answer
# case: two-by-two
# why: takes INSTANCE for the softmax of each position, and CHANNEL for that of the image
import libcudnn as cudnn


def two_softmaxes(handle, x, per_image, per_position, N, C, H, W):
    desc = cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)

    cudnn.cudnnSoftmaxForward(handle, cudnn.CUDNN_SOFTMAX_ACCURATE, cudnn.CUDNN_SOFTMAX_MODE_CHANNEL,
                              1.0, desc, x, 0.0, desc, per_image)
    cudnn.cudnnSoftmaxForward(handle, cudnn.CUDNN_SOFTMAX_ACCURATE, cudnn.CUDNN_SOFTMAX_MODE_INSTANCE,
                              1.0, desc, x, 0.0, desc, per_position)

    cudnn.cudnnDestroyTensorDescriptor(desc)
