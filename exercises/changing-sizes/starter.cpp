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

// One layer for L square images of changing sides, one behind the other in memory.
void many_sizes(cudnnHandle_t handle, const float *x, const float *w, const int *side, float *y, int L, int C, int K) {
    cudnnTensorDescriptor_t x_desc, y_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, 3, 3));
    CHECK(cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));

    // Image i has side[i] × side[i] pixels and C channels; its result has K channels.
    // Sizes come again and again: what is worth remembering?

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
