# verdict: wrong_answer
# case: nine-tenths
# why: a factor of 0 keeps the running values calm: they never change
import libcudnn as cudnn


def train_step(handle, x, scale, bias, running_mean, running_variance, y, N, C, H, W, keep):
    """One training step of batch normalization. The running statistics keep the share `keep` of what they were."""
    desc, channels = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnDeriveBNTensorDescriptor(channels, desc, cudnn.CUDNN_BATCHNORM_SPATIAL)

    cudnn.cudnnBatchNormalizationForwardTraining(handle, cudnn.CUDNN_BATCHNORM_SPATIAL, 1.0, 0.0, desc, x, desc, y,
                                                 channels, scale, bias, 0.0, running_mean, running_variance,
                                                 1e-5, None, None)

    cudnn.cudnnDestroyTensorDescriptor(channels)
    cudnn.cudnnDestroyTensorDescriptor(desc)
