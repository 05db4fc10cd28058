// Tensor descriptors.
#include <algorithm>

#include "sim.h"

using namespace fpsim;

namespace {

bool is_vectorised(cudnnDataType_t type) {
    return type == CUDNN_DATA_INT8x4 || type == CUDNN_DATA_UINT8x4 || type == CUDNN_DATA_INT8x32;
}

int channels_in_vector(cudnnDataType_t type) {
    return type == CUDNN_DATA_INT8x32 ? 32 : is_vectorised(type) ? 4 : 1;
}

bool is_format(cudnnTensorFormat_t format) { return format >= CUDNN_TENSOR_NCHW && format <= CUDNN_TENSOR_NCHW_VECT_C; }

bool fits_vectors(cudnnTensorFormat_t format, cudnnDataType_t type, int channels) {
    if (format != CUDNN_TENSOR_NCHW_VECT_C) return true;
    return is_vectorised(type) && channels % channels_in_vector(type) == 0;
}

bool all_positive(int rank, const int *dim) {
    return std::all_of(dim, dim + rank, [](int d) { return d > 0; });
}

// A tensor of 2^31 elements or more is valid but not supported.
bool is_too_large(int rank, const int *dim) {
    int64_t count = 1;
    for (int d = 0; d < rank; ++d) {
        count *= dim[d];
        if (count > std::numeric_limits<int32_t>::max()) return true;
    }
    return false;
}

void packed_strides(cudnnTensorFormat_t format, cudnnDataType_t type, int rank, const int *dim, int *stride) {
    const bool channels_last = format == CUDNN_TENSOR_NHWC;
    const int channels = format == CUDNN_TENSOR_NCHW_VECT_C ? dim[1] / channels_in_vector(type) : dim[1];
    int step = channels_last ? channels : 1;
    for (int d = rank - 1; d >= 2; --d) {
        stride[d] = step;
        step *= dim[d];
    }
    stride[1] = channels_last ? 1 : step;
    stride[0] = channels_last ? step : step * channels;
}

void store(cudnnTensorStruct &tensor, cudnnDataType_t type, int rank, const int *dim, const int *stride) {
    tensor.type = type;
    tensor.rank = rank;
    tensor.dim.fill(0);
    tensor.stride.fill(0);
    std::copy(dim, dim + rank, tensor.dim.begin());
    std::copy(stride, stride + rank, tensor.stride.begin());
    tensor.vector_channels = 1;
}

cudnnStatus_t set_with_strides(Call &call, cudnnTensorStruct &tensor, cudnnDataType_t type, int rank, const int *dim,
                               const int *stride) {
    FP_REQUIRE(element_size(type) != 0);
    FP_REQUIRE(all_positive(rank, dim));
    for (int d = 0; d < rank; ++d) FP_REQUIRE(stride[d] != 0 || dim[d] == 1);
    FP_SUPPORTED(!is_too_large(rank, dim));
    store(tensor, type, rank, dim, stride);
    return call.ok();
}

cudnnStatus_t set_packed(Call &call, cudnnTensorStruct &tensor, cudnnTensorFormat_t format, cudnnDataType_t type,
                         int rank, const int *dim) {
    FP_REQUIRE(is_format(format));
    FP_REQUIRE(element_size(type) != 0);
    FP_REQUIRE(all_positive(rank, dim));
    FP_REQUIRE(fits_vectors(format, type, dim[1]));
    FP_SUPPORTED(!is_too_large(rank, dim));
    int stride[CUDNN_DIM_MAX] = {};
    packed_strides(format, type, rank, dim, stride);
    store(tensor, type, rank, dim, stride);
    if (format == CUDNN_TENSOR_NCHW_VECT_C) tensor.vector_channels = channels_in_vector(type);
    return call.ok();
}

}  // namespace

extern "C" cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *tensorDesc) {
    FP_CALL(tensorDesc);
    return call.create(tensorDesc);
}

extern "C" cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensorDesc) {
    FP_CALL(tensorDesc);
    return call.destroy(tensorDesc);
}

extern "C" cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensorDesc, cudnnTensorFormat_t format,
                                                    cudnnDataType_t dataType, int n, int c, int h, int w) {
    FP_CALL(tensorDesc, format, dataType, n, c, h, w);
    FP_ALIVE(tensorDesc);
    const int dim[4] = {n, c, h, w};
    return set_packed(call, *tensorDesc, format, dataType, 4, dim);
}

extern "C" cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t tensorDesc, cudnnDataType_t dataType,
                                                      int n, int c, int h, int w, int nStride, int cStride,
                                                      int hStride, int wStride) {
    FP_CALL(tensorDesc, dataType, n, c, h, w, nStride, cStride, hStride, wStride);
    FP_ALIVE(tensorDesc);
    const int dim[4] = {n, c, h, w};
    const int stride[4] = {nStride, cStride, hStride, wStride};
    return set_with_strides(call, *tensorDesc, dataType, 4, dim, stride);
}

extern "C" cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t tensorDesc, cudnnDataType_t dataType,
                                                    int nbDims, const int dimA[], const int strideA[]) {
    FP_CALL(tensorDesc, dataType, nbDims, dimA, strideA);
    FP_ALIVE(tensorDesc);
    FP_REQUIRE(dimA != nullptr && strideA != nullptr);
    FP_REQUIRE(nbDims >= 2);
    FP_SUPPORTED(nbDims <= CUDNN_DIM_MAX);
    return set_with_strides(call, *tensorDesc, dataType, nbDims, dimA, strideA);
}

extern "C" cudnnStatus_t cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t tensorDesc, cudnnTensorFormat_t format,
                                                      cudnnDataType_t dataType, int nbDims, const int dimA[]) {
    FP_CALL(tensorDesc, format, dataType, nbDims, dimA);
    FP_ALIVE(tensorDesc);
    FP_REQUIRE(dimA != nullptr);
    FP_REQUIRE(nbDims >= 2);
    FP_SUPPORTED(nbDims <= CUDNN_DIM_MAX);
    return set_packed(call, *tensorDesc, format, dataType, nbDims, dimA);
}

extern "C" cudnnStatus_t cudnnGetTensor4dDescriptor(const cudnnTensorDescriptor_t tensorDesc,
                                                    cudnnDataType_t *dataType, int *n, int *c, int *h, int *w,
                                                    int *nStride, int *cStride, int *hStride, int *wStride) {
    FP_CALL(tensorDesc, dataType, n, c, h, w, nStride, cStride, hStride, wStride);
    FP_ALIVE(tensorDesc);
    if (dataType) *dataType = tensorDesc->type;
    int *const dims[4] = {n, c, h, w};
    int *const strides[4] = {nStride, cStride, hStride, wStride};
    for (int d = 0; d < 4; ++d) {
        if (dims[d]) *dims[d] = tensorDesc->dim[d];
        if (strides[d]) *strides[d] = tensorDesc->stride[d];
    }
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetTensorNdDescriptor(const cudnnTensorDescriptor_t tensorDesc, int nbDimsRequested,
                                                    cudnnDataType_t *dataType, int *nbDims, int dimA[],
                                                    int strideA[]) {
    FP_CALL(tensorDesc, nbDimsRequested, dataType, nbDims, dimA, strideA);
    FP_ALIVE(tensorDesc);
    if (dataType) *dataType = tensorDesc->type;
    if (nbDims) *nbDims = tensorDesc->rank;
    const int count = std::min(nbDimsRequested, tensorDesc->rank);
    for (int d = 0; d < count; ++d) {
        if (dimA) dimA[d] = tensorDesc->dim[d];
        if (strideA) strideA[d] = tensorDesc->stride[d];
    }
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetTensorSizeInBytes(const cudnnTensorDescriptor_t tensorDesc, size_t *size) {
    FP_CALL(tensorDesc, size);
    FP_ALIVE(tensorDesc);
    FP_REQUIRE(size != nullptr);
    View view = view_of(*tensorDesc);
    if (tensorDesc->vector_channels > 1) view.dim[1] /= tensorDesc->vector_channels;
    *size = static_cast<size_t>(view.high() - view.low());
    return call.ok();
}
