#include <stdexcept>
#include <cuda_runtime.h>
#include <cudnn.h>
#include <thread>
static void ok(cudnnStatus_t s) { if (s) throw std::runtime_error(cudnnGetErrorString(s)); }
void convolve_each(cudnnHandle_t handle, const float *x, const float *w, float *y, int M, int C, int H, int W, int K) {
    cudaStream_t old, mine;
    ok(cudnnGetStream(handle, &old));
    if (cudaStreamCreate(&mine)) throw std::runtime_error("stream");
    ok(cudnnSetStream(handle, mine));
    cudnnTensorDescriptor_t xd, yd; cudnnFilterDescriptor_t wd; cudnnConvolutionDescriptor_t cd;
    ok(cudnnCreateTensorDescriptor(&xd)); ok(cudnnCreateTensorDescriptor(&yd));
    ok(cudnnCreateFilterDescriptor(&wd)); ok(cudnnCreateConvolutionDescriptor(&cd));
    ok(cudnnSetTensor4dDescriptor(xd, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, M * C, H, W));
    ok(cudnnSetTensor4dDescriptor(yd, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, M * K, H, W));
    int wdims[] = {M * K, C, 3, 3}, one[] = {1, 1};
    ok(cudnnSetFilterNdDescriptor(wd, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 4, wdims));
    ok(cudnnSetConvolutionNdDescriptor(cd, 2, one, one, one, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    ok(cudnnSetConvolutionGroupCount(cd, M));
    const float a = 1, b = 0;
    ok(cudnnConvolutionForward(handle, &a, xd, x, wd, w, cd, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &b, yd, y));
    cudaStreamSynchronize(mine);
    ok(cudnnSetStream(handle, old));
    cudaStreamDestroy(mine);
    ok(cudnnDestroyTensorDescriptor(xd)); ok(cudnnDestroyTensorDescriptor(yd));
    ok(cudnnDestroyFilterDescriptor(wd)); ok(cudnnDestroyConvolutionDescriptor(cd));
}
