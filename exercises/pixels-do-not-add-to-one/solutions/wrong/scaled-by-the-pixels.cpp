// verdict: wrong_answer
// case: small-map
// why: multiplies by the number of pixels, which makes the sums about right and the values wrong
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

// Class probabilities of each pixel: softmax of x (N×C×H×W) over the C classes.
void classify(cudnnHandle_t handle, const float *x, float *y, int N, int C, int H, int W) {
    cudnnTensorDescriptor_t desc;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));

    const float alpha = static_cast<float>(H * W), beta = 0.0f;
    CHECK(cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE, &alpha, desc, x, &beta, desc, y));

    CHECK(cudnnDestroyTensorDescriptor(desc));
}
