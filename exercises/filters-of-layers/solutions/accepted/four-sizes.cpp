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

void describe_filter(int inputs, int outputs, int groups, int r, int s, int half, int channels_last,
                     int64_t *report) {
    cudnnFilterDescriptor_t filter;
    CHECK(cudnnCreateFilterDescriptor(&filter));

    CHECK(cudnnSetFilter4dDescriptor(filter, half ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT,
                                     channels_last ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW, outputs, inputs / groups, r, s));

    cudnnDataType_t dtype;
    cudnnTensorFormat_t format;
    int sizes[4];
    size_t bytes = 0;
    CHECK(cudnnGetFilter4dDescriptor(filter, &dtype, &format, &sizes[0], &sizes[1], &sizes[2], &sizes[3]));
    CHECK(cudnnGetFilterSizeInBytes(filter, &bytes));
    for (int i = 0; i < 4; ++i) report[i] = sizes[i];
    report[4] = format;
    report[5] = static_cast<int64_t>(bytes);

    CHECK(cudnnDestroyFilterDescriptor(filter));
}
