// Makes the real library load what most jobs need: sublibraries and kernels come in at their first use, which takes the
// better part of a second. Nothing of it is recorded, and a failure is left for the job to meet.
#include <cstdint>
#include <initializer_list>

#include "libraries.h"
#include "recorder.h"

namespace {

constexpr int kFloat = 0, kHalf = 2, kNchw = 0, kNhwc = 1;
constexpr size_t kSpace = 8 << 20;  // bytes of workspace; an algorithm that wants more is left out
constexpr size_t kData = 1 << 16;   // bytes of each array: 1×8×16×16 float take 8 KiB

template <typename... Arguments>
int call(const char *name, Arguments... arguments) {
  const auto function = reinterpret_cast<int (*)(Arguments...)>(fp_recorder_symbol(name));
  return function ? function(arguments...) : -1;
}

struct Performance {
  char bytes[48];
};

class Warming {
 public:
  explicit Warming(void *handle) : handle_(handle) {
    if (call("cudaMalloc", &memory_, 4 * kData + kSpace) != 0) return;
    call("cudaMemset", memory_, 0, 4 * kData + kSpace);
    call("cudnnCreateFilterDescriptor", &filter_);
    call("cudnnCreateConvolutionDescriptor", &convolution_);
    call("cudnnCreateTensorDescriptor", &tensor_);
    call("cudnnCreateTensorDescriptor", &channels_);
    call("cudnnCreateActivationDescriptor", &activation_);
    call("cudnnCreatePoolingDescriptor", &pooling_);
    ready_ = true;
  }

  ~Warming() {
    if (!ready_) return;
    call("cudaDeviceSynchronize");
    call("cudnnDestroyFilterDescriptor", filter_);
    call("cudnnDestroyConvolutionDescriptor", convolution_);
    call("cudnnDestroyTensorDescriptor", tensor_);
    call("cudnnDestroyTensorDescriptor", channels_);
    call("cudnnDestroyActivationDescriptor", activation_);
    call("cudnnDestroyPoolingDescriptor", pooling_);
    call("cudaFree", memory_);
  }

  void run() {
    if (!ready_) return;
    describe(kHalf, kNhwc);
    forward(1);
    describe(kFloat, kNchw);
    Performance found[10];
    int count = 0;
    call("cudnnGetConvolutionForwardAlgorithm_v7", handle_, tensor_, filter_, convolution_, tensor_, 10, &count,
         &found[0]);
    for (const int algorithm : {0, 1, 2}) forward(algorithm);
    for (const int algorithm : {0, 1}) backward(algorithm);
    pointwise();
  }

 private:
  void *at(int index) { return static_cast<char *>(memory_) + index * kData; }

  void describe(int type, int layout) {
    call("cudnnSetTensor4dDescriptor", tensor_, layout, type, 1, 8, 16, 16);
    call("cudnnSetTensor4dDescriptor", channels_, layout, type, 1, 8, 1, 1);
    call("cudnnSetFilter4dDescriptor", filter_, type, layout, 8, 8, 3, 3);
    call("cudnnSetConvolution2dDescriptor", convolution_, 1, 1, 1, 1, 1, 1, 1, kFloat);
  }

  bool fits(int status, size_t bytes) const { return status == 0 && bytes <= kSpace; }

  void forward(int algorithm) {
    size_t bytes = 0;
    const int status = call("cudnnGetConvolutionForwardWorkspaceSize", handle_, tensor_, filter_, convolution_, tensor_,
                            algorithm, &bytes);
    if (!fits(status, bytes)) return;
    call("cudnnConvolutionForward", handle_, one(), tensor_, at(0), filter_, at(1), convolution_, algorithm, at(4),
         bytes, zero(), tensor_, at(2));
  }

  void backward(int algorithm) {
    size_t bytes = 0;
    int status = call("cudnnGetConvolutionBackwardDataWorkspaceSize", handle_, filter_, tensor_, convolution_, tensor_,
                      algorithm, &bytes);
    if (fits(status, bytes))
      call("cudnnConvolutionBackwardData", handle_, one(), filter_, at(1), tensor_, at(0), convolution_, algorithm,
           at(4), bytes, zero(), tensor_, at(2));
    status = call("cudnnGetConvolutionBackwardFilterWorkspaceSize", handle_, tensor_, tensor_, convolution_, filter_,
                  algorithm, &bytes);
    if (fits(status, bytes))
      call("cudnnConvolutionBackwardFilter", handle_, one(), tensor_, at(0), tensor_, at(1), convolution_, algorithm,
           at(4), bytes, zero(), filter_, at(2));
  }

  void pointwise() {
    call("cudnnSetActivationDescriptor", activation_, 1, 0, 0.0);
    call("cudnnSetPooling2dDescriptor", pooling_, 0, 0, 3, 3, 1, 1, 1, 1);
    call("cudnnAddTensor", handle_, one(), channels_, at(1), one(), tensor_, at(2));
    call("cudnnActivationForward", handle_, activation_, one(), tensor_, at(0), zero(), tensor_, at(2));
    call("cudnnPoolingForward", handle_, pooling_, one(), tensor_, at(0), zero(), tensor_, at(2));
    call("cudnnSoftmaxForward", handle_, 1, 1, one(), tensor_, at(0), zero(), tensor_, at(2));
    call("cudnnBatchNormalizationForwardInference", handle_, 1, one(), zero(), tensor_, at(0), tensor_, at(2),
         channels_, at(1), at(1), at(1), at(1), 1e-5);
  }

  void *one() { return &one_; }
  void *zero() { return &zero_; }

  void *handle_;
  float one_ = 1, zero_ = 0;
  bool ready_ = false;
  void *memory_ = nullptr, *filter_ = nullptr, *convolution_ = nullptr, *tensor_ = nullptr, *channels_ = nullptr;
  void *activation_ = nullptr, *pooling_ = nullptr;
};

}  // namespace

extern "C" void fp_recorder_warm(void *handle) { Warming(handle).run(); }
