// Eight threads use the simulator at once, each with its own handle, stream and buffers: results must be right, and a
// build with -fsanitize=thread must find no race. Ends with status 0, or 1 and a message.
#include <cuda_runtime.h>
#include <cudnn.h>

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 8, kRounds = 12, kChannels = 16, kSize = 24;
std::atomic<int> failures{0};

void must(int status, const char *what) {
    if (status == 0) return;
    std::printf("%s: status %d\n", what, status);
    ++failures;
}

struct Problem {
    cudnnTensorDescriptor_t x, y;
    cudnnFilterDescriptor_t w;
    cudnnConvolutionDescriptor_t convolution;

    Problem() {
        must(cudnnCreateTensorDescriptor(&x), "create x");
        must(cudnnCreateTensorDescriptor(&y), "create y");
        must(cudnnCreateFilterDescriptor(&w), "create w");
        must(cudnnCreateConvolutionDescriptor(&convolution), "create convolution");
        must(cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, kChannels, kSize, kSize), "set x");
        must(cudnnSetTensor4dDescriptor(y, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, kChannels, kSize, kSize), "set y");
        must(cudnnSetFilter4dDescriptor(w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, kChannels, kChannels, 3, 3), "set w");
        must(cudnnSetConvolution2dDescriptor(convolution, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
             "set convolution");
    }
    ~Problem() {
        must(cudnnDestroyTensorDescriptor(x), "destroy x");
        must(cudnnDestroyTensorDescriptor(y), "destroy y");
        must(cudnnDestroyFilterDescriptor(w), "destroy w");
        must(cudnnDestroyConvolutionDescriptor(convolution), "destroy convolution");
    }
};

float *filled(size_t count, float value) {
    float *device = nullptr;
    const std::vector<float> host(count, value);
    must(cudaMalloc(reinterpret_cast<void **>(&device), count * sizeof(float)), "cudaMalloc");
    must(cudaMemcpy(device, host.data(), count * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
    return device;
}

void round_of(cudnnHandle_t handle, int thread) {
    const Problem problem;
    const float value = static_cast<float>(thread + 1), one = 1, zero = 0;
    constexpr size_t kPixels = kSize * kSize;
    float *x = filled(kChannels * kPixels, value), *w = filled(kChannels * kChannels * 9, 1), *y = filled(kChannels * kPixels, 0);
    must(cudnnConvolutionForward(handle, &one, problem.x, x, problem.w, w, problem.convolution,
                                 CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, problem.y, y), "forward");
    std::vector<float> result(kChannels * kPixels);
    must(cudaMemcpy(result.data(), y, result.size() * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    const float expected = value * kChannels * 9;
    if (result[kPixels / 2 + kSize / 2] != expected) {
        std::printf("thread %d: %f instead of %f\n", thread, result[kPixels / 2 + kSize / 2], expected);
        ++failures;
    }
    for (float *buffer : {x, w, y}) must(cudaFree(buffer), "cudaFree");
}

void work(int thread) {
    cudnnHandle_t handle;
    cudaStream_t stream;
    cudaEvent_t event;
    must(cudnnCreate(&handle), "cudnnCreate");
    must(cudaStreamCreate(&stream), "cudaStreamCreate");
    must(cudaEventCreate(&event), "cudaEventCreate");
    must(cudnnSetStream(handle, stream), "cudnnSetStream");
    for (int round = 0; round < kRounds; ++round) {
        round_of(handle, thread);
        must(cudaEventRecord(event, stream), "cudaEventRecord");
        must(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        if (cudnnSetTensor4dDescriptor(nullptr, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, 1) != CUDNN_STATUS_BAD_PARAM) ++failures;
        char text[64];
        cudnnGetLastErrorString(text, sizeof text);
        if (text[0] == 0) ++failures;
    }
    must(cudaEventDestroy(event), "cudaEventDestroy");
    must(cudnnDestroy(handle), "cudnnDestroy");
    must(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

}  // namespace

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
    for (std::thread &thread : threads) thread.join();
    return failures == 0 ? 0 : 1;
}
