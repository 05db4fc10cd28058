#include <stdexcept>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cudnn.h>

void pad_channels(cudnnHandle_t handle, const __half *x, __half *padded, int N, int C, int H, int W) {
    (void)handle;
    const int wide = C % 8 == 0 ? C : C + 8 - C % 8;
    bool fine = cudaMemset(padded, 0, sizeof(__half) * N * H * W * wide) == cudaSuccess;
    for (int pixel = 0; pixel < N * H * W; ++pixel)
        fine = fine && cudaMemcpy(padded + pixel * wide, x + pixel * C, sizeof(__half) * C,
                                  cudaMemcpyDeviceToDevice) == cudaSuccess;
    if (!fine) throw std::runtime_error("a copy failed");
}
