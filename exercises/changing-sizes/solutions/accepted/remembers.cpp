#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <cuda_runtime.h>
#include <cudnn.h>

// Turns a status other than success into an exception that names the call.
#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudnnStatus_t status_ = (call);                                                    \
        if (status_ != CUDNN_STATUS_SUCCESS)                                                     \
            throw std::runtime_error(std::string(#call) + ": " + cudnnGetErrorString(status_));  \
    } while (0)

// One layer for L square images of changing sides, one behind the other in memory.
void many_sizes(cudnnHandle_t handle, const float *x, const float *w, const int *side, float *y, int L, int C, int K) {
    cudnnTensorDescriptor_t x_desc, y_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, 3, 3));
    CHECK(cudnnSetConvolution2dDescriptor(conv, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));

    static std::map<std::pair<int, int>, std::map<int, std::pair<cudnnConvolutionFwdAlgo_t, size_t>>> layers;
    auto &known = layers[{C, K}];
    const size_t limit = 1 << 20;
    void *workspace = nullptr;
    if (cudaMalloc(&workspace, limit) != cudaSuccess) throw std::runtime_error("no memory for the workspace");
    const float alpha = 1.0f, beta = 0.0f;
    for (int i = 0; i < L; ++i) {
        const int s = side[i];
        CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, C, s, s));
        CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, K, s, s));
        if (known.count(s) == 0) {  // a size is looked at once, in this call or an earlier one
            cudnnConvolutionFwdAlgoPerf_t list[CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
            int count = 0, best = 0;
            CHECK(cudnnGetConvolutionForwardAlgorithm_v7(handle, x_desc, w_desc, conv, y_desc,
                                                         CUDNN_CONVOLUTION_FWD_ALGO_COUNT, &count, list));
            while (best < count && (list[best].status != CUDNN_STATUS_SUCCESS || list[best].memory > limit)) ++best;
            if (best == count) throw std::runtime_error("no algorithm keeps to the budget");
            known[s] = {list[best].algo, list[best].memory};
        }
        CHECK(cudnnConvolutionForward(handle, &alpha, x_desc, x, w_desc, w, conv, known[s].first, workspace,
                                      known[s].second, &beta, y_desc, y));
        x += static_cast<size_t>(C) * s * s;
        y += static_cast<size_t>(K) * s * s;
    }
    cudaFree(workspace);

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
