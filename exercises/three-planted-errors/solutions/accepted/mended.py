import sys

import cupy as cp
import libcudnn as cudnn

b = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
x = cp.arange(-4, 5, dtype=cp.float32)
w = cp.asarray([1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, -1], dtype=cp.float32)  # three filters of 2×2
bias = cp.asarray([b, 0, 2 * b], dtype=cp.float32)
y = cp.zeros(12, dtype=cp.float32)

handle = cudnn.cudnnCreate()
x_desc, y_desc, bias_desc = (cudnn.cudnnCreateTensorDescriptor() for _ in range(3))
w_desc, conv = cudnn.cudnnCreateFilterDescriptor(), cudnn.cudnnCreateConvolutionDescriptor()
relu = cudnn.cudnnCreateActivationDescriptor()

cudnn.cudnnSetTensor4dDescriptor(x_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, 1, 3, 3)
cudnn.cudnnSetFilter4dDescriptor(w_desc, cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_TENSOR_NCHW, 3, 1, 2, 2)
cudnn.cudnnSetConvolution2dDescriptor(conv, 0, 0, 1, 1, 1, 1, cudnn.CUDNN_CROSS_CORRELATION, cudnn.CUDNN_DATA_FLOAT)
cudnn.cudnnSetTensor4dDescriptor(y_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, 3, 2, 2)
cudnn.cudnnSetTensor4dDescriptor(bias_desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, 3, 1, 1)
cudnn.cudnnSetActivationDescriptor(relu, cudnn.CUDNN_ACTIVATION_RELU, cudnn.CUDNN_NOT_PROPAGATE_NAN, 0.0)

cudnn.cudnnConvolutionForward(handle, 1.0, x_desc, x, w_desc, w, conv,
                              cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, None, 0, 0.0, y_desc, y)
cudnn.cudnnAddTensor(handle, 1.0, bias_desc, bias, 1.0, y_desc, y)
cudnn.cudnnActivationForward(handle, relu, 1.0, y_desc, y, 0.0, y_desc, y)
for channel in cp.asnumpy(y).reshape(3, 4):
    print(*(f"{value:g}" for value in channel))

cudnn.cudnnDestroyActivationDescriptor(relu)
cudnn.cudnnDestroyConvolutionDescriptor(conv)
cudnn.cudnnDestroyFilterDescriptor(w_desc)
for desc in (bias_desc, y_desc, x_desc):
    cudnn.cudnnDestroyTensorDescriptor(desc)
cudnn.cudnnDestroy(handle)
