// One small convolution, x 1x3x8x8, w 4x3x3x3, pad 1, in parts that a program can leave out or get wrong.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cudnn.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#define CHECK(call)                  \
  do {                               \
    if (int status = (call)) {       \
      std::printf("failed %d\n", status); \
      return;                        \
    }                                \
  } while (0)

constexpr auto kGemm = CUDNN_CONVOLUTION_FWD_ALGO_GEMM;
constexpr auto kImplicit = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
constexpr auto kFft = CUDNN_CONVOLUTION_FWD_ALGO_FFT;

struct Problem {
  cudnnHandle_t handle = nullptr;
  cudnnTensorDescriptor_t x = nullptr, y = nullptr;
  cudnnFilterDescriptor_t w = nullptr;
  cudnnConvolutionDescriptor_t conv = nullptr;
  void *dx = nullptr, *dw = nullptr, *dy = nullptr;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW;
  int n = 1, c = 3, h = 8, wd = 8, k = 4, r = 3, groups = 1;
  int yn = 0, yc = 0, yh = 0, yw = 0;

  void create() {
    cudnnCreate(&handle);
    create_descriptors();
  }
  void create_descriptors() {
    cudnnCreateTensorDescriptor(&x);
    cudnnCreateTensorDescriptor(&y);
    cudnnCreateFilterDescriptor(&w);
    cudnnCreateConvolutionDescriptor(&conv);
  }
  void set() {
    cudnnSetTensor4dDescriptor(x, format, type, n, c, h, wd);
    cudnnSetFilter4dDescriptor(w, type, format, k, c / groups, r, r);
    set_convolution(CUDNN_CROSS_CORRELATION);
    cudnnGetConvolution2dForwardOutputDim(conv, x, w, &yn, &yc, &yh, &yw);
    cudnnSetTensor4dDescriptor(y, format, type, yn, yc, yh, yw);
  }
  void set_convolution(cudnnConvolutionMode_t mode) {
    const auto compute = type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
    cudnnSetConvolution2dDescriptor(conv, r / 2, r / 2, 1, 1, 1, 1, mode, compute);
    if (groups > 1) cudnnSetConvolutionGroupCount(conv, groups);
  }
  size_t element() const { return type == CUDNN_DATA_DOUBLE ? 8 : type == CUDNN_DATA_HALF ? 2 : 4; }
  size_t x_bytes() const { return element() * n * c * h * wd; }
  size_t w_bytes() const { return element() * k * (c / groups) * r * r; }
  size_t y_bytes() const { return element() * yn * yc * yh * yw; }
  void allocate() {
    cudaMalloc(&dx, x_bytes());
    cudaMalloc(&dw, w_bytes());
    cudaMalloc(&dy, y_bytes());
    cudaMemset(dx, 0, x_bytes());
    std::vector<char> weights(w_bytes());
    cudaMemcpy(dw, weights.data(), w_bytes(), cudaMemcpyHostToDevice);
  }
  void begin() {
    create();
    set();
    allocate();
  }
  size_t ask(cudnnConvolutionFwdAlgo_t algo) {
    size_t bytes = 0;
    cudnnGetConvolutionForwardWorkspaceSize(handle, x, w, conv, y, algo, &bytes);
    return bytes;
  }
  cudnnStatus_t forward(cudnnConvolutionFwdAlgo_t algo = kImplicit, void *space = nullptr, size_t bytes = 0,
                        double alpha = 1, double beta = 0) {
    const float a = static_cast<float>(alpha), b = static_cast<float>(beta);
    const bool wide = type == CUDNN_DATA_DOUBLE;
    return cudnnConvolutionForward(handle, wide ? (void *)&alpha : (void *)&a, x, dx, w, dw, conv, algo, space, bytes,
                                   wide ? (void *)&beta : (void *)&b, y, dy);
  }
  std::vector<float> read() {
    std::vector<float> out(y_bytes() / 4);
    cudaMemcpy(out.data(), dy, y_bytes(), cudaMemcpyDeviceToHost);
    return out;
  }
  void destroy_descriptors() {
    cudnnDestroyTensorDescriptor(x);
    cudnnDestroyTensorDescriptor(y);
    cudnnDestroyFilterDescriptor(w);
    cudnnDestroyConvolutionDescriptor(conv);
  }
  void free() {
    cudaFree(dx);
    cudaFree(dw);
    cudaFree(dy);
  }
  void destroy() {
    free();
    destroy_descriptors();
    cudnnDestroy(handle);
  }
};
