import cupy as cp
import libcudnn as cudnn

NCHW, FLOAT = cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT


def tensor(*dims):
    """Describes a packed float tensor."""
    desc = cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, NCHW, FLOAT, *dims)
    return desc


def classify(handle, images, conv1, conv1_bias, conv2, conv2_bias, dense, dense_bias, labels, probabilities, right, N):
    x_desc = tensor(N, 1, 8, 8)

    # 1. conv1 (3 x 3, padding 1), its bias, ReLU; maximum over 2 x 2 windows with stride 2: N x 8 x 4 x 4.
    # 2. conv2 (3 x 3, padding 1), its bias, ReLU; maximum over 2 x 2 windows with stride 2: N x 16 x 2 x 2.
    # 3. dense: a convolution whose filter is as large as its input, then its bias: N x 10 x 1 x 1. No ReLU.
    # 4. Softmax over the ten scores of each image, into `probabilities`.
    # 5. Copy the probabilities to the CPU, and count in `right` how often the largest is that of the label.

    cudnn.cudnnDestroyTensorDescriptor(x_desc)
