// Tensor descriptors.
#include <algorithm>

#include "sim.h"

using namespace fpsim;

namespace {

bool is_vectorised(cudnnDataType_t type) {
    return type == CUDNN_DATA_INT8x4 || type == CUDNN_DATA_UINT8x4 || type == CUDNN_DATA_INT8x32;
}

bool is_tensor_type(cudnnDataType_t type) { return type >= CUDNN_DATA_FLOAT && type <= CUDNN_DATA_BFLOAT16; }

bool is_format(cudnnTensorFormat_t format) { return format >= CUDNN_TENSOR_NCHW && format <= CUDNN_TENSOR_NCHW_VECT_C; }

// The real library computes in 32 bits and lets them wrap.
int wrapped(int a, int b) { return static_cast<int>(static_cast<unsigned>(a) * static_cast<unsigned>(b)); }

int64_t magnitude(int stride) { return stride == std::numeric_limits<int>::min() ? stride : std::abs(stride); }

struct Layout {
    int rank;
    const int *dim;
    const int *stride;
    int vector_channels;

    int elements(int d) const { return d == 1 ? dim[d] / vector_channels : dim[d]; }
};

int64_t extent_of(const Layout &layout) {
    int64_t extent = 1;
    for (int d = 0; d < layout.rank; ++d) {
        extent += (layout.elements(d) - 1) * magnitude(layout.stride[d]);
    }
    return extent;
}

// Stores dimension by dimension up to the first that is wrong, and all of a tensor that is merely too large, as the real
// library does.
cudnnStatus_t set(Call &call, cudnnTensorStruct &tensor, cudnnDataType_t type, const Layout &layout) {
    FP_REQUIRE(is_tensor_type(type));
    tensor.type = type;
    tensor.rank = layout.rank;
    tensor.vector_channels = layout.vector_channels;
    for (int d = 0; d < layout.rank; ++d) {
        FP_REQUIRE(layout.dim[d] > 0 && (layout.stride[d] != 0 || layout.dim[d] == 1));
        tensor.dim[d] = layout.elements(d);
        tensor.stride[d] = layout.stride[d];
    }
    tensor.extent = extent_of(layout);
    FP_SUPPORTED(static_cast<uint64_t>(tensor.extent) <= std::numeric_limits<int>::max());
    return call.ok();
}

void packed_strides(cudnnTensorFormat_t format, const Layout &layout, int *stride) {
    const bool channels_last = format == CUDNN_TENSOR_NHWC;
    const int channels = layout.elements(1);
    int step = channels_last ? channels : 1;
    for (int d = layout.rank - 1; d >= 2; --d) {
        stride[d] = step;
        step = wrapped(step, layout.dim[d]);
    }
    stride[1] = channels_last ? 1 : step;
    stride[0] = channels_last ? step : wrapped(step, channels);
}

int channels_in_element(cudnnTensorFormat_t format, cudnnDataType_t type) {
    if (format != CUDNN_TENSOR_NCHW_VECT_C) return 1;
    return type == CUDNN_DATA_INT8x32 ? 32 : 4;
}

cudnnStatus_t set_packed(Call &call, cudnnTensorStruct &tensor, cudnnTensorFormat_t format, cudnnDataType_t type,
                         int rank, const int *dim) {
    FP_REQUIRE(is_format(format) && is_tensor_type(type));
    const int vector_channels = channels_in_element(format, type);
    FP_REQUIRE(rank < 2 || dim[1] % vector_channels == 0);
    FP_REQUIRE(rank >= 2);
    if (format == CUDNN_TENSOR_NCHW_VECT_C) tensor.vector_channels = vector_channels;  // also where the rank is refused
    FP_SUPPORTED(rank <= CUDNN_DIM_MAX && (rank > 2 || format != CUDNN_TENSOR_NHWC));
    int stride[CUDNN_DIM_MAX] = {};
    const Layout layout{rank, dim, stride, vector_channels};
    packed_strides(format, layout, stride);
    return set(call, tensor, type, layout);
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
    FP_REQUIRE(n > 0 && c > 0 && h > 0 && w > 0);
    FP_REQUIRE(format != CUDNN_TENSOR_NCHW_VECT_C || is_vectorised(dataType));
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
    return set(call, *tensorDesc, dataType, {4, dim, stride, 1});
}

extern "C" cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t tensorDesc, cudnnDataType_t dataType,
                                                    int nbDims, const int dimA[], const int strideA[]) {
    FP_CALL(tensorDesc, dataType, nbDims, dimA, strideA);
    FP_ALIVE(tensorDesc);
    FP_REQUIRE(is_tensor_type(dataType) && nbDims >= 2);
    FP_SUPPORTED(nbDims <= CUDNN_DIM_MAX);
    FP_REQUIRE(dimA != nullptr && strideA != nullptr);
    return set(call, *tensorDesc, dataType, {nbDims, dimA, strideA, 1});
}

extern "C" cudnnStatus_t cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t tensorDesc, cudnnTensorFormat_t format,
                                                      cudnnDataType_t dataType, int nbDims, const int dimA[]) {
    FP_CALL(tensorDesc, format, dataType, nbDims, dimA);
    FP_ALIVE(tensorDesc);
    FP_REQUIRE(dimA != nullptr);
    return set_packed(call, *tensorDesc, format, dataType, nbDims, dimA);
}

extern "C" cudnnStatus_t cudnnGetTensor4dDescriptor(const cudnnTensorDescriptor_t tensorDesc,
                                                    cudnnDataType_t *dataType, int *n, int *c, int *h, int *w,
                                                    int *nStride, int *cStride, int *hStride, int *wStride) {
    FP_CALL(tensorDesc, dataType, n, c, h, w, nStride, cStride, hStride, wStride);
    FP_ALIVE(tensorDesc);
    FP_REQUIRE(dataType && n && c && h && w && nStride && cStride && hStride && wStride);
    *dataType = tensorDesc->type;
    *n = tensorDesc->dim[0];
    // Such a tensor can be made by cudnnSetTensorNdDescriptorEx only; its channels cannot be told in 4 dimensions.
    FP_REQUIRE(tensorDesc->vector_channels == 1 || is_vectorised(tensorDesc->type));
    int *const dims[] = {c, h, w};
    int *const strides[] = {nStride, cStride, hStride, wStride};
    for (int d = 0; d < 3; ++d) *dims[d] = tensorDesc->dim[d + 1];
    *c *= tensorDesc->vector_channels;
    for (int d = 0; d < 4; ++d) *strides[d] = tensorDesc->stride[d];
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetTensorNdDescriptor(const cudnnTensorDescriptor_t tensorDesc, int nbDimsRequested,
                                                    cudnnDataType_t *dataType, int *nbDims, int dimA[],
                                                    int strideA[]) {
    FP_CALL(tensorDesc, nbDimsRequested, dataType, nbDims, dimA, strideA);
    FP_ALIVE(tensorDesc);
    FP_REQUIRE(dataType && nbDims);
    FP_REQUIRE((dimA && strideA) || std::min(nbDimsRequested, tensorDesc->rank) <= 0);
    *dataType = tensorDesc->type;
    *nbDims = tensorDesc->rank;
    const int count = std::min(nbDimsRequested, tensorDesc->rank);
    for (int d = 0; d < count; ++d) {
        dimA[d] = tensorDesc->dim[d];
        strideA[d] = tensorDesc->stride[d];
    }
    // As in the real library also where the rank was refused and nothing was stored above.
    if (nbDimsRequested > 1 && dimA && tensorDesc->vector_channels > 1) dimA[1] = wrapped(dimA[1], tensorDesc->vector_channels);
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetTensorSizeInBytes(const cudnnTensorDescriptor_t tensorDesc, size_t *size) {
    FP_CALL(tensorDesc, size);
    FP_ALIVE(tensorDesc);
    FP_REQUIRE(size != nullptr);
    *size = static_cast<size_t>(tensorDesc->extent * static_cast<int64_t>(element_size(tensorDesc->type)));
    return call.ok();
}
