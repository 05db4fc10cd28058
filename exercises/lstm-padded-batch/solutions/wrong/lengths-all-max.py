# verdict: wrong_answer
# case: falling-lengths
# pattern: padding_read
# why: describes every sequence as T steps long, so padding is read as data
import cupy as cp
import libcudnn as cudnn


def place(handle, rnn, size, space, first, matrix, bias, H):
    """Copies the rows of each gate to where cuDNN wants them. first: 0 for the W, 4 for the R."""
    m_desc, b_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    for gate in range(4):
        m, b = cudnn.cudnnGetRNNWeightParams(handle, rnn, 0, size, space, first + gate, m_desc, b_desc)
        rows = slice(gate * H, (gate + 1) * H)
        for target, source in ((m, matrix[rows]), (b, bias[rows])):
            cudnn.cuda.cudaMemcpy(target, source, source.nbytes, cudnn.cuda.cudaMemcpyDeviceToDevice)
    cudnn.cudnnDestroyTensorDescriptor(b_desc)
    cudnn.cudnnDestroyTensorDescriptor(m_desc)


def run_lstm(handle, x, lengths, w_ih, w_hh, b_ih, b_hh, y, hy, cy, T, B, I, H):
    rnn, state = cudnn.cudnnCreateRNNDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    x_desc, y_desc = cudnn.cudnnCreateRNNDataDescriptor(), cudnn.cudnnCreateRNNDataDescriptor()
    cudnn.cudnnSetRNNDescriptor_v8(rnn, cudnn.CUDNN_RNN_ALGO_STANDARD, cudnn.CUDNN_LSTM, cudnn.CUDNN_RNN_DOUBLE_BIAS,
                                   cudnn.CUDNN_UNIDIRECTIONAL, cudnn.CUDNN_LINEAR_INPUT, cudnn.CUDNN_DATA_FLOAT,
                                   cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_DEFAULT_MATH, I, H, H, 1, None,
                                   cudnn.CUDNN_RNN_PADDED_IO_ENABLED)
    layout = cudnn.CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED
    cudnn.cudnnSetRNNDataDescriptor(x_desc, cudnn.CUDNN_DATA_FLOAT, layout, T, B, I, [T] * B, 0.0)
    cudnn.cudnnSetRNNDataDescriptor(y_desc, cudnn.CUDNN_DATA_FLOAT, layout, T, B, H, [T] * B, 0.0)
    cudnn.cudnnSetTensorNdDescriptor(state, cudnn.CUDNN_DATA_FLOAT, 3, [1, B, H], [B * H, H, 1])

    size = cudnn.cudnnGetRNNWeightSpaceSize(handle, rnn)
    weights = cp.empty(size // 4, dtype=cp.float32)
    place(handle, rnn, size, weights, 0, w_ih, b_ih, H)
    place(handle, rnn, size, weights, 4, w_hh, b_hh, H)
    work_size, _ = cudnn.cudnnGetRNNTempSpaceSizes(handle, rnn, cudnn.CUDNN_FWD_MODE_INFERENCE, x_desc)
    work = cp.empty(work_size, dtype=cp.uint8)

    cudnn.cudnnRNNForward(handle, rnn, cudnn.CUDNN_FWD_MODE_INFERENCE, cp.full(B, T, dtype=cp.int32), x_desc, x, y_desc, y, state,
                          None, hy, state, None, cy, size, weights, work_size, work, 0, None)

    cudnn.cudnnDestroyRNNDataDescriptor(y_desc)
    cudnn.cudnnDestroyRNNDataDescriptor(x_desc)
    cudnn.cudnnDestroyTensorDescriptor(state)
    cudnn.cudnnDestroyRNNDescriptor(rnn)
