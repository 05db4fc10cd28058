// verdict: api_misuse
// rule: algorithm_not_from_list
// why: measures as asked and then runs an algorithm of its own choice
#include <cstdint>
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

void serve(cudnnHandle_t handle, const float *x, const float *w, float *y, int requests, const int32_t *batch, int C, int H,
           int W, int K, int R, int S, int pad) {
    cudnnTensorDescriptor_t x_desc, y_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, R, S));
    CHECK(cudnnSetConvolution2dDescriptor(conv, pad, pad, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));

    struct Known {
        int batch;
        cudnnConvolutionFwdAlgoPerf_t perf;
    };
    std::vector<Known> cache;
    void *workspace = nullptr;
    size_t room = 0;
    const float alpha = 1.0f, beta = 0.0f;
    for (int i = 0; i < requests; ++i) {
        int n, k, p, q;
        CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, batch[i], C, H, W));
        CHECK(cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc, &n, &k, &p, &q));
        CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, k, p, q));
        size_t at = 0;
        while (at < cache.size() && cache[at].batch != batch[i]) ++at;
        if (at == cache.size()) {
            int count = 0;
            cudnnConvolutionFwdAlgoPerf_t best;
            CHECK(cudnnFindConvolutionForwardAlgorithm(handle, x_desc, w_desc, conv, y_desc, 1, &count, &best));
            if (count == 0 || best.status != CUDNN_STATUS_SUCCESS) throw std::runtime_error("no algorithm can run");
            cache.push_back({batch[i], best});
        }
        const cudnnConvolutionFwdAlgoPerf_t &entry = cache[at].perf;
        CHECK(cudnnSetConvolutionMathType(conv, entry.mathType));
        if (entry.memory > room) {
            cudaFree(workspace);
            room = entry.memory;
            if (cudaMalloc(&workspace, room) != cudaSuccess) throw std::runtime_error("no memory for the workspace");
        }
        CHECK(cudnnConvolutionForward(handle, &alpha, x_desc, x, w_desc, w, conv, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, workspace, room, &beta,
                                      y_desc, y));
        CHECK(cudnnSetConvolutionMathType(conv, CUDNN_DEFAULT_MATH));
        x += static_cast<size_t>(n) * C * H * W;
        y += static_cast<size_t>(n) * k * p * q;
    }
    cudaFree(workspace);

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
