#include <memory>
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

// An object of cuDNN that destroys itself.
template <typename T>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, cudnnStatus_t (*)(T)>;

template <typename T>
Owned<T> make(cudnnStatus_t (*create)(T *), cudnnStatus_t (*destroy)(T)) {
    T made = nullptr;
    CHECK(create(&made));
    return {made, destroy};
}

void convolve(cudnnHandle_t handle, const float *x, const float *w, float *y, int N, int C, int H, int W, int K, int R,
              int S, int pad_h, int pad_w, int stride_h, int stride_w, int dilation_h, int dilation_w, int groups) {
    const auto x_desc = make(cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor);
    const auto y_desc = make(cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor);
    const auto w_desc = make(cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor);
    const auto conv = make(cudnnCreateConvolutionDescriptor, cudnnDestroyConvolutionDescriptor);
    CHECK(cudnnSetTensor4dDescriptor(x_desc.get(), CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetFilter4dDescriptor(w_desc.get(), CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C / groups, R, S));
    CHECK(cudnnSetConvolution2dDescriptor(conv.get(), pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w,
                                          CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    CHECK(cudnnSetConvolutionGroupCount(conv.get(), groups));
    int n, k, p, q;
    CHECK(cudnnGetConvolution2dForwardOutputDim(conv.get(), x_desc.get(), w_desc.get(), &n, &k, &p, &q));
    CHECK(cudnnSetTensor4dDescriptor(y_desc.get(), CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, k, p, q));

    cudnnConvolutionFwdAlgoPerf_t list[CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
    int count = 0;
    CHECK(cudnnGetConvolutionForwardAlgorithm_v7(handle, x_desc.get(), w_desc.get(), conv.get(), y_desc.get(),
                                                 CUDNN_CONVOLUTION_FWD_ALGO_COUNT, &count, list));
    int i = 0;
    while (i < count && list[i].status != CUDNN_STATUS_SUCCESS) ++i;
    if (i == count) throw std::runtime_error("no algorithm can run");
    CHECK(cudnnSetConvolutionMathType(conv.get(), list[i].mathType));

    size_t bytes = 0;
    CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc.get(), w_desc.get(), conv.get(), y_desc.get(),
                                                  list[i].algo, &bytes));
    void *raw = nullptr;
    if (bytes > 0 && cudaMalloc(&raw, bytes) != cudaSuccess) throw std::runtime_error("no memory for the workspace");
    const std::unique_ptr<void, cudaError_t (*)(void *)> workspace(raw, cudaFree);
    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnConvolutionForward(handle, &alpha, x_desc.get(), x, w_desc.get(), w, conv.get(), list[i].algo,
                                  workspace.get(), bytes, &beta, y_desc.get(), y));
}
