// What the recurrent networks share, grouped by source file.
#pragma once

#include "operations.h"

struct cudnnRNNStruct : fpsim::Object {
    static constexpr fpsim::Kind kKind = fpsim::Kind::rnn;
    cudnnRNNStruct() : Object(kKind) {}
    bool is_set = false;
    cudnnRNNAlgo_t algo = CUDNN_RNN_ALGO_STANDARD;
    cudnnRNNMode_t cell = CUDNN_RNN_RELU;
    cudnnRNNBiasMode_t bias = CUDNN_RNN_NO_BIAS;
    cudnnDirectionMode_t direction = CUDNN_UNIDIRECTIONAL;
    cudnnRNNInputMode_t input = CUDNN_LINEAR_INPUT;
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    cudnnDataType_t precision = CUDNN_DATA_FLOAT;
    cudnnMathType_t math = CUDNN_DEFAULT_MATH;
    int32_t inputs = 0;
    int32_t hidden = 0;
    int32_t projected = 0;
    int32_t layers = 0;
    cudnnDropoutDescriptor_t dropout = nullptr;
    fpsim::Hold dropout_hold;
    uint32_t flags = 0;
    cudnnRNNClipMode_t clip = CUDNN_RNN_CLIP_NONE;
    cudnnNanPropagation_t clip_nan = CUDNN_NOT_PROPAGATE_NAN;
    double clip_low = 0;
    double clip_high = 0;

    int gates() const { return cell == CUDNN_LSTM ? 4 : cell == CUDNN_GRU ? 3 : 1; }
    int directions() const { return direction == CUDNN_BIDIRECTIONAL ? 2 : 1; }
    bool projects() const { return cell == CUDNN_LSTM && projected != hidden; }
    int outputs() const { return projects() ? projected : hidden; }  // of one direction
    int pseudo_layers() const { return layers * directions(); }
    // Width of what layer `layer` reads.
    int width(int layer) const { return layer == 0 ? inputs : outputs() * directions(); }
    bool has_input_matrix(int layer) const { return layer > 0 || input == CUDNN_LINEAR_INPUT; }
    // Vectors of the hidden size that a layer keeps of each step for its gradient: the gates, and of an LSTM the cell, of a
    // GRU the recurrent part of the new gate (and room for two more, as on a real device).
    int kept_vectors() const { return cell == CUDNN_LSTM ? 5 : cell == CUDNN_GRU ? 6 : 1; }
    bool has_input_bias() const { return bias == CUDNN_RNN_SINGLE_INP_BIAS || bias == CUDNN_RNN_DOUBLE_BIAS; }
    bool has_recurrent_bias() const { return bias == CUDNN_RNN_SINGLE_REC_BIAS || bias == CUDNN_RNN_DOUBLE_BIAS; }
};

struct cudnnRNNDataStruct : fpsim::Object {
    static constexpr fpsim::Kind kKind = fpsim::Kind::rnn_data;
    cudnnRNNDataStruct() : Object(kKind) {}
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    cudnnRNNDataLayout_t layout = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED;
    int longest = 0;
    int width = 0;
    std::vector<int> lengths;  // empty: never set
    bool fills = false;
    std::array<unsigned char, 8> fill{};  // one element

    int batch() const { return static_cast<int>(lengths.size()); }
};

namespace fpsim {

// ---- cudnn/rnn_weights.cpp: where the parameters lie ----------------------------------------------------------------
// One matrix or bias in the weight space: rows x columns from element `offset`; no rows: it does not exist.
struct RnnBlock {
    int64_t offset = 0;
    int64_t rows = 0;
    int64_t columns = 0;
};
// The parameters of one layer in one direction. All matrices of all layers come first, then all biases.
struct RnnLayerLayout {
    RnnBlock input;       // gates * hidden x width
    RnnBlock recurrent;   // gates * hidden x outputs
    RnnBlock projection;  // outputs x hidden
    RnnBlock input_bias, recurrent_bias;  // gates * hidden x 1
};
std::vector<RnnLayerLayout> rnn_layout(const cudnnRNNStruct &rnn);
int64_t rnn_weight_elements(const cudnnRNNStruct &rnn);

// ---- cudnn/rnn_sizes.cpp -------------------------------------------------------------------------------------------
struct RnnSizes {
    size_t work = 0, reserve = 0;
};
RnnSizes rnn_sizes(const cudnnRNNStruct &rnn, const cudnnRNNDataStruct &x, bool training);

// ---- cudnn/rnn_batch.cpp: the sequences of one call -----------------------------------------------------------------
struct RnnBatch {
    std::vector<int> lengths;
    std::vector<int64_t> start;  // of a sequence among all steps, one sequence after the other
    int64_t steps = 0;           // of all sequences
    int longest = 0;

    int batch() const { return static_cast<int>(lengths.size()); }
    int64_t step(int sequence, int time) const { return start[static_cast<size_t>(sequence)] + time; }
};
RnnBatch rnn_batch(const cudnnRNNDataStruct &data);
// Element offset of the vector of one time step.
int64_t rnn_vector_offset(const cudnnRNNDataStruct &data, int sequence, int time);
// Elements that the descriptor spans, and a view of them for Kernel; with padding, which need not have been written.
View rnn_view(const cudnnRNNDataStruct &data);
// Why x, y and the network do not belong together; null when they do.
const char *rnn_mismatch(const cudnnRNNStruct &rnn, const cudnnRNNDataStruct &x, const cudnnRNNDataStruct &y);
// Whether a state descriptor is layers x batch x width, packed.
bool rnn_state_fits(const cudnnTensorStruct &state, int layers, int batch, int width);

// ---- kernels/rnn_forward.cpp ---------------------------------------------------------------------------------------
struct RnnForward {
    const void *x, *weights;
    void *y;
    const void *hx, *cx;  // may be null: zero
    void *hy, *cy;        // may be null
    void *reserve;        // null for inference
    DropoutState dropout;
    float dropout_rate;
};
struct RnnProblem {
    const cudnnRNNStruct &rnn;
    const cudnnRNNDataStruct &x, &y;
    RnnBatch batch;
};
void rnn_forward(const RnnProblem &problem, const RnnForward &memory);

// ---- kernels/rnn_backward.cpp --------------------------------------------------------------------------------------
struct RnnBackward {
    const void *y, *dy, *weights;
    void *dx;
    const void *hx, *dhy, *cx, *dcy;  // may be null: zero
    void *dhx, *dcx;                  // may be null
    void *reserve;
};
void rnn_backward_data(const RnnProblem &problem, const RnnBackward &memory);

// ---- kernels/rnn_gradient.cpp --------------------------------------------------------------------------------------
struct RnnGradient {
    const void *x, *y, *hx;
    void *dweights;  // added to
    const void *reserve;
};
void rnn_backward_weights(const RnnProblem &problem, const RnnGradient &memory);

}  // namespace fpsim
