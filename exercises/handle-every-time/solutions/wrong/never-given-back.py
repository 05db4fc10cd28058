# verdict: api_misuse
# rule: leaks_handle
# why: one handle, which is never destroyed
import libcudnn as cudnn


def relu_images(y, N, size):
    """ReLU in place, image by image: y holds N images of `size` numbers."""
    handle = cudnn.cudnnCreate()
    desc, relu = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateActivationDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, 1, 1, size)
    cudnn.cudnnSetActivationDescriptor(relu, cudnn.CUDNN_ACTIVATION_RELU, cudnn.CUDNN_NOT_PROPAGATE_NAN, 0.0)

    for i in range(N):
        cudnn.cudnnActivationForward(handle, relu, 1.0, desc, y[i], 0.0, desc, y[i])

    cudnn.cudnnDestroyActivationDescriptor(relu)
    cudnn.cudnnDestroyTensorDescriptor(desc)
