import cupy as cp
import numpy as np
import libcudnn as c


def run_gru(handle, x, h0, kernel, recurrent, bias, y, hy, B, T, I, H):
    F = c.CUDNN_DATA_FLOAT
    rnn, state = c.cudnnCreateRNNDescriptor(), c.cudnnCreateTensorDescriptor()
    xd, yd = c.cudnnCreateRNNDataDescriptor(), c.cudnnCreateRNNDataDescriptor()
    c.cudnnSetRNNDescriptor_v8(
        rnn,
        c.CUDNN_RNN_ALGO_STANDARD,
        c.CUDNN_GRU,
        c.CUDNN_RNN_DOUBLE_BIAS,
        c.CUDNN_UNIDIRECTIONAL,
        c.CUDNN_LINEAR_INPUT,
        F,
        F,
        c.CUDNN_DEFAULT_MATH,
        I,
        H,
        H,
        1,
        None,
        c.CUDNN_RNN_PADDED_IO_ENABLED,
    )
    lay = c.CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED
    c.cudnnSetRNNDataDescriptor(xd, F, lay, T, B, I, [T] * B, None)
    c.cudnnSetRNNDataDescriptor(yd, F, lay, T, B, H, [T] * B, None)
    c.cudnnSetTensorNdDescriptor(state, F, 3, [1, B, H], [B * H, H, 1])
    size = c.cudnnGetRNNWeightSpaceSize(handle, rnn)
    space = cp.zeros(size // 4, dtype=cp.float32)
    m_desc, b_desc = c.cudnnCreateTensorDescriptor(), c.cudnnCreateTensorDescriptor()
    order = [1, 0, 2]
    for line in range(6):
        src, row = (kernel, 0) if line < 3 else (recurrent, 1)
        k = order[line % 3]
        m, b = c.cudnnGetRNNWeightParams(handle, rnn, 0, size, space, line, m_desc, b_desc)
        block = np.ascontiguousarray(src[:, k * H : (k + 1) * H].T)
        lo = (m - space.data.ptr) // 4
        space[lo : lo + block.size] = cp.asarray(block.ravel())
        lo = (b - space.data.ptr) // 4
        space[lo : lo + H] = cp.asarray(np.ascontiguousarray(bias[row, k * H : (k + 1) * H]))
    w, r = c.cudnnGetRNNTempSpaceSizes(handle, rnn, c.CUDNN_FWD_MODE_INFERENCE, xd)
    work = cp.empty(w, dtype=cp.uint8)
    c.cudnnSetRNNDataDescriptor(xd, F, lay, 1, B, I, [1] * B, None)
    c.cudnnSetRNNDataDescriptor(yd, F, lay, 1, B, H, [1] * B, None)
    h = h0
    for t in range(T):
        step = cp.ascontiguousarray(x[:, t])
        o = cp.empty((B, H), dtype=cp.float32)
        c.cudnnRNNForward(
            handle,
            rnn,
            c.CUDNN_FWD_MODE_INFERENCE,
            None,
            xd,
            step,
            yd,
            o,
            state,
            h,
            hy,
            state,
            None,
            None,
            size,
            space,
            w,
            work,
            0,
            None,
        )
        y[:, t] = o
        h = hy
    c.cudnnDestroyTensorDescriptor(b_desc)
    c.cudnnDestroyTensorDescriptor(m_desc)
    c.cudnnDestroyRNNDataDescriptor(yd)
    c.cudnnDestroyRNNDataDescriptor(xd)
    c.cudnnDestroyTensorDescriptor(state)
    c.cudnnDestroyRNNDescriptor(rnn)
