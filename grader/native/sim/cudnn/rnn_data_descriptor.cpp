// RNN data descriptors: a batch of sequences.
#include "rnn.h"

using namespace fpsim;

namespace {

constexpr int kLongest = 65535;  // time steps
constexpr int kLastType = 21;    // that the real library knows

bool is_packed(cudnnRNNDataLayout_t layout) { return layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED; }

// Packed data begins each step with the longest sequences: sorted by falling length, none empty, the first as long as
// the descriptor says.
bool lengths_fit(const std::vector<int> &lengths, int longest, bool packed) {
    for (size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] < (packed ? 1 : 0) || lengths[i] > longest) return false;
        if (packed && (i == 0 ? lengths[0] != longest : lengths[i] > lengths[i - 1])) return false;
    }
    return true;
}

}  // namespace

extern "C" cudnnStatus_t cudnnCreateRNNDataDescriptor(cudnnRNNDataDescriptor_t *rnnDataDesc) {
    FP_CALL(rnnDataDesc);
    return call.create(rnnDataDesc);
}

extern "C" cudnnStatus_t cudnnDestroyRNNDataDescriptor(cudnnRNNDataDescriptor_t rnnDataDesc) {
    FP_CALL(rnnDataDesc);
    return call.destroy(rnnDataDesc);
}

extern "C" cudnnStatus_t cudnnSetRNNDataDescriptor(cudnnRNNDataDescriptor_t rnnDataDesc, cudnnDataType_t dataType,
                                                   cudnnRNNDataLayout_t layout, int maxSeqLength, int batchSize,
                                                   int vectorSize, const int seqLengthArray[], void *paddingFill) {
    FP_CALL(rnnDataDesc, dataType, layout, maxSeqLength, batchSize, vectorSize, seqLengthArray, paddingFill);
    FP_ALIVE(rnnDataDesc);
    FP_REQUIRE(seqLengthArray != nullptr);
    FP_REQUIRE(dataType >= CUDNN_DATA_FLOAT && static_cast<int>(dataType) <= kLastType);
    FP_SUPPORTED(is_floating(dataType));
    FP_REQUIRE(layout >= CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED && layout <= CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED);
    FP_REQUIRE(maxSeqLength > 0 && batchSize > 0 && vectorSize > 0);
    FP_SUPPORTED(maxSeqLength <= kLongest);
    std::vector<int> lengths(seqLengthArray, seqLengthArray + batchSize);
    FP_REQUIRE(lengths_fit(lengths, maxSeqLength, is_packed(layout)));
    rnnDataDesc->type = dataType;
    rnnDataDesc->layout = layout;
    rnnDataDesc->longest = maxSeqLength;
    rnnDataDesc->width = vectorSize;
    rnnDataDesc->lengths = std::move(lengths);
    rnnDataDesc->fills = paddingFill != nullptr;
    rnnDataDesc->fill.fill({});
    if (paddingFill) std::memcpy(rnnDataDesc->fill.data(), paddingFill, element_size(dataType));
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetRNNDataDescriptor(cudnnRNNDataDescriptor_t rnnDataDesc, cudnnDataType_t *dataType,
                                                   cudnnRNNDataLayout_t *layout, int *maxSeqLength, int *batchSize,
                                                   int *vectorSize, int arrayLengthRequested, int seqLengthArray[],
                                                   void *paddingFill) {
    FP_CALL(rnnDataDesc, dataType, layout, maxSeqLength, batchSize, vectorSize, arrayLengthRequested, seqLengthArray,
            paddingFill);
    FP_ALIVE(rnnDataDesc);
    FP_REQUIRE(arrayLengthRequested >= 0);
    FP_REQUIRE(dataType && layout && maxSeqLength && batchSize && vectorSize && paddingFill);
    FP_REQUIRE(seqLengthArray != nullptr || arrayLengthRequested == 0);
    *dataType = rnnDataDesc->type;
    *layout = rnnDataDesc->layout;
    *maxSeqLength = rnnDataDesc->longest;
    *batchSize = rnnDataDesc->batch();
    *vectorSize = rnnDataDesc->width;
    for (int i = 0; i < arrayLengthRequested; ++i) {
        seqLengthArray[i] = i < rnnDataDesc->batch() ? rnnDataDesc->lengths[static_cast<size_t>(i)] : 0;
    }
    std::memcpy(paddingFill, rnnDataDesc->fill.data(), element_size(rnnDataDesc->type));
    return call.ok();
}
