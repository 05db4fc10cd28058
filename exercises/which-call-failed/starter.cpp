#include <cstdint>
#include <stdexcept>
#include <string>
#include <cudnn.h>

// Turns a status other than success into an exception that names the call.
#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudnnStatus_t status_ = (call);                                                    \
        if (status_ != CUDNN_STATUS_SUCCESS)                                                     \
            throw std::runtime_error(std::string(#call) + ": " + cudnnGetErrorString(status_));  \
    } while (0)

void diagnose(int N, int C, int H, int W, int K, int filter_c, int R, int S, int pad, int stride, int32_t *report) {
    cudnnTensorDescriptor_t x;
    cudnnFilterDescriptor_t w;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x));
    CHECK(cudnnCreateFilterDescriptor(&w));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));

    // 1. cudnnSetTensor4dDescriptor      2. cudnnSetFilter4dDescriptor
    // 3. cudnnSetConvolution2dDescriptor 4. cudnnGetConvolution2dForwardOutputDim
    // Stop at the first that fails. report = {number of that call, its status, 0, 0, 0, 0};
    // where none fails, report = {0, 0, n, k, p, q}.
    for (int i = 0; i < 6; ++i) report[i] = 0;

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w));
    CHECK(cudnnDestroyTensorDescriptor(x));
}
