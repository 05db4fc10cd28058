import libcudnn as cudnn


def encode(handle, x, lengths, w_ih, w_hh, b_ih, b_hh, code, T, B, I, H):
    rnn, state = cudnn.cudnnCreateRNNDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    x_desc, y_desc = cudnn.cudnnCreateRNNDataDescriptor(), cudnn.cudnnCreateRNNDataDescriptor()

    # 1. Describe the network (CUDNN_GRU, CUDNN_BIDIRECTIONAL, padding allowed), x, y (2H wide) and the states (2 x B x H).
    # 2. Place the weights of pseudo-layer 0 (forwards) and 1 (backwards).
    # 3. Call cudnnRNNForward and put each sentence's two last states side by side into code.

    cudnn.cudnnDestroyRNNDataDescriptor(y_desc)
    cudnn.cudnnDestroyRNNDataDescriptor(x_desc)
    cudnn.cudnnDestroyTensorDescriptor(state)
    cudnn.cudnnDestroyRNNDescriptor(rnn)
