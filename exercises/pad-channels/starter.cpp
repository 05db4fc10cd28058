#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cudnn.h>

void pad_channels(cudnnHandle_t handle, const __half *x, __half *padded, int N, int C, int H, int W) {
    // Copies the values one behind the other, without room for the added channels.
    (void)handle;
    cudaMemcpy(padded, x, sizeof(__half) * N * H * W * C, cudaMemcpyDeviceToDevice);
}
