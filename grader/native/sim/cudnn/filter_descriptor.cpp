// Filter descriptors: K, C and the window, in a packed layout.
#include <algorithm>

#include "sim.h"

using namespace fpsim;

namespace {

bool is_vectorised(cudnnDataType_t type) {
    return type == CUDNN_DATA_INT8x4 || type == CUDNN_DATA_UINT8x4 || type == CUDNN_DATA_INT8x32;
}

int64_t vector_bytes(cudnnDataType_t type) { return static_cast<int64_t>(element_size(type)); }

cudnnStatus_t set(Call &call, cudnnFilterStruct &filter, cudnnDataType_t type, cudnnTensorFormat_t format, int rank,
                  const int *dim) {
    FP_REQUIRE(element_size(type) != 0);
    FP_REQUIRE(format >= CUDNN_TENSOR_NCHW && format <= CUDNN_TENSOR_NCHW_VECT_C);
    FP_REQUIRE(std::all_of(dim, dim + rank, [](int d) { return d > 0; }));
    FP_REQUIRE(format != CUDNN_TENSOR_NCHW_VECT_C || is_vectorised(type));
    filter.type = type;
    filter.format = format;
    filter.rank = rank;
    filter.dim.fill(0);
    std::copy(dim, dim + rank, filter.dim.begin());
    return call.ok();
}

}  // namespace

extern "C" cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *filterDesc) {
    FP_CALL(filterDesc);
    return call.create(filterDesc);
}

extern "C" cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filterDesc) {
    FP_CALL(filterDesc);
    return call.destroy(filterDesc);
}

extern "C" cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filterDesc, cudnnDataType_t dataType,
                                                    cudnnTensorFormat_t format, int k, int c, int h, int w) {
    FP_CALL(filterDesc, dataType, format, k, c, h, w);
    FP_ALIVE(filterDesc);
    const int dim[4] = {k, c, h, w};
    return set(call, *filterDesc, dataType, format, 4, dim);
}

extern "C" cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t filterDesc, cudnnDataType_t dataType,
                                                    cudnnTensorFormat_t format, int nbDims, const int filterDimA[]) {
    FP_CALL(filterDesc, dataType, format, nbDims, filterDimA);
    FP_ALIVE(filterDesc);
    FP_REQUIRE(filterDimA != nullptr);
    FP_REQUIRE(nbDims > 2);
    FP_SUPPORTED(nbDims <= CUDNN_DIM_MAX);
    return set(call, *filterDesc, dataType, format, nbDims, filterDimA);
}

extern "C" cudnnStatus_t cudnnGetFilter4dDescriptor(const cudnnFilterDescriptor_t filterDesc,
                                                    cudnnDataType_t *dataType, cudnnTensorFormat_t *format, int *k,
                                                    int *c, int *h, int *w) {
    FP_CALL(filterDesc, dataType, format, k, c, h, w);
    FP_ALIVE(filterDesc);
    if (dataType) *dataType = filterDesc->type;
    if (format) *format = filterDesc->format;
    int *const dims[4] = {k, c, h, w};
    for (int d = 0; d < 4; ++d) {
        if (dims[d]) *dims[d] = filterDesc->dim[d];
    }
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetFilterNdDescriptor(const cudnnFilterDescriptor_t filterDesc, int nbDimsRequested,
                                                    cudnnDataType_t *dataType, cudnnTensorFormat_t *format,
                                                    int *nbDims, int filterDimA[]) {
    FP_CALL(filterDesc, nbDimsRequested, dataType, format, nbDims, filterDimA);
    FP_ALIVE(filterDesc);
    if (dataType) *dataType = filterDesc->type;
    if (format) *format = filterDesc->format;
    if (nbDims) *nbDims = filterDesc->rank;
    const int count = std::min(nbDimsRequested, filterDesc->rank);
    for (int d = 0; d < count && filterDimA; ++d) filterDimA[d] = filterDesc->dim[d];
    return call.ok();
}

// A vectorised format counts whole vectors of channels; channels left over count nothing, as in the real library.
extern "C" cudnnStatus_t cudnnGetFilterSizeInBytes(const cudnnFilterDescriptor_t filterDesc, size_t *size) {
    FP_CALL(filterDesc, size);
    FP_ALIVE(filterDesc);
    FP_REQUIRE(size != nullptr);
    int64_t bytes = filterDesc->rank > 0 ? vector_bytes(filterDesc->type) : 0;
    for (int d = 0; d < filterDesc->rank; ++d) {
        const bool vectors = d == 1 && filterDesc->format == CUDNN_TENSOR_NCHW_VECT_C;
        const int per_vector = filterDesc->type == CUDNN_DATA_INT8x32 ? 32 : 4;
        bytes *= vectors ? filterDesc->dim[d] / per_vector : filterDesc->dim[d];
    }
    *size = static_cast<size_t>(bytes);
    return call.ok();
}
