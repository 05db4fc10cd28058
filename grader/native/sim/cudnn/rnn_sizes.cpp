// Work and reserve space of a recurrent network. The reserve space follows cuDNN 9.19 on an H200 exactly for plain
// networks; the work space follows it closely (8 MiB a layer and direction, and what moves through one layer).
#include "rnn.h"

namespace fpsim {
namespace {

int64_t aligned(int64_t bytes, int64_t unit) { return (bytes + unit - 1) / unit * unit; }

int64_t reserve_bytes(const cudnnRNNStruct &rnn, const RnnBatch &batch) {
    const auto element = static_cast<int64_t>(element_size(rnn.type));
    const int64_t extra = rnn.projects() ? rnn.hidden + rnn.projected : 0;
    const int64_t layer = (int64_t{rnn.kept_vectors()} * rnn.hidden + extra) * batch.steps * element;
    const int64_t between = int64_t{rnn.outputs()} * rnn.directions() * batch.steps;
    int64_t bytes = rnn.pseudo_layers() * layer + (rnn.layers - 1) * between * element;
    bytes = rnn.projects() ? (rnn.layers - 1) * 64 + aligned(bytes, 64) : aligned(bytes, 32);
    const int64_t masks = rnn.dropout && rnn.layers > 1 ? (rnn.layers - 1) * aligned((between + 7) / 8, 32) : 0;
    return 256 + bytes + masks;
}

int64_t work_bytes(const cudnnRNNStruct &rnn, const cudnnRNNDataStruct &x, const RnnBatch &batch, bool training) {
    constexpr int64_t kProducts = 8 << 20;
    const auto element = static_cast<int64_t>(element_size(rnn.type));
    const int64_t gates = int64_t{rnn.gates()} * rnn.hidden;
    const int64_t state = int64_t{batch.batch()} * rnn.hidden * (rnn.cell == CUDNN_LSTM ? 2 : 1);
    const int64_t layer = gates * (rnn.width(0) + rnn.outputs() + batch.batch() + batch.steps) + state;
    const bool padded = (rnn.flags & CUDNN_RNN_PADDED_IO_ENABLED) != 0;
    const int64_t vectors = int64_t{x.longest} * x.batch() * (rnn.inputs + rnn.outputs() * rnn.directions());
    const int64_t moved = (padded ? vectors : 0) + (training ? batch.steps * rnn.outputs() : 0);
    return rnn.pseudo_layers() * (kProducts + aligned(layer * element, 32)) + aligned(moved * element, 32) + 256;
}

}  // namespace

RnnSizes rnn_sizes(const cudnnRNNStruct &rnn, const cudnnRNNDataStruct &x, bool training) {
    const RnnBatch batch = rnn_batch(x);
    RnnSizes sizes;
    sizes.work = static_cast<size_t>(work_bytes(rnn, x, batch, training));
    if (training) sizes.reserve = static_cast<size_t>(reserve_bytes(rnn, batch));
    return sizes;
}

}  // namespace fpsim

using namespace fpsim;

extern "C" cudnnStatus_t cudnnGetRNNTempSpaceSizes(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc,
                                                   cudnnForwardMode_t fwdMode, cudnnRNNDataDescriptor_t xDesc,
                                                   size_t *workSpaceSize, size_t *reserveSpaceSize) {
    FP_CALL(handle, rnnDesc, fwdMode, xDesc, workSpaceSize, reserveSpaceSize);
    FP_ALIVE(handle, rnnDesc, xDesc);
    FP_REQUIRE(fwdMode == CUDNN_FWD_MODE_INFERENCE || fwdMode == CUDNN_FWD_MODE_TRAINING);
    FP_REQUIRE(rnnDesc->is_set && xDesc->batch() > 0);
    const RnnSizes sizes = rnn_sizes(*rnnDesc, *xDesc, fwdMode != CUDNN_FWD_MODE_INFERENCE);
    if (workSpaceSize) *workSpaceSize = sizes.work;
    if (reserveSpaceSize) *reserveSpaceSize = sizes.reserve;
    return call.ok();
}
