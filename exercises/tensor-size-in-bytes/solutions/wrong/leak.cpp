// verdict: api_misuse
// rule: leaks_descriptor
// why: never destroys the descriptor
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

void sizes(int n, int c, int h, int w, int pitch, int64_t *bytes) {
    cudnnTensorDescriptor_t desc;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    size_t size = 0;

    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w));
    CHECK(cudnnGetTensorSizeInBytes(desc, &size));
    bytes[0] = static_cast<int64_t>(size);

    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, n, c, h, w));
    CHECK(cudnnGetTensorSizeInBytes(desc, &size));
    bytes[1] = static_cast<int64_t>(size);

    CHECK(cudnnSetTensor4dDescriptorEx(desc, CUDNN_DATA_FLOAT, n, c, h, w, c * h * pitch, h * pitch, pitch, 1));
    CHECK(cudnnGetTensorSizeInBytes(desc, &size));
    bytes[2] = static_cast<int64_t>(size);

    CHECK(cudnnSetTensor4dDescriptorEx(desc, CUDNN_DATA_DOUBLE, n, c, h, w, c * h * pitch, h * pitch, pitch, 1));
    CHECK(cudnnGetTensorSizeInBytes(desc, &size));
    bytes[3] = static_cast<int64_t>(size);

}
