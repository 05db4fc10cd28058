# verdict: wrong_answer
# case: two-sentences
# pattern: states_not_side_by_side
# why: copies hy as it lies, all forward states before all backward ones
import cupy as cp
import libcudnn as cudnn


def place(handle, rnn, size, space, way, line, matrix, bias, H):
    """Copies the rows of each gate to where cuDNN wants them. line: 0 for the W, 3 for the R."""
    m_desc, b_desc = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    for gate in range(3):
        m, b = cudnn.cudnnGetRNNWeightParams(handle, rnn, way, size, space, line + gate, m_desc, b_desc)
        rows = slice(gate * H, (gate + 1) * H)
        for target, source in ((m, matrix[rows]), (b, bias[rows])):
            cudnn.cuda.cudaMemcpy(target, source, source.nbytes, cudnn.cuda.cudaMemcpyDeviceToDevice)
    cudnn.cudnnDestroyTensorDescriptor(b_desc)
    cudnn.cudnnDestroyTensorDescriptor(m_desc)


def encode(handle, x, lengths, w_ih, w_hh, b_ih, b_hh, code, T, B, I, H):
    rnn, state = cudnn.cudnnCreateRNNDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    x_desc, y_desc = cudnn.cudnnCreateRNNDataDescriptor(), cudnn.cudnnCreateRNNDataDescriptor()
    cudnn.cudnnSetRNNDescriptor_v8(rnn, cudnn.CUDNN_RNN_ALGO_STANDARD, cudnn.CUDNN_GRU, cudnn.CUDNN_RNN_DOUBLE_BIAS,
                                   cudnn.CUDNN_BIDIRECTIONAL, cudnn.CUDNN_LINEAR_INPUT, cudnn.CUDNN_DATA_FLOAT,
                                   cudnn.CUDNN_DATA_FLOAT, cudnn.CUDNN_DEFAULT_MATH, I, H, H, 1, None,
                                   cudnn.CUDNN_RNN_PADDED_IO_ENABLED)
    layout = cudnn.CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED
    cudnn.cudnnSetRNNDataDescriptor(x_desc, cudnn.CUDNN_DATA_FLOAT, layout, T, B, I, lengths.tolist(), 0.0)
    cudnn.cudnnSetRNNDataDescriptor(y_desc, cudnn.CUDNN_DATA_FLOAT, layout, T, B, 2 * H, lengths.tolist(), 0.0)
    cudnn.cudnnSetTensorNdDescriptor(state, cudnn.CUDNN_DATA_FLOAT, 3, [2, B, H], [B * H, H, 1])

    size = cudnn.cudnnGetRNNWeightSpaceSize(handle, rnn)
    weights = cp.empty(size // 4, dtype=cp.float32)
    for way in range(2):
        place(handle, rnn, size, weights, way, 0, w_ih[way], b_ih[way], H)
        place(handle, rnn, size, weights, way, 3, w_hh[way], b_hh[way], H)
    work_size, _ = cudnn.cudnnGetRNNTempSpaceSizes(handle, rnn, cudnn.CUDNN_FWD_MODE_INFERENCE, x_desc)
    work = cp.empty(work_size, dtype=cp.uint8)
    y, hy = cp.empty((T, B, 2 * H), dtype=cp.float32), cp.empty((2, B, H), dtype=cp.float32)

    cudnn.cudnnRNNForward(handle, rnn, cudnn.CUDNN_FWD_MODE_INFERENCE, cp.asarray(lengths), x_desc, x, y_desc, y, state,
                          None, hy, None, None, None, size, weights, work_size, work, 0, None)
    code[:] = hy.reshape(B, 2 * H)

    cudnn.cudnnDestroyRNNDataDescriptor(y_desc)
    cudnn.cudnnDestroyRNNDataDescriptor(x_desc)
    cudnn.cudnnDestroyTensorDescriptor(state)
    cudnn.cudnnDestroyRNNDescriptor(rnn)
