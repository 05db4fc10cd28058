# verdict: api_misuse
# rule: handle_per_call
# why: keeps a handle for two images instead of one
import libcudnn as cudnn


def relu_images(y, N, size):
    """ReLU in place, image by image: y holds N images of `size` numbers."""
    desc, relu = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateActivationDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, 1, 1, size)
    cudnn.cudnnSetActivationDescriptor(relu, cudnn.CUDNN_ACTIVATION_RELU, cudnn.CUDNN_NOT_PROPAGATE_NAN, 0.0)

    for i in range(N):
        if i % 2 == 0:
            handle = cudnn.cudnnCreate()
        cudnn.cudnnActivationForward(handle, relu, 1.0, desc, y[i], 0.0, desc, y[i])
        if i % 2 == 1 or i == N - 1:
            cudnn.cudnnDestroy(handle)

    cudnn.cudnnDestroyActivationDescriptor(relu)
    cudnn.cudnnDestroyTensorDescriptor(desc)
