# verdict: wrong_answer
# why: uses an epsilon of its own
import libcudnn as cudnn


def normalise(handle, x, scale, bias, mean, variance, y, N, C, H, W, epsilon):
    desc, channels = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)
    cudnn.cudnnDeriveBNTensorDescriptor(channels, desc, cudnn.CUDNN_BATCHNORM_SPATIAL)

    cudnn.cudnnBatchNormalizationForwardInference(handle, cudnn.CUDNN_BATCHNORM_SPATIAL, 1.0, 0.0, desc, x, desc, y,
                                                  channels, scale, bias, mean, variance, 1e-5)

    cudnn.cudnnDestroyTensorDescriptor(channels)
    cudnn.cudnnDestroyTensorDescriptor(desc)
