// What sequence data and multi-head attention share, grouped by source file.
#pragma once

#include "operations.h"

struct cudnnSeqDataStruct : fpsim::Object {
    static constexpr fpsim::Kind kKind = fpsim::Kind::seq_data;
    cudnnSeqDataStruct() : Object(kKind) {}
    bool is_set = false;
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    std::array<int, CUDNN_SEQDATA_DIM_COUNT> dim{};  // by axis: time, batch, beam, vector
    std::array<cudnnSeqDataAxis_t, CUDNN_SEQDATA_DIM_COUNT> axes{};  // from the outermost
    std::vector<int> lengths;  // of the sequences, beams running faster
    std::array<unsigned char, 8> fill{};  // one element
    size_t fill_bytes() const { return std::min(fpsim::element_size(type), fill.size()); }
};

namespace fpsim {
struct AttentionSettings {
    unsigned mode = 0;
    int heads = 0;
    double scale = 0;
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    cudnnDataType_t precision = CUDNN_DATA_FLOAT;
    cudnnMathType_t math = CUDNN_DEFAULT_MATH;
    cudnnDropoutDescriptor_t attention_dropout = nullptr;
    cudnnDropoutDescriptor_t output_dropout = nullptr;
    int q = 0, k = 0, v = 0;                             // widths of the inputs
    int q_projected = 0, k_projected = 0, v_projected = 0, o_projected = 0;  // 0: no projection
    int q_longest = 0, kv_longest = 0, batch = 0, beam = 0;

    bool one_to_one() const { return (mode & CUDNN_ATTN_QUERYMAP_ONE_TO_ONE) != 0; }
    bool has_biases() const { return (mode & CUDNN_ATTN_ENABLE_PROJ_BIASES) != 0; }
    int key_width() const { return q_projected > 0 ? q_projected : q; }    // of one head
    int value_width() const { return v_projected > 0 ? v_projected : v; }  // of one head
    int output_width() const { return o_projected > 0 ? o_projected : heads * value_width(); }
};
}  // namespace fpsim

struct cudnnAttnStruct : fpsim::Object {
    static constexpr fpsim::Kind kKind = fpsim::Kind::attention;
    cudnnAttnStruct() : Object(kKind) {}
    fpsim::AttentionSettings settings;
};
