# verdict: wrong_answer
# why: puts the 6 into alpha, which scales the result
import libcudnn as cudnn


def relu6(handle, x, y, count):
    """ReLU6: y = min(max(x, 0), 6), for count numbers."""
    desc, relu = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateActivationDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, 1, 1, count)
    cudnn.cudnnSetActivationDescriptor(relu, cudnn.CUDNN_ACTIVATION_CLIPPED_RELU, cudnn.CUDNN_NOT_PROPAGATE_NAN, 1.0)

    cudnn.cudnnActivationForward(handle, relu, 6.0, desc, x, 0.0, desc, y)

    cudnn.cudnnDestroyActivationDescriptor(relu)
    cudnn.cudnnDestroyTensorDescriptor(desc)
