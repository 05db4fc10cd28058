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

    const int pads[2] = {pad, pad}, strides[2] = {stride, stride}, dilations[2] = {dilation, dilation};
    CHECK(cudnnSetTensor4dDescriptor(input, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w));
    CHECK(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, k, c / groups, r, s));
    CHECK(cudnnSetConvolutionNdDescriptor(conv, 2, pads, strides, dilations, CUDNN_CROSS_CORRELATION,
                                          CUDNN_DATA_FLOAT));
    CHECK(cudnnSetConvolutionGroupCount(conv, groups));
    int out[4];
    CHECK(cudnnGetConvolution2dForwardOutputDim(conv, input, filter, &out[0], &out[1], &out[2], &out[3]));
    for (int i = 0; i < 4; ++i) dims[i] = out[i];

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(filter));
    CHECK(cudnnDestroyTensorDescriptor(input));
}
