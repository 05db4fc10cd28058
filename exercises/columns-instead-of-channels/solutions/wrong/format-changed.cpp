// verdict: wrong_answer
// case: as-wide-as-channels
// why: changes the format of the bias, which lies along the width as before
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

// Adds bias[k] to every value of channel k of y (N×K×P×Q), in place.
void add_bias(cudnnHandle_t handle, const float *bias, float *y, int N, int K, int P, int Q) {
    cudnnTensorDescriptor_t bias_desc, y_desc;
    CHECK(cudnnCreateTensorDescriptor(&bias_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnSetTensor4dDescriptor(bias_desc, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, 1, 1, 1, K));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, K, P, Q));

    const float alpha = 1.0f, beta = 1.0f;
    CHECK(cudnnAddTensor(handle, &alpha, bias_desc, bias, &beta, y_desc, y));

    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(bias_desc));
}
