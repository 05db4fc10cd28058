# verdict: wrong_answer
# case: three-channels
# why: describes one bias for everything, so only the first is read
import libcudnn as cudnn


def bias_relu(handle, y, bias, N, K, P, Q):
    y_desc, bias_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    relu = cudnn.cudnnCreateActivationDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, K, P, Q)
    cudnn.cudnnSetTensor4dDescriptor(bias_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, 1, 1, 1)
    cudnn.cudnnSetActivationDescriptor(relu, cudnn.CUDNN_ACTIVATION_RELU, cudnn.CUDNN_NOT_PROPAGATE_NAN, 0.0)

    cudnn.cudnnAddTensor(handle, 1.0, bias_desc, bias, 1.0, y_desc, y)
    cudnn.cudnnActivationForward(handle, relu, 1.0, y_desc, y, 0.0, y_desc, y)

    cudnn.cudnnDestroyActivationDescriptor(relu)
    cudnn.cudnnDestroyTensorDescriptor(bias_desc)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
