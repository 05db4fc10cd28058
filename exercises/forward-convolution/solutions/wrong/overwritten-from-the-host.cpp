// verdict: api_misuse
// rule: output_from_the_host
// why: calls cuDNN and then copies over y what it has computed on the CPU
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

std::vector<float> fetched(const float *memory, size_t count) {
    std::vector<float> host(count);
    cudaMemcpy(host.data(), memory, count * sizeof(float), cudaMemcpyDeviceToHost);
    return host;
}

void convolve(cudnnHandle_t handle, const float *x, const float *w, float *y, int N, int C, int H, int W, int K, int R,
              int S, int pad_h, int pad_w, int stride_h, int stride_w, int dilation_h, int dilation_w, int groups) {
    cudnnTensorDescriptor_t x_desc, y_desc;
    cudnnFilterDescriptor_t w_desc;
    cudnnConvolutionDescriptor_t conv;
    CHECK(cudnnCreateTensorDescriptor(&x_desc));
    CHECK(cudnnCreateTensorDescriptor(&y_desc));
    CHECK(cudnnCreateFilterDescriptor(&w_desc));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(x_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W));
    CHECK(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, C / groups, R, S));
    CHECK(cudnnSetConvolution2dDescriptor(conv, pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w,
                                          CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    CHECK(cudnnSetConvolutionGroupCount(conv, groups));
    int n, k, p, q;
    CHECK(cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc, &n, &k, &p, &q));
    CHECK(cudnnSetTensor4dDescriptor(y_desc, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, n, k, p, q));

    const cudnnConvolutionFwdAlgo_t algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
    size_t bytes = 0;
    CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, x_desc, w_desc, conv, y_desc, algo, &bytes));
    void *workspace = nullptr;
    if (bytes > 0 && cudaMalloc(&workspace, bytes) != cudaSuccess)
        throw std::runtime_error("no memory for the workspace");

    const float alpha = 1.0f, beta = 0.0f;
    CHECK(cudnnConvolutionForward(handle, &alpha, x_desc, x, w_desc, w, conv, algo, workspace, bytes, &beta, y_desc, y));
    cudaFree(workspace);

    const int c = C / groups, each = K / groups;
    const std::vector<float> image = fetched(x, static_cast<size_t>(N) * C * H * W);
    const std::vector<float> filter = fetched(w, static_cast<size_t>(K) * c * R * S);
    std::vector<float> result;
    for (int i = 0; i < n * k * p * q; ++i) {
        const int column = i % q, row = i / q % p, f = i / (q * p) % k, b = i / (q * p * k);
        double sum = 0.0;
        for (int j = 0; j < c * R * S; ++j) {
            const int s = j % S, r = j / S % R, channel = f / each * c + j / (S * R);
            const int h = row * stride_h - pad_h + r * dilation_h, v = column * stride_w - pad_w + s * dilation_w;
            if (h >= 0 && h < H && v >= 0 && v < W)
                sum += static_cast<double>(image[((b * C + channel) * H + h) * W + v]) * filter[f * c * R * S + j];
        }
        result.push_back(static_cast<float>(sum));
    }
    cudaMemcpy(y, result.data(), result.size() * sizeof(float), cudaMemcpyHostToDevice);

    CHECK(cudnnDestroyConvolutionDescriptor(conv));
    CHECK(cudnnDestroyFilterDescriptor(w_desc));
    CHECK(cudnnDestroyTensorDescriptor(y_desc));
    CHECK(cudnnDestroyTensorDescriptor(x_desc));
}
