# verdict: wrong_answer
# case: gap-of-six
# why: gives the gaps to the images and not to the rows
import libcudnn as cudnn


def relu_rows(handle, x, y, H, W, pitch):
    """ReLU of a picture whose rows are `pitch` numbers apart (W of them are pixels) into y, whose rows lie close."""
    x_desc, y_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    relu = cudnn.cudnnCreateActivationDescriptor()
    cudnn.cudnnSetTensor4dDescriptorEx(x_desc, cudnn.CUDNN_DATA_FLOAT, 1, 1, H, W, H * pitch, H * pitch, W, 1)
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, 1, H, W)
    cudnn.cudnnSetActivationDescriptor(relu, cudnn.CUDNN_ACTIVATION_RELU, cudnn.CUDNN_NOT_PROPAGATE_NAN, 0.0)

    cudnn.cudnnActivationForward(handle, relu, 1.0, x_desc, x, 0.0, y_desc, y)

    cudnn.cudnnDestroyActivationDescriptor(relu)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
