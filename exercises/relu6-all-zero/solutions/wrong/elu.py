# verdict: wrong_answer
# why: takes ELU, whose coefficient is the lower bound
import libcudnn as cudnn


def relu6(handle, x, y, count):
    """ReLU6: y = min(max(x, 0), 6), for count numbers."""
    desc, relu = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateActivationDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, 1, 1, count)
    cudnn.cudnnSetActivationDescriptor(relu, cudnn.CUDNN_ACTIVATION_ELU, cudnn.CUDNN_NOT_PROPAGATE_NAN, 6.0)

    cudnn.cudnnActivationForward(handle, relu, 1.0, desc, x, 0.0, desc, y)

    cudnn.cudnnDestroyActivationDescriptor(relu)
    cudnn.cudnnDestroyTensorDescriptor(desc)
