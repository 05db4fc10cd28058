# verdict: wrong_answer
# case: as-wide-as-channels
# why: changes the format of the bias, which lies along the width as before
import libcudnn as cudnn


def add_bias(handle, bias, y, N, K, P, Q):
    """Adds bias[k] to every value of channel k of y (N×K×P×Q), in place."""
    bias_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(bias_desc, cudnn.CUDNN_TENSOR_NHWC, cudnn.CUDNN_DATA_FLOAT, 1, 1, 1, K)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, K, P, Q)

    cudnn.cudnnAddTensor(handle, 1.0, bias_desc, bias, 1.0, y_desc, y)

    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(bias_desc)
