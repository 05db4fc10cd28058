#include <memory>
#include <stdexcept>
#include <type_traits>
#include <cuda_runtime.h>
#include <cudnn.h>

namespace {
void must(cudnnStatus_t status) {
    if (status == CUDNN_STATUS_SUCCESS) return;
    char text[256] = {};
    cudnnGetLastErrorString(text, sizeof(text));
    throw std::runtime_error(text);
}
template <class D, cudnnStatus_t (*create)(D *), cudnnStatus_t (*destroy)(D)>
class Owned {
public:
    Owned() { must(create(&d)); }
    ~Owned() { destroy(d); }
    Owned(const Owned &) = delete;
    operator D() const { return d; }
private:
    D d = nullptr;
};
using Tensor = Owned<cudnnTensorDescriptor_t, cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor>;
using Filter = Owned<cudnnFilterDescriptor_t, cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor>;
using Conv = Owned<cudnnConvolutionDescriptor_t, cudnnCreateConvolutionDescriptor, cudnnDestroyConvolutionDescriptor>;
using Act = Owned<cudnnActivationDescriptor_t, cudnnCreateActivationDescriptor, cudnnDestroyActivationDescriptor>;
struct Free { void operator()(void *p) const { cudaFree(p); } };
}

void residual_layer(cudnnHandle_t handle, const float *x, const float *w, const float *bias, const float *z, float *y,
                    int N, int C, int H, int W, int K, int R, int S, int pad) {
    Tensor xd, yd, bd;
    Filter wd;
    Conv cd;
    Act act;
    must(cudnnSetTensor4dDescriptor(xd, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    must(cudnnSetFilter4dDescriptor(wd, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C, R, S));
    must(cudnnSetConvolution2dDescriptor(cd, pad, pad, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    int dims[4];
    must(cudnnGetConvolutionNdForwardOutputDim(cd, xd, wd, 4, dims));
    int strides[4] = {dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1};
    must(cudnnSetTensorNdDescriptor(yd, CUDNN_DATA_FLOAT, 4, dims, strides));
    must(cudnnSetTensor4dDescriptor(bd, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, K, 1, 1));
    must(cudnnSetActivationDescriptor(act, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0));
    cudnnConvolutionFwdAlgoPerf_t perf[1];
    int got = 0;
    must(cudnnGetConvolutionForwardAlgorithm_v7(handle, xd, wd, cd, yd, 1, &got, perf));
    auto algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
    size_t bytes = 0;
    must(cudnnGetConvolutionForwardWorkspaceSize(handle, xd, wd, cd, yd, algo, &bytes));
    void *raw = nullptr;
    if (bytes && cudaMalloc(&raw, bytes) != cudaSuccess) throw std::bad_alloc();
    std::unique_ptr<void, Free> ws(raw);
    const float a1 = 1, a2 = 1;
    must(cudnnConvolutionBiasActivationForward(handle, &a1, xd, x, wd, w, cd, algo, ws.get(), bytes, &a2, yd, z, bd, bias, act, yd, y));
}
