// Filter descriptors: K, C and the window, in a packed layout.
#include "sim.h"

using namespace fpsim;

namespace {

bool is_vectorised(cudnnDataType_t type) {
    return type == CUDNN_DATA_INT8x4 || type == CUDNN_DATA_UINT8x4 || type == CUDNN_DATA_INT8x32;
}

bool is_filter_type(cudnnDataType_t type) {
    return type >= CUDNN_DATA_FLOAT && type <= CUDNN_DATA_BFLOAT16 && type != CUDNN_DATA_INT32;
}

// Stores dimension by dimension up to the first that is wrong, as the real library does. A vectorised format counts whole
// vectors of channels; channels left over are dropped.
cudnnStatus_t set(Call &call, cudnnFilterStruct &filter, cudnnDataType_t type, cudnnTensorFormat_t format, int rank,
                  const int *dim) {
    FP_REQUIRE(is_filter_type(type));
    FP_REQUIRE(format >= CUDNN_TENSOR_NCHW && format <= CUDNN_TENSOR_NCHW_VECT_C);
    FP_SUPPORTED(rank <= CUDNN_DIM_MAX);
    FP_REQUIRE(format != CUDNN_TENSOR_NCHW_VECT_C || is_vectorised(type));
    FP_REQUIRE(dim != nullptr);
    filter.type = type;
    filter.format = format;
    filter.rank = rank;
    filter.vector_channels = format != CUDNN_TENSOR_NCHW_VECT_C ? 1 : type == CUDNN_DATA_INT8x32 ? 32 : 4;
    for (int d = 0; d < rank; ++d) {
        FP_REQUIRE(dim[d] > 0);
        filter.dim[d] = dim[d];
    }
    filter.dim[1] /= filter.vector_channels;
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
    FP_REQUIRE(nbDims > 2);
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
    // The real library multiplies by 4 for INT8x32 too.
    if (c && filterDesc->vector_channels > 1) *c *= 4;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetFilterNdDescriptor(const cudnnFilterDescriptor_t filterDesc, int nbDimsRequested,
                                                    cudnnDataType_t *dataType, cudnnTensorFormat_t *format,
                                                    int *nbDims, int filterDimA[]) {
    FP_CALL(filterDesc, nbDimsRequested, dataType, format, nbDims, filterDimA);
    FP_ALIVE(filterDesc);
    FP_REQUIRE(nbDimsRequested > 0);
    FP_SUPPORTED(nbDimsRequested <= CUDNN_DIM_MAX);
    if (dataType) *dataType = filterDesc->type;
    if (format) *format = filterDesc->format;
    if (nbDims) *nbDims = filterDesc->rank;
    for (int d = 0; d < nbDimsRequested && filterDimA; ++d) filterDimA[d] = filterDesc->dim[d];
    if (filterDimA && nbDimsRequested > 1) filterDimA[1] *= filterDesc->vector_channels;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetFilterSizeInBytes(const cudnnFilterDescriptor_t filterDesc, size_t *size) {
    FP_CALL(filterDesc, size);
    FP_REQUIRE(size != nullptr);
    *size = 0;
    FP_ALIVE(filterDesc);
    size_t bytes = filterDesc->rank > 0 ? element_size(filterDesc->type) : 0;
    for (int d = 0; d < filterDesc->rank; ++d) bytes *= static_cast<size_t>(filterDesc->dim[d]);
    *size = bytes;
    return call.ok();
}
