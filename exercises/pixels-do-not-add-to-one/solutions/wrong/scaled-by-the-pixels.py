# verdict: wrong_answer
# case: small-map
# why: multiplies by the number of pixels, which makes the sums about right and the values wrong
import libcudnn as cudnn


def classify(handle, x, y, N, C, H, W):
    """Class probabilities of each pixel: softmax of x (N×C×H×W) over the C classes."""
    desc = cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)

    cudnn.cudnnSoftmaxForward(handle, cudnn.CUDNN_SOFTMAX_ACCURATE, cudnn.CUDNN_SOFTMAX_MODE_INSTANCE,
                              float(H * W), desc, x, 0.0, desc, y)

    cudnn.cudnnDestroyTensorDescriptor(desc)
