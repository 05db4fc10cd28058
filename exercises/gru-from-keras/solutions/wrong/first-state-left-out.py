# verdict: wrong_answer
# case: one-step
# why: passes no first state, which means zeros
import cupy as cp
import libcudnn as cudnn
import numpy as np


def place(handle, rnn, size, space, first, matrix, bias, H):
    """Copies Keras's columns z, r, n to cuDNN's rows r, z, n. first: 0 for the W, 3 for the R."""
    m_desc, b_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    for gate, block in enumerate((1, 0, 2)):
        m, b = cudnn.cudnnGetRNNWeightParams(handle, rnn, 0, size, space, first + gate, m_desc, b_desc)
        columns = slice(block * H, (block + 1) * H)
        for target, source in ((m, np.ascontiguousarray(matrix[:, columns].T)), (b, bias[columns])):
            cudnn.cuda.cudaMemcpy(target, source, source.nbytes, cudnn.cuda.cudaMemcpyHostToDevice)
    cudnn.cudnnDestroyTensorDescriptor(b_desc)
    cudnn.cudnnDestroyTensorDescriptor(m_desc)


def run_gru(handle, x, h0, kernel, recurrent, bias, y, hy, B, T, I, H):
    rnn, state = cudnn.cudnnCreateRNNDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    x_desc, y_desc = cudnn.cudnnCreateRNNDataDescriptor(), cudnn.cudnnCreateRNNDataDescriptor()
    cudnn.cudnnSetRNNDescriptor_v8(rnn, cudnn.CUDNN_RNN_ALGO_STANDARD, cudnn.CUDNN_GRU, cudnn.CUDNN_RNN_DOUBLE_BIAS,
                                   cudnn.CUDNN_UNIDIRECTIONAL, cudnn.CUDNN_LINEAR_INPUT, cudnn.CUDNN_DATA_FLOAT,
                                   cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_DEFAULT_MATH, I, H, H, 1, None,
                                   cudnn.CUDNN_RNN_PADDED_IO_ENABLED)
    layout = cudnn.CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED
    cudnn.cudnnSetRNNDataDescriptor(x_desc, cudnn.CUDNN_DATA_FLOAT, layout, T, B, I, [T] * B, None)
    cudnn.cudnnSetRNNDataDescriptor(y_desc, cudnn.CUDNN_DATA_FLOAT, layout, T, B, H, [T] * B, None)
    cudnn.cudnnSetTensorNdDescriptor(state, cudnn.CUDNN_DATA_FLOAT, 3, [1, B, H], [B * H, H, 1])

    size = cudnn.cudnnGetRNNWeightSpaceSize(handle, rnn)
    weights = cp.empty(size // 4, dtype=cp.float32)
    place(handle, rnn, size, weights, 0, kernel, bias[0], H)
    place(handle, rnn, size, weights, 3, recurrent, bias[1], H)
    work_size, _ = cudnn.cudnnGetRNNTempSpaceSizes(handle, rnn, cudnn.CUDNN_FWD_MODE_INFERENCE, x_desc)
    work, lengths = cp.empty(work_size, dtype=cp.uint8), cp.full(B, T, dtype=cp.int32)

    cudnn.cudnnRNNForward(handle, rnn, cudnn.CUDNN_FWD_MODE_INFERENCE, lengths, x_desc, x, y_desc, y, state, None, hy,
                          None, None, None, size, weights, work_size, work, 0, None)

    cudnn.cudnnDestroyRNNDataDescriptor(y_desc)
    cudnn.cudnnDestroyRNNDataDescriptor(x_desc)
    cudnn.cudnnDestroyTensorDescriptor(state)
    cudnn.cudnnDestroyRNNDescriptor(rnn)
