#include <array>
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

void describe(int n, int c, int h, int w, int32_t *strides) {
    std::array<cudnnTensorDescriptor_t, 4> made;
    for (auto &desc : made) CHECK(cudnnCreateTensorDescriptor(&desc));
    const int padded = w % 8 == 0 ? w : w + 8 - w % 8;
    CHECK(cudnnSetTensor4dDescriptor(made[0], CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w));
    CHECK(cudnnSetTensor4dDescriptor(made[1], CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, n, c, h, w));
    CHECK(cudnnSetTensor4dDescriptorEx(made[2], CUDNN_DATA_FLOAT, n, c, h, w, c * h * padded, h * padded, padded, 1));
    CHECK(cudnnSetTensor4dDescriptorEx(made[3], CUDNN_DATA_FLOAT, n, c, h, w - w / 2, c * h * w, h * w, w, 2));
    for (size_t i = 0; i < made.size(); ++i) {
        cudnnDataType_t type;
        int dims[4];
        int32_t *row = strides + 4 * i;
        CHECK(cudnnGetTensor4dDescriptor(made[i], &type, &dims[0], &dims[1], &dims[2], &dims[3], &row[0], &row[1],
                                         &row[2], &row[3]));
        CHECK(cudnnDestroyTensorDescriptor(made[i]));
    }
}
