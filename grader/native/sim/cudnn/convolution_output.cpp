// The output dimensions of a convolution.
#include <algorithm>

#include "sim.h"

using namespace fpsim;

namespace {

// Fills `out` (N, K, spatial) as far as the real library does when it fails; the last parameter is the tensor's rank.
cudnnStatus_t output_dims(Call &call, const cudnnConvolutionStruct &convolution, const cudnnTensorStruct &x,
                          const cudnnFilterStruct &w, int *out, int rank) {
    std::fill(out, out + rank, 0);
    FP_REQUIRE(x.rank == rank && w.rank == rank && convolution.rank == rank - 2);
    FP_REQUIRE(x.dim[1] == convolution.groups * w.dim[1]);
    out[0] = x.dim[0];
    out[1] = w.dim[0];
    for (int d = 0; d < rank - 2; ++d) {
        const int64_t window = int64_t{w.dim[d + 2] - 1} * convolution.dilation[d] + 1;
        const int64_t room = int64_t{x.dim[d + 2]} + 2 * int64_t{convolution.pad[d]} - window;
        if (room < 0) {
            std::fill(out + 2, out + rank, 0);
            return call.bad_param("the filter does not fit into the padded input");
        }
        out[d + 2] = static_cast<int>(1 + room / convolution.stride[d]);
    }
    return call.ok();
}

}  // namespace

extern "C" cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(const cudnnConvolutionDescriptor_t convDesc,
                                                               const cudnnTensorDescriptor_t inputTensorDesc,
                                                               const cudnnFilterDescriptor_t filterDesc, int *n,
                                                               int *c, int *h, int *w) {
    FP_CALL(convDesc, inputTensorDesc, filterDesc, n, c, h, w);
    FP_ALIVE(convDesc, inputTensorDesc, filterDesc);
    FP_REQUIRE(n && c && h && w);
    int out[4];
    const cudnnStatus_t status = output_dims(call, *convDesc, *inputTensorDesc, *filterDesc, out, 4);
    *n = out[0], *c = out[1], *h = out[2], *w = out[3];
    return status;
}

extern "C" cudnnStatus_t cudnnGetConvolutionNdForwardOutputDim(const cudnnConvolutionDescriptor_t convDesc,
                                                               const cudnnTensorDescriptor_t inputTensorDesc,
                                                               const cudnnFilterDescriptor_t filterDesc, int nbDims,
                                                               int tensorOuputDimA[]) {
    FP_CALL(convDesc, inputTensorDesc, filterDesc, nbDims, tensorOuputDimA);
    FP_ALIVE(convDesc, inputTensorDesc, filterDesc);
    FP_REQUIRE(tensorOuputDimA != nullptr);
    FP_REQUIRE(nbDims >= 3 && nbDims <= CUDNN_DIM_MAX);
    int out[CUDNN_DIM_MAX];
    const cudnnStatus_t status = output_dims(call, *convDesc, *inputTensorDesc, *filterDesc, out, nbDims);
    std::copy(out, out + nbDims, tensorOuputDimA);
    return status;
}
