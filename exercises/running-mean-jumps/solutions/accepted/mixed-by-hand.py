import cupy as cp
import libcudnn as cudnn


def train_step(handle, x, scale, bias, running_mean, running_variance, y, N, C, H, W, keep):
    """One training step of batch normalization. The running statistics keep the share `keep` of what they were."""
    desc, channels = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnDeriveBNTensorDescriptor(channels, desc, cudnn.CUDNN_BATCHNORM_SPATIAL)

    # This batch's statistics by themselves (factor 1), then mixed with the old ones.
    mean, variance = cp.zeros(C, dtype=cp.float32), cp.zeros(C, dtype=cp.float32)
    cudnn.cudnnBatchNormalizationForwardTraining(handle, cudnn.CUDNN_BATCHNORM_SPATIAL, 1.0, 0.0, desc, x, desc, y,
                                                 channels, scale, bias, 1.0, mean, variance,
                                                 1e-5, None, None)
    running_mean[...] = keep * running_mean + (1 - keep) * mean
    running_variance[...] = keep * running_variance + (1 - keep) * variance

    cudnn.cudnnDestroyTensorDescriptor(channels)
    cudnn.cudnnDestroyTensorDescriptor(desc)
