// verdict: wrong_answer
// case: two-sentences
// pattern: states_not_side_by_side
// why: copies hy as it lies, all forward states before all backward ones
#include <stdexcept>
#include <string>
#include <cuda_runtime.h>
#include <cudnn.h>

// Turns a status other than success into an exception that names the call.
#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudnnStatus_t status_ = (call);                                                    \
        if (status_ != CUDNN_STATUS_SUCCESS)                                                     \
            throw std::runtime_error(std::string(#call) + ": " + cudnnGetErrorString(status_));  \
    } while (0)

static void *allocate(size_t bytes) {
    void *memory = nullptr;
    if (bytes > 0 && cudaMalloc(&memory, bytes) != cudaSuccess) throw std::runtime_error("no memory");
    return memory;
}

// Copies the rows of each gate to where cuDNN wants them. line: 0 for the W, 3 for the R.
static void place(cudnnHandle_t handle, cudnnRNNDescriptor_t rnn, size_t bytes, void *space, int way, int line,
                  const float *matrix, const float *bias, int rows, int columns) {
    cudnnTensorDescriptor_t m_desc, b_desc;
    CHECK(cudnnCreateTensorDescriptor(&m_desc));
    CHECK(cudnnCreateTensorDescriptor(&b_desc));
    for (int gate = 0; gate < 3; ++gate) {
        void *m, *b;
        CHECK(cudnnGetRNNWeightParams(handle, rnn, way, bytes, space, line + gate, m_desc, &m, b_desc, &b));
        const size_t row = sizeof(float) * rows;
        cudaMemcpy(m, matrix + gate * rows * columns, row * columns, cudaMemcpyDeviceToDevice);
        cudaMemcpy(b, bias + gate * rows, row, cudaMemcpyDeviceToDevice);
    }
    CHECK(cudnnDestroyTensorDescriptor(b_desc));
    CHECK(cudnnDestroyTensorDescriptor(m_desc));
}

void encode(cudnnHandle_t handle, const float *x, const int *lengths, const float *w_ih, const float *w_hh,
            const float *b_ih, const float *b_hh, float *code, int T, int B, int I, int H) {
    cudnnRNNDescriptor_t rnn;
    cudnnRNNDataDescriptor_t x_desc, y_desc;
    cudnnTensorDescriptor_t state;
    CHECK(cudnnCreateRNNDescriptor(&rnn));
    CHECK(cudnnCreateRNNDataDescriptor(&x_desc));
    CHECK(cudnnCreateRNNDataDescriptor(&y_desc));
    CHECK(cudnnCreateTensorDescriptor(&state));
    CHECK(cudnnSetRNNDescriptor_v8(rnn, CUDNN_RNN_ALGO_STANDARD, CUDNN_GRU, CUDNN_RNN_DOUBLE_BIAS, CUDNN_BIDIRECTIONAL,
                                   CUDNN_LINEAR_INPUT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DEFAULT_MATH, I, H, H,
                                   1, nullptr, CUDNN_RNN_PADDED_IO_ENABLED));
    float zero = 0.0f;
    const cudnnRNNDataLayout_t layout = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED;
    CHECK(cudnnSetRNNDataDescriptor(x_desc, CUDNN_DATA_FLOAT, layout, T, B, I, lengths, &zero));
    CHECK(cudnnSetRNNDataDescriptor(y_desc, CUDNN_DATA_FLOAT, layout, T, B, 2 * H, lengths, &zero));
    const int dims[3] = {2, B, H}, strides[3] = {B * H, H, 1};
    CHECK(cudnnSetTensorNdDescriptor(state, CUDNN_DATA_FLOAT, 3, dims, strides));

    size_t weight_bytes = 0, work_bytes = 0, reserve_bytes = 0;
    CHECK(cudnnGetRNNWeightSpaceSize(handle, rnn, &weight_bytes));
    CHECK(cudnnGetRNNTempSpaceSizes(handle, rnn, CUDNN_FWD_MODE_INFERENCE, x_desc, &work_bytes, &reserve_bytes));
    void *weights = allocate(weight_bytes), *work = allocate(work_bytes);
    int *device_lengths = static_cast<int *>(allocate(sizeof(int) * B));
    float *y = static_cast<float *>(allocate(sizeof(float) * T * B * 2 * H));
    float *hy = static_cast<float *>(allocate(sizeof(float) * 2 * B * H));
    cudaMemcpy(device_lengths, lengths, sizeof(int) * B, cudaMemcpyHostToDevice);
    for (int way = 0; way < 2; ++way) {
        place(handle, rnn, weight_bytes, weights, way, 0, w_ih + way * 3 * H * I, b_ih + way * 3 * H, H, I);
        place(handle, rnn, weight_bytes, weights, way, 3, w_hh + way * 3 * H * H, b_hh + way * 3 * H, H, H);
    }

    CHECK(cudnnRNNForward(handle, rnn, CUDNN_FWD_MODE_INFERENCE, device_lengths, x_desc, x, y_desc, y, state, nullptr, hy,
                          nullptr, nullptr, nullptr, weight_bytes, weights, work_bytes, work, 0, nullptr));
    cudaMemcpy(code, hy, sizeof(float) * 2 * B * H, cudaMemcpyDeviceToDevice);

    cudaFree(hy);
    cudaFree(y);
    cudaFree(device_lengths);
    cudaFree(work);
    cudaFree(weights);
    CHECK(cudnnDestroyTensorDescriptor(state));
    CHECK(cudnnDestroyRNNDataDescriptor(y_desc));
    CHECK(cudnnDestroyRNNDataDescriptor(x_desc));
    CHECK(cudnnDestroyRNNDescriptor(rnn));
}
