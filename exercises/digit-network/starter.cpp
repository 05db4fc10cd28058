#include <stdexcept>
#include <string>
#include <vector>
#include <cuda_runtime.h>
#include <cudnn.h>

// Turns a status other than success into an exception that names the call.
#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudnnStatus_t status_ = (call);                                                    \
        if (status_ != CUDNN_STATUS_SUCCESS)                                                     \
            throw std::runtime_error(std::string(#call) + ": " + cudnnGetErrorString(status_));  \
    } while (0)

// Describes a packed float tensor.
cudnnTensorDescriptor_t tensor(int n, int c, int h, int w) {
    cudnnTensorDescriptor_t desc;
    CHECK(cudnnCreateTensorDescriptor(&desc));
    CHECK(cudnnSetTensor4dDescriptor(desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, c, h, w));
    return desc;
}

// GPU memory for floats.
float *floats(size_t count) {
    void *memory = nullptr;
    if (cudaMalloc(&memory, count * sizeof(float)) != cudaSuccess) throw std::runtime_error("no memory");
    return static_cast<float *>(memory);
}

void classify(cudnnHandle_t handle, const float *images, const float *conv1, const float *conv1_bias,
              const float *conv2, const float *conv2_bias, const float *dense, const float *dense_bias,
              const int *labels, float *probabilities, int *right, int N) {
    cudnnTensorDescriptor_t x_desc = tensor(N, 1, 8, 8);

    // 1. conv1 (3 x 3, padding 1), its bias, ReLU; maximum over 2 x 2 windows with stride 2: N x 8 x 4 x 4.
    // 2. conv2 (3 x 3, padding 1), its bias, ReLU; maximum over 2 x 2 windows with stride 2: N x 16 x 2 x 2.
    // 3. dense: a convolution whose filter is as large as its input, then its bias: N x 10 x 1 x 1. No ReLU.
    // 4. Softmax over the ten scores of each image, into `probabilities`.
    // 5. Copy the probabilities to the CPU, and count in `right` how often the largest is that of the label.

    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
