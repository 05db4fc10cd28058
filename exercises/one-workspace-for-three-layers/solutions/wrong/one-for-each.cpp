// verdict: api_misuse
// rule: several_workspaces
// why: allocates and frees a workspace for each layer
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

struct Layer {
    const float *in, *weights;
    float *out;
    cudnnConvolutionFwdAlgo_t algo;
};

void three_layers(cudnnHandle_t handle, const float *x, const float *w1, const float *w2, const float *w3, float *y1,
                  float *y2, float *y3, int N, int C, int H, int W, cudnnConvolutionFwdAlgo_t algo1,
                  cudnnConvolutionFwdAlgo_t algo2, cudnnConvolutionFwdAlgo_t algo3) {
    cudnnTensorDescriptor_t image;
    cudnnFilterDescriptor_t filter;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&image));
    CHECK(cudnnCreateFilterDescriptor(&filter));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(image, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, C, C, 3, 3));
    CHECK(cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));

    const Layer layers[] = {{x, w1, y1, algo1}, {y1, w2, y2, algo2}, {y2, w3, y3, algo3}};
    const float alpha = 1.0f, beta = 0.0f;
    for (const Layer &layer : layers) {
        size_t size = 0;
        CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, image, filter, conv, image, layer.algo, &size));
        char *buffer = nullptr;
        if (size > 0 && cudaMalloc(&buffer, size) != cudaSuccess) throw std::runtime_error("no memory");
        CHECK(cudnnConvolutionForward(handle, &alpha, image, layer.in, filter, layer.weights, conv, layer.algo, buffer, size,
                                      &beta, image, layer.out));
        cudaFree(buffer);
    }
    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(filter));
    CHECK(cudnnDestroyTensorDescriptor(image));
}
