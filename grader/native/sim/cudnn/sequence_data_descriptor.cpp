// Sequence data descriptors, for attention.
#include "attention.h"

using namespace fpsim;

namespace {

// Every axis once, the vector innermost.
bool axes_fit(const cudnnSeqDataAxis_t *axes) {
    unsigned seen = 0;
    for (int i = 0; i < CUDNN_SEQDATA_DIM_COUNT; ++i) {
        if (axes[i] < CUDNN_SEQDATA_TIME_DIM || axes[i] > CUDNN_SEQDATA_VECT_DIM) return false;
        seen |= 1U << axes[i];
    }
    return seen == (1U << CUDNN_SEQDATA_DIM_COUNT) - 1 && axes[CUDNN_SEQDATA_DIM_COUNT - 1] == CUDNN_SEQDATA_VECT_DIM;
}

}  // namespace

extern "C" cudnnStatus_t cudnnCreateSeqDataDescriptor(cudnnSeqDataDescriptor_t *seqDataDesc) {
    FP_CALL(seqDataDesc);
    return call.create(seqDataDesc);
}

extern "C" cudnnStatus_t cudnnDestroySeqDataDescriptor(cudnnSeqDataDescriptor_t seqDataDesc) {
    FP_CALL(seqDataDesc);
    return call.destroy(seqDataDesc);
}

extern "C" cudnnStatus_t cudnnSetSeqDataDescriptor(cudnnSeqDataDescriptor_t seqDataDesc, cudnnDataType_t dataType,
                                                   int nbDims, const int dimA[], const cudnnSeqDataAxis_t axes[],
                                                   size_t seqLengthArraySize, const int seqLengthArray[],
                                                   void *paddingFill) {
    FP_CALL(seqDataDesc, dataType, nbDims, dimA, axes, seqLengthArraySize, seqLengthArray, paddingFill);
    FP_ALIVE(seqDataDesc);
    FP_REQUIRE(is_data_type(dataType));
    FP_REQUIRE(nbDims > 0);
    FP_SUPPORTED(nbDims == CUDNN_SEQDATA_DIM_COUNT);
    FP_REQUIRE(dimA != nullptr && axes != nullptr && seqLengthArray != nullptr);
    FP_REQUIRE(std::all_of(dimA, dimA + nbDims, [](int d) { return d > 0; }));
    FP_REQUIRE(axes_fit(axes));
    const int longest = dimA[CUDNN_SEQDATA_TIME_DIM];
    const auto sequences = static_cast<size_t>(dimA[CUDNN_SEQDATA_BATCH_DIM]) * static_cast<size_t>(dimA[CUDNN_SEQDATA_BEAM_DIM]);
    FP_REQUIRE(seqLengthArraySize == sequences);
    FP_REQUIRE(std::all_of(seqLengthArray, seqLengthArray + sequences, [&](int n) { return n > 0 && n <= longest; }));
    seqDataDesc->is_set = true;
    seqDataDesc->type = dataType;
    std::copy(dimA, dimA + nbDims, seqDataDesc->dim.begin());
    std::copy(axes, axes + nbDims, seqDataDesc->axes.begin());
    seqDataDesc->lengths.assign(seqLengthArray, seqLengthArray + sequences);
    seqDataDesc->fill.fill({});
    if (paddingFill) std::memcpy(seqDataDesc->fill.data(), paddingFill, seqDataDesc->fill_bytes());
    // The real library sets the descriptor and fails all the same.
    if (!is_floating(dataType)) return call.fail(CUDNN_STATUS_INTERNAL_ERROR, "dataType is not a floating type");
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetSeqDataDescriptor(const cudnnSeqDataDescriptor_t seqDataDesc,
                                                   cudnnDataType_t *dataType, int *nbDims, int nbDimsRequested,
                                                   int dimA[], cudnnSeqDataAxis_t axes[], size_t *seqLengthArraySize,
                                                   size_t seqLengthSizeRequested, int seqLengthArray[],
                                                   void *paddingFill) {
    FP_CALL(seqDataDesc, dataType, nbDims, nbDimsRequested, dimA, axes, seqLengthArraySize, seqLengthSizeRequested,
            seqLengthArray, paddingFill);
    FP_ALIVE(seqDataDesc);
    FP_REQUIRE(nbDimsRequested >= 0);
    if (dataType) *dataType = seqDataDesc->type;
    if (nbDims) *nbDims = CUDNN_SEQDATA_DIM_COUNT;
    for (int i = 0; i < std::min(nbDimsRequested, CUDNN_SEQDATA_DIM_COUNT); ++i) {
        if (dimA) dimA[i] = seqDataDesc->dim[i];
        if (axes) axes[i] = seqDataDesc->axes[i];
    }
    const size_t sequences = seqDataDesc->lengths.size();
    if (seqLengthArraySize) *seqLengthArraySize = sequences;
    if (seqLengthArray) std::copy_n(seqDataDesc->lengths.begin(), std::min(sequences, seqLengthSizeRequested), seqLengthArray);
    if (paddingFill) std::memcpy(paddingFill, seqDataDesc->fill.data(), seqDataDesc->fill_bytes());
    return call.ok();
}
