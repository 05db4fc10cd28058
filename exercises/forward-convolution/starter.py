import cupy as cp
import libcudnn as cudnn


def convolve(handle, x, w, y, N, C, H, W, K, R, S,
             pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w, groups):
    x_desc = cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, N, C, H, W)

    # 1. Describe the filter and the convolution, too.
    # 2. Ask for the output's size and describe the output.
    # 3. Choose an algorithm, ask for its workspace, allocate it.
    # 4. Call cudnnConvolutionForward, then give everything back.

    cudnn.cudnnDestroyTensorDescriptor(x_desc)
