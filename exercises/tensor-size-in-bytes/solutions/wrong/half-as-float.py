# verdict: wrong_answer
# case: lesson
# why: describes the half tensor as float, which is twice as large
import libcudnn as cudnn


def sizes(n, c, h, w, pitch, bytes):
    desc = cudnn.cudnnCreateTensorDescriptor()

    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, n, c, h, w)
    bytes[0] = cudnn.cudnnGetTensorSizeInBytes(desc)

    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NHWC, cudnn.CUDNN_DATA_FLOAT, n, c, h, w)
    bytes[1] = cudnn.cudnnGetTensorSizeInBytes(desc)

    rows_apart = (c * h * pitch, h * pitch, pitch, 1)
    cudnn.cudnnSetTensor4dDescriptorEx(desc, cudnn.CUDNN_DATA_FLOAT, n, c, h, w, *rows_apart)
    bytes[2] = cudnn.cudnnGetTensorSizeInBytes(desc)

    cudnn.cudnnSetTensor4dDescriptorEx(desc, cudnn.CUDNN_DATA_DOUBLE, n, c, h, w, *rows_apart)
    bytes[3] = cudnn.cudnnGetTensorSizeInBytes(desc)

    cudnn.cudnnDestroyTensorDescriptor(desc)
