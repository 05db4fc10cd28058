// verdict: wrong_answer
// case: plenty
// pattern: added_to_search
// why: lets the search write over y, which still had to be added to
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

namespace {

void *allocate(size_t bytes) {
    void *memory = nullptr;
    if (bytes > 0 && cudaMalloc(&memory, bytes) != cudaSuccess) throw std::runtime_error("no memory");
    return memory;
}

}  // namespace

void add_layer(cudnnHandle_t handle, const float *x, const float *w, float *y, int N, int C, int H, int W, int K, int R,
               int S, int pad, size_t budget) {
    cudnnTensorDescriptor_t x_desc, y_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, R, S));
    CHECK(cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    int n, k, p, q;
    CHECK(cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc, &n, &k, &p, &q));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, k, p, q));

    void *workspace = allocate(budget);
    cudnnConvolutionFwdAlgoPerf_t list[10];
    int count = 0, chosen = 0;
    CHECK(cudnnFindConvolutionForwardAlgorithmEx(handle, x_desc, x, w_desc, w, conv, y_desc, y, 10, &count, list,
                                                 workspace, budget));
    while (chosen < count && (list[chosen].status != CUDNN_STATUS_SUCCESS || list[chosen].memory > budget)) ++chosen;
    if (chosen == count) throw std::runtime_error("no algorithm fits");

    CHECK(cudnnSetConvolutionMathType(conv, list[chosen].mathType));
    const float one = 1.0f;
    CHECK(cudnnConvolutionForward(handle, &one, x_desc, x, w_desc, w, conv, list[chosen].algo, workspace, budget, &one,
                                  y_desc, y));
    cudaFree(workspace);

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
