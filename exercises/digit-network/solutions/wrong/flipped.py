# verdict: wrong_answer
# pattern: flipped_filter
# why: uses CUDNN_CONVOLUTION, which flips the filters
import cupy as cp
import libcudnn as cudnn

NCHW, FLOAT = cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT


def tensor(*dims):
    """Describes a packed float tensor."""
    desc = cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, NCHW, FLOAT, *dims)
    return desc


def layer(handle, x, weights, bias, pad, relu):
    """x * weights + bias, then ReLU where asked for."""
    (N, C, H, W), (K, _, R, S) = x.shape, weights.shape
    x_desc, bias_desc = tensor(N, C, H, W), tensor(1, K, 1, 1)
    w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
    cudnn.cudnnSetFilter4dDescriptor(w_desc, FLOAT, NCHW, K, C, R, S)
    cudnn.cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1, cudnn.CUDNN_CONVOLUTION, FLOAT)
    dims = cudnn.cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc)
    y, y_desc = cp.empty(dims, dtype=cp.float32), tensor(*dims)

    algo = cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM
    size = cudnn.cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, algo)
    workspace = cp.empty(size, dtype=cp.uint8) if size else None
    cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x, w_desc, weights, conv, algo, workspace, size,
                                  0.0, y_desc, y)
    cudnn.cudnnAddTensor(handle, 1.0, bias_desc, bias, 1.0, y_desc, y)
    if relu:
        activation = cudnn.cudnnCreateActivationDescriptor()
        cudnn.cudnnSetActivationDescriptor(activation, cudnn.CUDNN_ACTIVATION_RELU, cudnn.CUDNN_NOT_PROPAGATE_NAN, 0.0)
        cudnn.cudnnActivationForward(handle, activation, 1.0, y_desc, y, 0.0, y_desc, y)
        cudnn.cudnnDestroyActivationDescriptor(activation)

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w_desc)
    for desc in (x_desc, y_desc, bias_desc):
        cudnn.cudnnDestroyTensorDescriptor(desc)
    return y


def pool(handle, x):
    """Halves both sides: the largest of every 2 x 2 window."""
    N, C, H, W = x.shape
    y = cp.empty((N, C, H // 2, W // 2), dtype=cp.float32)
    x_desc, y_desc = tensor(*x.shape), tensor(*y.shape)
    window = cudnn.cudnnCreatePoolingDescriptor()
    cudnn.cudnnSetPooling2dDescriptor(window, cudnn.CUDNN_POOLING_MAX, cudnn.CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2)
    cudnn.cudnnPoolingForward(handle, window, 1.0, x_desc, x, 0.0, y_desc, y)
    cudnn.cudnnDestroyPoolingDescriptor(window)
    cudnn.cudnnDestroyTensorDescriptor(y_desc)
    cudnn.cudnnDestroyTensorDescriptor(x_desc)
    return y


def classify(handle, images, conv1, conv1_bias, conv2, conv2_bias, dense, dense_bias, labels, probabilities, right, N):
    x = pool(handle, layer(handle, images, conv1, conv1_bias, 1, True))  # N x 8 x 4 x 4
    x = pool(handle, layer(handle, x, conv2, conv2_bias, 1, True))       # N x 16 x 2 x 2
    x = layer(handle, x, dense, dense_bias, 0, False)                    # N x 10 x 1 x 1

    scores = tensor(N, 10, 1, 1)
    cudnn.cudnnSoftmaxForward(handle, cudnn.CUDNN_SOFTMAX_ACCURATE, cudnn.CUDNN_SOFTMAX_MODE_CHANNEL,
                              1.0, scores, x, 0.0, scores, probabilities)
    cudnn.cudnnDestroyTensorDescriptor(scores)
    right[0] = (cp.asnumpy(probabilities).argmax(axis=1) == labels).sum()
