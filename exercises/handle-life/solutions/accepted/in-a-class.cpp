#include <cstdio>
#include <stdexcept>
#include <string>
#include <cuda_runtime.h>
#include <cudnn.h>

// Turns a status other than success into an exception that names the call.
#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudnnStatus_t status_ = (call);                                                    \
        if (status_ != CUDNN_STATUS_SUCCESS)                                                     \
            throw std::runtime_error(std::string(#call) + ": " + cudnnGetErrorString(status_));  \
    } while (0)

// Holds everything that both multiplications need, and gives it back in its destructor.
class Multiplier {
public:
    Multiplier() {
        CHECK(cudnnCreate(&handle_));
        CHECK(cudnnCreateTensorDescriptor(&number_));
        CHECK(cudnnCreateFilterDescriptor(&filter_));
        CHECK(cudnnCreateConvolutionDescriptor(&conv_));
        CHECK(cudnnSetTensor4dDescriptor(number_, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 1, 1));
        CHECK(cudnnSetFilter4dDescriptor(filter_, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 1, 1, 1, 1));
        CHECK(cudnnSetConvolution2dDescriptor(conv_, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
        cudaMalloc(&factor_, sizeof(float));
    }
    ~Multiplier() {
        cudaFree(factor_);
        cudnnDestroyConvolutionDescriptor(conv_);
        cudnnDestroyFilterDescriptor(filter_);
        cudnnDestroyTensorDescriptor(number_);
        cudnnDestroy(handle_);
    }
    void run(float factor, const float *in, float *out) {
        cudaMemcpy(factor_, &factor, sizeof(float), cudaMemcpyHostToDevice);
        const float alpha = 1.0f, beta = 0.0f;
        CHECK(cudnnConvolutionForward(handle_, &alpha, number_, in, filter_, factor_, conv_,
                                      CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &beta, number_, out));
    }

private:
    cudnnHandle_t handle_ = nullptr;
    cudnnTensorDescriptor_t number_ = nullptr;
    cudnnFilterDescriptor_t filter_ = nullptr;
    cudnnConvolutionDescriptor_t conv_ = nullptr;
    float *factor_ = nullptr;
};

int main() {
    float *numbers = nullptr;
    cudaMalloc(&numbers, 3 * sizeof(float));
    float host[3] = {7.0f, 0.0f, 0.0f};
    cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice);
    {
        Multiplier multiplier;
        multiplier.run(2.0f, numbers, numbers + 1);
        multiplier.run(3.0f, numbers + 1, numbers + 2);
        cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost);
    }
    cudaFree(numbers);
    std::printf("%g\n%g\n", host[1], host[2]);
}
