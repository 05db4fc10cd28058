import libcudnn as cudnn


def run_lstm(handle, x, lengths, w_ih, w_hh, b_ih, b_hh, y, hy, cy, T, B, I, H):
    rnn, state = cudnn.cudnnCreateRNNDescriptor(), cudnn.cudnnCreateTensorDescriptor()
    x_desc, y_desc = cudnn.cudnnCreateRNNDataDescriptor(), cudnn.cudnnCreateRNNDataDescriptor()

    # 1. Describe the network: cudnnSetRNNDescriptor_v8 with an LSTM, both biases and a flag that allows padding.
    # 2. Describe x and y (cudnnSetRNNDataDescriptor) and the states (1 x B x H).
    # 3. Allocate the weight space and copy each gate's rows to where cudnnGetRNNWeightParams says.
    # 4. Allocate the workspace and call cudnnRNNForward.

    cudnn.cudnnDestroyRNNDataDescriptor(y_desc)
    cudnn.cudnnDestroyRNNDataDescriptor(x_desc)
    cudnn.cudnnDestroyTensorDescriptor(state)
    cudnn.cudnnDestroyRNNDescriptor(rnn)
