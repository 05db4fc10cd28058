// verdict: wrong_answer
// case: times-two
// why: multiplies twice
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

void multiply(cudnnHandle_t handle, float *y, int count, float factor) {
    cudnnTensorDescriptor_t desc;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, count));
    CHECK(cudnnScaleTensor(handle, desc, y, &factor));
    CHECK(cudnnScaleTensor(handle, desc, y, &factor));
    CHECK(cudnnDestroyTensorDescriptor(desc));
}
