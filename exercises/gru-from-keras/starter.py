import libcudnn as cudnn


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

    # 1. Allocate the weight space (cudnnGetRNNWeightSpaceSize).
    # 2. For each linLayerID from 0 to 5: pick Keras's block of columns, transpose it, copy it and its bias to where
    #    cudnnGetRNNWeightParams says.
    # 3. Allocate the workspace and call cudnnRNNForward with h0 as the first state.

    cudnn.cudnnDestroyRNNDataDescriptor(y_desc)
    cudnn.cudnnDestroyRNNDataDescriptor(x_desc)
    cudnn.cudnnDestroyTensorDescriptor(state)
    cudnn.cudnnDestroyRNNDescriptor(rnn)
