#include <stdexcept>
#include <string>
#include <vector>
#include <cuda_runtime.h>
#include <cudnn.h>

// Turns a status other than success into an exception that names the call.
#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudnnStatus_t status_ = (call);                                                    \
        if (status_ != CUDNN_STATUS_SUCCESS)                                                     \
            throw std::runtime_error(std::string(#call) + ": " + cudnnGetErrorString(status_));  \
    } while (0)

void run_gru(cudnnHandle_t handle, const float *x, const float *h0, const float *kernel, const float *recurrent,
             const float *bias, float *y, float *hy, int B, int T, int I, int H) {
    cudnnRNNDescriptor_t rnn;
    cudnnRNNDataDescriptor_t x_desc, y_desc;
    cudnnTensorDescriptor_t state;
    CHECK(cudnnCreateRNNDescriptor(&rnn));
    CHECK(cudnnCreateRNNDataDescriptor(&x_desc));
    CHECK(cudnnCreateRNNDataDescriptor(&y_desc));
    CHECK(cudnnCreateTensorDescriptor(&state));
    CHECK(cudnnSetRNNDescriptor_v8(rnn, CUDNN_RNN_ALGO_STANDARD, CUDNN_GRU, CUDNN_RNN_DOUBLE_BIAS, CUDNN_UNIDIRECTIONAL,
                                   CUDNN_LINEAR_INPUT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DEFAULT_MATH, I, H, H,
                                   1, nullptr, CUDNN_RNN_PADDED_IO_ENABLED));
    const std::vector<int> lengths(B, T);
    const cudnnRNNDataLayout_t layout = CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED;
    CHECK(cudnnSetRNNDataDescriptor(x_desc, CUDNN_DATA_FLOAT, layout, T, B, I, lengths.data(), nullptr));
    CHECK(cudnnSetRNNDataDescriptor(y_desc, CUDNN_DATA_FLOAT, layout, T, B, H, lengths.data(), nullptr));
    const int dims[3] = {1, B, H}, strides[3] = {B * H, H, 1};
    CHECK(cudnnSetTensorNdDescriptor(state, CUDNN_DATA_FLOAT, 3, dims, strides));

    // 1. Allocate the weight space (cudnnGetRNNWeightSpaceSize).
    // 2. For each linLayerID from 0 to 5: pick Keras's block of columns, transpose it, copy it and its bias to where
    //    cudnnGetRNNWeightParams says.
    // 3. Allocate the workspace and call cudnnRNNForward with h0 as the first state.

    CHECK(cudnnDestroyTensorDescriptor(state));
    CHECK(cudnnDestroyRNNDataDescriptor(y_desc));
    CHECK(cudnnDestroyRNNDataDescriptor(x_desc));
    CHECK(cudnnDestroyRNNDescriptor(rnn));
}
