// Workspace sizes of the forward algorithms.
#include "convolution.h"

namespace fpsim {
namespace {

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Transformed input, filter and output: tiles of 4x4 outputs for a 3x3 window, of 9x9 for 5x5.
size_t winograd_workspace(const ConvolutionShape &s) {
    const int64_t tile = s.w.dim[2] == 3 ? 4 : 9;
    const int64_t transformed = (tile + s.w.dim[2] - 1) * (tile + s.w.dim[2] - 1);
    const int64_t tiles = s.y.dim[0] * ceil_div(s.y.dim[2], tile) * ceil_div(s.y.dim[3], tile);
    const int64_t elements = s.w.dim[0] * s.w.dim[1] + tiles * (s.x.dim[1] + s.y.dim[1]);
    const int64_t bytes = s.compute == CUDNN_DATA_HALF ? 2 : 4;
    return static_cast<size_t>(transformed * elements * bytes);
}

}  // namespace

size_t forward_workspace(const ConvolutionShape &s, int algorithm, cudnnMathType_t) {
    switch (algorithm) {
        case CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED: return winograd_workspace(s);
        default: return 0;
    }
}

}  // namespace fpsim
