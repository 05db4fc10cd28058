// The output dimensions of a convolution.
#include <algorithm>
#include <csignal>

#include "sim.h"

using namespace fpsim;

namespace {

// The real library computes in 32 bits and lets them wrap.
int wrapped(int64_t value) { return static_cast<int>(static_cast<uint32_t>(value)); }

struct Question {
    const cudnnConvolutionStruct &convolution;
    const cudnnTensorStruct &x;
    const cudnnFilterStruct &w;
};

bool belong_together(const Question &q) {
    if (q.x.rank < 3 || q.w.rank != q.x.rank || q.convolution.rank != q.x.rank - 2) return false;
    return q.x.dim[1] == wrapped(int64_t{q.convolution.groups} * q.w.dim[1]);
}

// The dimension at `d`; false when the window does not fit into the padded input.
bool output_dim(const Question &q, int d, int *out) {
    if (d < 2) {
        *out = d == 0 ? q.x.dim[0] : q.w.dim[0];
        return true;
    }
    const int i = d - 2;
    const int window = wrapped(int64_t{q.w.dim[d] - 1} * q.convolution.dilation[i] + 1);
    const int padded = wrapped(q.x.dim[d] + 2 * int64_t{q.convolution.pad[i]});
    if (padded < window) return false;
    if (q.convolution.stride[i] == 0) {  // kept from a refused setter: the real library divides, and the process dies
        std::raise(SIGFPE);
        return false;
    }
    const int stride = q.convolution.stride[i];
    const int64_t room = wrapped(int64_t{padded} - window);
    *out = wrapped(stride > 0 ? 1 + room / stride : (room + 1) / stride);  // (room + 1) / stride, rounded up
    return true;
}

// Writes the first `count` dimensions, up to the first that does not fit.
cudnnStatus_t output_dims(Call &call, const Question &q, int count, int *const *out) {
    FP_REQUIRE(belong_together(q));
    for (int d = 0; d < count; ++d) FP_REQUIRE(output_dim(q, d, out[d]));
    return call.ok();
}

}  // namespace

extern "C" cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(const cudnnConvolutionDescriptor_t convDesc,
                                                               const cudnnTensorDescriptor_t inputTensorDesc,
                                                               const cudnnFilterDescriptor_t filterDesc, int *n,
                                                               int *c, int *h, int *w) {
    FP_CALL(convDesc, inputTensorDesc, filterDesc, n, c, h, w);
    FP_REQUIRE(n && c && h && w);
    *n = *c = *h = *w = 0;
    FP_ALIVE(convDesc, inputTensorDesc, filterDesc);
    FP_REQUIRE(inputTensorDesc->rank >= 4);
    int *const out[4] = {n, c, h, w};
    return output_dims(call, {*convDesc, *inputTensorDesc, *filterDesc}, 4, out);
}

extern "C" cudnnStatus_t cudnnGetConvolutionNdForwardOutputDim(const cudnnConvolutionDescriptor_t convDesc,
                                                               const cudnnTensorDescriptor_t inputTensorDesc,
                                                               const cudnnFilterDescriptor_t filterDesc, int nbDims,
                                                               int tensorOuputDimA[]) {
    FP_CALL(convDesc, inputTensorDesc, filterDesc, nbDims, tensorOuputDimA);
    FP_ALIVE(convDesc, inputTensorDesc, filterDesc);
    FP_REQUIRE(tensorOuputDimA != nullptr);
    FP_REQUIRE(nbDims >= 0 && nbDims <= inputTensorDesc->rank);
    const int count = std::max(nbDims, 2);  // N and K are written however few are asked for, as in the real library
    int *out[CUDNN_DIM_MAX];
    for (int d = 0; d < count; ++d) out[d] = tensorOuputDimA + d;
    return output_dims(call, {*convDesc, *inputTensorDesc, *filterDesc}, count, out);
}
