// The sequences of one call, and whether the descriptors of a call belong together.
#include "rnn.h"

namespace fpsim {

RnnBatch rnn_batch(const cudnnRNNDataStruct &data) {
    RnnBatch batch;
    batch.lengths = data.lengths;
    for (const int length : data.lengths) {
        batch.start.push_back(batch.steps);
        batch.steps += length;
        batch.longest = std::max(batch.longest, length);
    }
    return batch;
}

int64_t rnn_vector_offset(const cudnnRNNDataStruct &data, int sequence, int time) {
    switch (data.layout) {
        case CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED:
            return (int64_t{sequence} * data.longest + time) * data.width;
        case CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED: {
            int64_t before = sequence;
            for (const int length : data.lengths) before += std::min(length, time);
            return before * data.width;
        }
        default: return (int64_t{time} * data.batch() + sequence) * data.width;
    }
}

View rnn_view(const cudnnRNNDataStruct &data) {
    int64_t vectors = int64_t{data.longest} * data.batch();
    int64_t written = 0;
    for (const int length : data.lengths) written += length;
    if (data.layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED) vectors = written;
    const int64_t elements = vectors * data.width;
    if (written == vectors || elements < 2) return packed_view(data.type, 1, &elements);
    // Only the first and the last element: the padding between them need not have been written.
    View view;
    view.type = data.type;
    view.rank = 1;
    view.dim[0] = 2;
    view.stride[0] = elements - 1;
    return view;
}

const char *rnn_mismatch(const cudnnRNNStruct &rnn, const cudnnRNNDataStruct &x, const cudnnRNNDataStruct &y) {
    if (!rnn.is_set) return "the RNN descriptor was never set";
    if (x.lengths.empty() || y.lengths.empty()) return "an RNN data descriptor was never set";
    if (x.type != rnn.type || y.type != rnn.type) return "xDesc->dataType, yDesc->dataType != rnnDesc->dataType";
    if (x.layout != y.layout) return "xDesc->layout != yDesc->layout";
    if (x.longest != y.longest || x.lengths != y.lengths) return "xDesc and yDesc have other sequence lengths";
    if (x.width != rnn.inputs) return "xDesc->vectorSize != rnnDesc->inputSize";
    if (y.width != rnn.outputs() * rnn.directions()) return "yDesc->vectorSize != outputs * directions";
    if (rnn.input == CUDNN_SKIP_INPUT && rnn.inputs != rnn.hidden) return "CUDNN_SKIP_INPUT: inputSize != hiddenSize";
    const bool padded_io = (rnn.flags & CUDNN_RNN_PADDED_IO_ENABLED) != 0;
    if (!padded_io && x.layout == CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED) {
        return "CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED, but CUDNN_RNN_PADDED_IO_ENABLED is not set";
    }
    if (!padded_io && x.layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED) {
        for (const int length : x.lengths) {
            if (length != x.longest) return "padding, but CUDNN_RNN_PADDED_IO_ENABLED is not set";
        }
    }
    return nullptr;
}

bool rnn_state_fits(const cudnnTensorStruct &state, int layers, int batch, int width) {
    const bool dims = state.rank >= 3 && state.dim[0] == layers && state.dim[1] == batch && state.dim[2] == width;
    return dims && is_nchw(view_of(state));
}

}  // namespace fpsim
