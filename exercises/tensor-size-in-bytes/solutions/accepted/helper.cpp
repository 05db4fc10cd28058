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

static int64_t size_of(cudnnDataType_t type, int n, int c, int h, int w, int sn, int sc, int sh, int sw) {
    cudnnTensorDescriptor_t desc;
    size_t size = 0;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    CHECK(cudnnSetTensor4dDescriptorEx(desc, type, n, c, h, w, sn, sc, sh, sw));
    CHECK(cudnnGetTensorSizeInBytes(desc, &size));
    CHECK(cudnnDestroyTensorDescriptor(desc));
    return static_cast<int64_t>(size);
}

void sizes(int n, int c, int h, int w, int pitch, int64_t *bytes) {
    bytes[0] = size_of(CUDNN_DATA_FLOAT, n, c, h, w, c * h * w, h * w, w, 1);
    bytes[1] = size_of(CUDNN_DATA_HALF, n, c, h, w, c * h * w, 1, w * c, c);
    bytes[2] = size_of(CUDNN_DATA_FLOAT, n, c, h, w, c * h * pitch, h * pitch, pitch, 1);
    bytes[3] = size_of(CUDNN_DATA_DOUBLE, n, c, h, w, c * h * pitch, h * pitch, pitch, 1);
}
