# verdict: wrong_answer
# case: one-shorter
# why: calls every sentence T words long, so padding is read as words
import cupy as cp
import libcudnn as cudnn


def place(handle, rnn, size, space, line, matrix):
    """Copies a matrix to its place: W is line 0, R is line 1."""
    m_desc, b_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    m, _ = cudnn.cudnnGetRNNWeightParams(handle, rnn, 0, size, space, line, m_desc, b_desc)
    cudnn.cuda.cudaMemcpy(m, matrix, matrix.nbytes, cudnn.cuda.cudaMemcpyDeviceToDevice)
    cudnn.cudnnDestroyTensorDescriptor(b_desc)
    cudnn.cudnnDestroyTensorDescriptor(m_desc)


def sentence_states(handle, x, lengths, w, r, states, T, B, I, H):
    rnn, state = cudnn.cudnnCreateRNNDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    x_desc, y_desc = cudnn.cudnnCreateRNNDataDescriptor(), cudnn.cudnnCreateRNNDataDescriptor()
    cudnn.cudnnSetRNNDescriptor_v8(rnn, cudnn.CUDNN_RNN_ALGO_STANDARD, cudnn.CUDNN_RNN_TANH, cudnn.CUDNN_RNN_NO_BIAS,
                                   cudnn.CUDNN_UNIDIRECTIONAL, cudnn.CUDNN_LINEAR_INPUT, cudnn.CUDNN_DATA_FLOAT,
                                   cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_DEFAULT_MATH, I, H, H, 1, None,
                                   cudnn.CUDNN_RNN_PADDED_IO_ENABLED)
    layout = cudnn.CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED
    cudnn.cudnnSetRNNDataDescriptor(x_desc, cudnn.CUDNN_DATA_FLOAT, layout, T, B, I, [T] * B, 0.0)
    cudnn.cudnnSetRNNDataDescriptor(y_desc, cudnn.CUDNN_DATA_FLOAT, layout, T, B, H, [T] * B, 0.0)
    cudnn.cudnnSetTensorNdDescriptor(state, cudnn.CUDNN_DATA_FLOAT, 3, [1, B, H], [B * H, H, 1])

    size = cudnn.cudnnGetRNNWeightSpaceSize(handle, rnn)
    weights, y = cp.empty(size // 4, dtype=cp.float32), cp.empty((T, B, H), dtype=cp.float32)
    place(handle, rnn, size, weights, 0, w)
    place(handle, rnn, size, weights, 1, r)
    work_size, _ = cudnn.cudnnGetRNNTempSpaceSizes(handle, rnn, cudnn.CUDNN_FWD_MODE_INFERENCE, x_desc)
    work = cp.empty(work_size, dtype=cp.uint8)

    cudnn.cudnnRNNForward(handle, rnn, cudnn.CUDNN_FWD_MODE_INFERENCE, cp.full(B, T, dtype=cp.int32), x_desc, x, y_desc, y, state,
                          None, None, None, None, None, size, weights, work_size, work, 0, None)
    states[:] = y[T - 1]

    cudnn.cudnnDestroyRNNDataDescriptor(y_desc)
    cudnn.cudnnDestroyRNNDataDescriptor(x_desc)
    cudnn.cudnnDestroyTensorDescriptor(state)
    cudnn.cudnnDestroyRNNDescriptor(rnn)
