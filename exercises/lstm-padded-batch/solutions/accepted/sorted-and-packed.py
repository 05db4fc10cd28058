import cupy as cp
import numpy as np
import libcudnn as c


def run_lstm(handle, x, lengths, w_ih, w_hh, b_ih, b_hh, y, hy, cy, T, B, I, H):
    F = c.CUDNN_DATA_FLOAT
    order = sorted((b for b in range(B) if lengths[b] > 0), key=lambda b: -int(lengths[b]))
    y.fill(0)
    hy.fill(0)
    cy.fill(0)
    if not order:
        return
    n = len(order)
    ls = [int(lengths[b]) for b in order]
    rows = [(t, b) for t in range(T) for b in order if t < lengths[b]]
    px = cp.empty((len(rows), I), dtype=cp.float32)
    for i, (t, b) in enumerate(rows):
        px[i] = x[t, b]
    py = cp.empty((len(rows), H), dtype=cp.float32)
    ph, pc = cp.empty((n, H), dtype=cp.float32), cp.empty((n, H), dtype=cp.float32)
    rnn, state = c.cudnnCreateRNNDescriptor(), c.cudnnCreateTensorDescriptor()
    x_desc, y_desc = c.cudnnCreateRNNDataDescriptor(), c.cudnnCreateRNNDataDescriptor()
    c.cudnnSetRNNDescriptor_v8(
        rnn,
        c.CUDNN_RNN_ALGO_STANDARD,
        c.CUDNN_LSTM,
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
        0,
    )
    lay = c.CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED
    c.cudnnSetRNNDataDescriptor(x_desc, F, lay, max(ls), n, I, ls, None)
    c.cudnnSetRNNDataDescriptor(y_desc, F, lay, max(ls), n, H, ls, None)
    c.cudnnSetTensorNdDescriptor(state, F, 3, [1, n, H], [n * H, H, 1])
    size = c.cudnnGetRNNWeightSpaceSize(handle, rnn)
    space = cp.zeros(size // 4, dtype=cp.float32)
    md, bd = c.cudnnCreateTensorDescriptor(), c.cudnnCreateTensorDescriptor()
    for g in range(8):
        w, b = (w_ih, b_ih) if g < 4 else (w_hh, b_hh)
        w, b = w[g % 4 * H : (g % 4 + 1) * H], b[g % 4 * H : (g % 4 + 1) * H]
        mp, bp = c.cudnnGetRNNWeightParams(handle, rnn, 0, size, space, g, md, bd)
        at = (mp - space.data.ptr) // 4
        space[at : at + w.size] = w.ravel()
        at = (bp - space.data.ptr) // 4
        space[at : at + H] = b
    wb, rb = c.cudnnGetRNNTempSpaceSizes(handle, rnn, c.CUDNN_FWD_MODE_INFERENCE, x_desc)
    work = cp.empty(wb, dtype=cp.uint8)
    c.cudnnRNNForward(
        handle,
        rnn,
        c.CUDNN_FWD_MODE_INFERENCE,
        cp.asarray(np.array(ls, np.int32)),
        x_desc,
        px,
        y_desc,
        py,
        state,
        None,
        ph,
        state,
        None,
        pc,
        size,
        space,
        wb,
        work,
        0,
        None,
    )
    for i, (t, b) in enumerate(rows):
        y[t, b] = py[i]
    for i, b in enumerate(order):
        hy[b], cy[b] = ph[i], pc[i]
    for d in (md, bd):
        c.cudnnDestroyTensorDescriptor(d)
    c.cudnnDestroyRNNDataDescriptor(y_desc)
    c.cudnnDestroyRNNDataDescriptor(x_desc)
    c.cudnnDestroyTensorDescriptor(state)
    c.cudnnDestroyRNNDescriptor(rnn)
