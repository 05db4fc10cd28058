// verdict: wrong_answer
// why: leaves the biases out
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

// y = x * filter + bias, then ReLU where asked for. The filter is K x C x R x R; x is a square of side H.
void layer(cudnnHandle_t handle, const float *x, int N, int C, int H, const float *filter, const float *bias, int K,
           int R, int pad, bool relu, float *y) {
    const int P = H + 2 * pad - R + 1;
    cudnnTensorDescriptor_t x_desc = tensor(N, C, H, H), y_desc = tensor(N, K, P, P), bias_desc = tensor(1, K, 1, 1);
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, R, R));
    CHECK(cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));

    const cudnnConvolutionFwdAlgo_t algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
    size_t bytes = 0;
    CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, algo, &bytes));
    void *workspace = nullptr;
    if (bytes > 0 && cudaMalloc(&workspace, bytes) != cudaSuccess)
        throw std::runtime_error("no memory for the workspace");
    const float one = 1.0f, zero = 0.0f;
    CHECK(cudnnConvolutionForward(handle, &one, x_desc, x, w_desc, filter, conv, algo, workspace, bytes, &zero, y_desc,
                                  y));
    if (relu) {
        cudnnActivationDescriptor_t activation;
        CHECK(cudnnCreateActivationDescriptor(&activation));
        CHECK(cudnnSetActivationDescriptor(activation, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0.0));
        CHECK(cudnnActivationForward(handle, activation, &one, y_desc, y, &zero, y_desc, y));
        CHECK(cudnnDestroyActivationDescriptor(activation));
    }
    cudaFree(workspace);
    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    for (cudnnTensorDescriptor_t desc : {x_desc, y_desc, bias_desc}) CHECK(cudnnDestroyTensorDescriptor(desc));
}

// Halves both sides: the largest of every 2 x 2 window.
void pool(cudnnHandle_t handle, const float *x, int N, int C, int H, float *y) {
    cudnnTensorDescriptor_t x_desc = tensor(N, C, H, H), y_desc = tensor(N, C, H / 2, H / 2);
    cudnnPoolingDescriptor_t window;
    CHECK(cudnnCreatePoolingDescriptor(&window));
    CHECK(cudnnSetPooling2dDescriptor(window, CUDNN_POOLING_MAX, CUDNN_NOT_PROPAGATE_NAN, 2, 2, 0, 0, 2, 2));
    const float one = 1.0f, zero = 0.0f;
    CHECK(cudnnPoolingForward(handle, window, &one, x_desc, x, &zero, y_desc, y));
    CHECK(cudnnDestroyPoolingDescriptor(window));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}

void classify(cudnnHandle_t handle, const float *images, const float *conv1, const float *conv1_bias,
              const float *conv2, const float *conv2_bias, const float *dense, const float *dense_bias,
              const int *labels, float *probabilities, int *right, int N) {
    float *wide = floats(N * 8 * 8 * 8), *narrow = floats(N * 8 * 4 * 4);
    layer(handle, images, N, 1, 8, conv1, conv1_bias, 8, 3, 1, true, wide);  // N x 8 x 8 x 8
    pool(handle, wide, N, 8, 8, narrow);                                     // N x 8 x 4 x 4
    layer(handle, narrow, N, 8, 4, conv2, conv2_bias, 16, 3, 1, true, wide); // N x 16 x 4 x 4
    pool(handle, wide, N, 16, 4, narrow);                                    // N x 16 x 2 x 2
    layer(handle, narrow, N, 16, 2, dense, dense_bias, 10, 2, 0, false, wide);

    cudnnTensorDescriptor_t scores = tensor(N, 10, 1, 1);
    const float one = 1.0f, zero = 0.0f;
    CHECK(cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &one, scores, wide, &zero,
                              scores, probabilities));
    CHECK(cudnnDestroyTensorDescriptor(scores));

    std::vector<float> host(N * 10);
    cudaMemcpy(host.data(), probabilities, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
    *right = 0;
    for (int n = 0; n < N; ++n) {
        int best = 0;
        for (int digit = 1; digit < 10; ++digit)
            if (host[n * 10 + digit] > host[n * 10 + best]) best = digit;
        if (best == labels[n]) ++*right;
    }
    cudaFree(narrow);
    cudaFree(wide);
}
