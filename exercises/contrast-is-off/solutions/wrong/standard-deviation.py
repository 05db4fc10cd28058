# verdict: wrong_answer
# case: two-channels
# why: inverts it and forgets to square: that is the standard deviation
import cupy as cp
import libcudnn as cudnn


def normalise(handle, x, scale, bias, saved_mean, saved_inverse, y, N, C, H, W):
    """Normalises x (N×C×H×W) with what a training step saved: the mean, and 1 / sqrt(variance + epsilon)."""
    epsilon = 1e-5
    inverse = cp.asnumpy(saved_inverse).astype("float64")
    variance = cp.asarray((1 / inverse).astype("float32"))

    desc, channels = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnSetTensor4dDescriptor(channels, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, C, 1, 1)

    cudnn.cudnnBatchNormalizationForwardInference(handle, cudnn.CUDNN_BATCHNORM_SPATIAL, 1.0, 0.0, desc, x, desc, y,
                                                  channels, scale, bias, saved_mean, variance, epsilon)

    cudnn.cudnnDestroyTensorDescriptor(channels)
    cudnn.cudnnDestroyTensorDescriptor(desc)
