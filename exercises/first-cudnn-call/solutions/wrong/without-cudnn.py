# verdict: api_misuse
# why: computes with CuPy, without the call that the exercise is about
import libcudnn as cudnn


def multiply(handle, y, count, factor):
    desc = cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, 1, 1, 1, count)
    y *= factor
    cudnn.cudnnDestroyTensorDescriptor(desc)
