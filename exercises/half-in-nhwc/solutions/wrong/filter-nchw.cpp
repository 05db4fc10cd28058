// verdict: wrong_answer
// case: small
// rule: filter_layout_differs
// gpu: wrong_answer
// why: describes the filter as NCHW beside tensors in NHWC
#include <memory>
#include <string>
#include <stdexcept>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cudnn.h>
static void check(cudnnStatus_t s, const char *what) {
    if (s != CUDNN_STATUS_SUCCESS) throw std::runtime_error(std::string(what) + cudnnGetErrorString(s));
}
#define C_(x) check((x), #x)
void convolve(cudnnHandle_t handle, const __half *x, const __half *w, __half *y, int N, int C, int H, int W, int K, int R, int S, int pad) {
    auto make_t = [](int n, int c, int h, int v) {
        cudnnTensorDescriptor_t d;
        C_(cudnnCreateTensorDescriptor(&d));
        int dims[] = {n, c, h, v}, st[] = {h * v * c, 1, v * c, c};
        C_(cudnnSetTensorNdDescriptor(d, CUDNN_DATA_HALF, 4, dims, st));
        return std::shared_ptr<cudnnTensorStruct>(d, cudnnDestroyTensorDescriptor);
    };
    auto xd = make_t(N, C, H, W), yd = make_t(N, K, H + 2 * pad - R + 1, W + 2 * pad - S + 1);
    cudnnFilterDescriptor_t wd;
    C_(cudnnCreateFilterDescriptor(&wd));
    int wdims[] = {K, C, R, S};
    C_(cudnnSetFilterNdDescriptor(wd, CUDNN_DATA_HALF, CUDNN_TENSOR_NCHW, 4, wdims));
    cudnnConvolutionDescriptor_t cd;
    C_(cudnnCreateConvolutionDescriptor(&cd));
    int p[] = {pad, pad}, one[] = {1, 1};
    C_(cudnnSetConvolutionNdDescriptor(cd, 2, p, one, one, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    C_(cudnnSetConvolutionMathType(cd, CUDNN_TENSOR_OP_MATH));
    auto algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
    size_t n = 0;
    C_(cudnnGetConvolutionForwardWorkspaceSize(handle, xd.get(), wd, cd, yd.get(), algo, &n));
    void *ws = nullptr;
    if (n && cudaMalloc(&ws, n)) throw std::bad_alloc();
    float one_ = 1, zero = 0;
    C_(cudnnConvolutionForward(handle, &one_, xd.get(), x, wd, w, cd, algo, ws, n, &zero, yd.get(), y));
    cudaFree(ws);
    C_(cudnnDestroyFilterDescriptor(wd));
    C_(cudnnDestroyConvolutionDescriptor(cd));
}
