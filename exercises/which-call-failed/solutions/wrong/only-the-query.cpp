// verdict: runtime_error
// case: stride-zero
// why: ignores the setters' statuses: the query divides by the stride of a descriptor that was never set
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

    int step = 1, n = 0, k = 0, p = 0, q = 0;
    cudnnStatus_t status = CUDNN_STATUS_SUCCESS;
    cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W);
    if (status == CUDNN_STATUS_SUCCESS) {
        step = 2;
        cudnnSetFilter4dDescriptor(w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, filter_c, R, S);
    }
    if (status == CUDNN_STATUS_SUCCESS) {
        step = 3;
        cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1, CUDNN_CROSS_CORRELATION,
                                                 CUDNN_DATA_FLOAT);
    }
    if (status == CUDNN_STATUS_SUCCESS) {
        step = 4;
        status = cudnnGetConvolution2dForwardOutputDim(conv, x, w, &n, &k, &p, &q);
    }
    const bool failed = status != CUDNN_STATUS_SUCCESS;
    const int32_t result[6] = {failed ? step : 0, status, failed ? 0 : n, failed ? 0 : k, failed ? 0 : p, failed ? 0 : q};
    for (int i = 0; i < 6; ++i) report[i] = result[i];

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w));
    CHECK(cudnnDestroyTensorDescriptor(x));
}
