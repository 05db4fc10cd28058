# verdict: wrong_answer
# why: looks for the largest probability along the images instead of the digits
from contextlib import ExitStack
import cupy as cp
import numpy as np
import libcudnn as cudnn

F = cudnn.CUDNN_DATA_FLOAT


def packed(dims):
    s = [1]
    for d in reversed(dims[1:]):
        s.insert(0, s[0] * d)
    return s


class Net(ExitStack):
    def __init__(self, handle):
        super().__init__()
        self.handle = handle

    def make(self, kind):
        d = getattr(cudnn, f"cudnnCreate{kind}Descriptor")()
        self.callback(getattr(cudnn, f"cudnnDestroy{kind}Descriptor"), d)
        return d

    def tensor(self, dims):
        d = self.make("Tensor")
        cudnn.cudnnSetTensorNdDescriptor(d, F, len(dims), dims, packed(dims))
        return d

    def conv(self, x, w, b, pad):
        xd = self.tensor(list(x.shape))
        wd, cd = self.make("Filter"), self.make("Convolution")
        cudnn.cudnnSetFilterNdDescriptor(wd, F, cudnn.CUDNN_TENSOR_NCHW, 4, list(w.shape))
        cudnn.cudnnSetConvolutionNdDescriptor(cd, 2, [pad, pad], [1, 1], [1, 1], cudnn.CUDNN_CROSS_CORRELATION, F)
        dims = cudnn.cudnnGetConvolutionNdForwardOutputDim(cd, xd, wd, 4)
        yd = self.tensor(dims)
        y = cp.empty(dims, dtype=cp.float32)
        best = cudnn.cudnnGetConvolutionForwardAlgorithm_v7(self.handle, xd, wd, cd, yd, 1)[0]
        n = cudnn.cudnnGetConvolutionForwardWorkspaceSize(self.handle, xd, wd, cd, yd, best.algo)
        ws = cp.cuda.alloc(n) if n else None
        cudnn.cudnnConvolutionForward(self.handle, 1.0, xd, x, wd, w, cd, best.algo, ws.ptr if ws else 0, n, 0.0, yd, y)
        cudnn.cudnnAddTensor(self.handle, 1.0, self.tensor([1, dims[1], 1, 1]), b, 1.0, yd, y)
        return yd, y

    def relu_pool(self, yd, y):
        act = self.make("Activation")
        cudnn.cudnnSetActivationDescriptor(act, cudnn.CUDNN_ACTIVATION_CLIPPED_RELU, cudnn.CUDNN_PROPAGATE_NAN, 1e30)
        cudnn.cudnnActivationForward(self.handle, act, 1.0, yd, y, 0.0, yd, y)
        pool = self.make("Pooling")
        cudnn.cudnnSetPoolingNdDescriptor(pool, cudnn.CUDNN_POOLING_MAX_DETERMINISTIC, cudnn.CUDNN_NOT_PROPAGATE_NAN, 2, [2, 2], [0, 0], [2, 2])
        dims = cudnn.cudnnGetPoolingNdForwardOutputDim(pool, yd, 4)
        out = cp.empty(dims, dtype=cp.float32)
        cudnn.cudnnPoolingForward(self.handle, pool, 1.0, yd, y, 0.0, self.tensor(dims), out)
        return out


def classify(handle, images, conv1, conv1_bias, conv2, conv2_bias, dense, dense_bias, labels, probabilities, right, N):
    with Net(handle) as net:
        a = net.relu_pool(*net.conv(images, conv1, conv1_bias, 1))
        b = net.relu_pool(*net.conv(a, conv2, conv2_bias, 1))
        yd, scores = net.conv(b, dense, dense_bias, 0)
        cudnn.cudnnSoftmaxForward(handle, cudnn.CUDNN_SOFTMAX_FAST, cudnn.CUDNN_SOFTMAX_MODE_CHANNEL, 1.0, yd, scores, 0.0, yd, probabilities)
        right[0] = np.count_nonzero(cp.asnumpy(probabilities).argmax(axis=0) == labels[:10])
