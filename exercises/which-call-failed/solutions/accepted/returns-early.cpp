#include <cstdint>
#include <cudnn.h>

namespace {

struct Descriptors {
    cudnnTensorDescriptor_t x = nullptr;
    cudnnFilterDescriptor_t w = nullptr;
    cudnnConvolutionDescriptor_t conv = nullptr;
    Descriptors() {
        cudnnCreateTensorDescriptor(&x);
        cudnnCreateFilterDescriptor(&w);
        cudnnCreateConvolutionDescriptor(&conv);
    }
    ~Descriptors() {
        cudnnDestroyConvolutionDescriptor(conv);
        cudnnDestroyFilterDescriptor(w);
        cudnnDestroyTensorDescriptor(x);
    }
};

}  // namespace

void diagnose(int N, int C, int H, int W, int K, int filter_c, int R, int S, int pad, int stride, int32_t *report) {
    const Descriptors d;
    for (int i = 0; i < 6; ++i) report[i] = 0;
    const auto failed = [report](int step, cudnnStatus_t status) {
        if (status == CUDNN_STATUS_SUCCESS) return false;
        report[0] = step;
        report[1] = status;
        return true;
    };
    if (failed(1, cudnnSetTensor4dDescriptor(d.x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, N, C, H, W))) return;
    if (failed(2, cudnnSetFilter4dDescriptor(d.w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, K, filter_c, R, S))) return;
    if (failed(3, cudnnSetConvolution2dDescriptor(d.conv, pad, pad, stride, stride, 1, 1, CUDNN_CROSS_CORRELATION,
                                                  CUDNN_DATA_FLOAT)))
        return;
    int n, k, p, q;
    if (failed(4, cudnnGetConvolution2dForwardOutputDim(d.conv, d.x, d.w, &n, &k, &p, &q))) return;
    report[2] = n;
    report[3] = k;
    report[4] = p;
    report[5] = q;
}
