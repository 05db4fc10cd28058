// verdict: wrong_answer
// case: multiple-of-eight
// why: adds a whole block of 8 even where the width is a multiple of 8 already
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

// Writes s_n, s_c, s_h, s_w of `desc` to row[0..3].
static void read_strides(cudnnTensorDescriptor_t desc, int32_t *row) {
    cudnnDataType_t type;
    int n, c, h, w;
    CHECK(cudnnGetTensor4dDescriptor(desc, &type, &n, &c, &h, &w, &row[0], &row[1], &row[2], &row[3]));
}

void describe(int n, int c, int h, int w, int32_t *strides) {
    cudnnTensorDescriptor_t desc;
    CHECK(cudnnCreateTensorDescriptor(&desc));

    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w));
    read_strides(desc, strides);

    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, n, c, h, w));
    read_strides(desc, strides + 4);

    const int pitch = (w + 8) / 8 * 8;
    CHECK(cudnnSetTensor4dDescriptorEx(desc, CUDNN_DATA_FLOAT, n, c, h, w, c * h * pitch, h * pitch, pitch, 1));
    read_strides(desc, strides + 8);

    CHECK(cudnnSetTensor4dDescriptorEx(desc, CUDNN_DATA_FLOAT, n, c, h, (w + 1) / 2, c * h * w, h * w, w, 2));
    read_strides(desc, strides + 12);

    CHECK(cudnnDestroyTensorDescriptor(desc));
}
