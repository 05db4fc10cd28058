// Convolution descriptors.
#include "sim.h"

using namespace fpsim;

namespace {

constexpr int kMostSpatialDims = 6;

bool is_compute_type(cudnnDataType_t type) {
    return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE || type == CUDNN_DATA_HALF ||
           type == CUDNN_DATA_INT32;
}

// Stores value by value up to the first that is wrong, that one included, as the real library does.
cudnnStatus_t set(Call &call, cudnnConvolutionStruct &convolution, int rank, const int *pad, const int *stride,
                  const int *dilation, cudnnConvolutionMode_t mode, cudnnDataType_t compute) {
    FP_REQUIRE(mode == CUDNN_CONVOLUTION || mode == CUDNN_CROSS_CORRELATION);
    FP_REQUIRE(is_compute_type(compute));
    FP_SUPPORTED(rank <= kMostSpatialDims);
    convolution.mode = mode;
    convolution.compute = compute;
    convolution.rank = rank;
    for (int d = 0; d < rank; ++d) {
        FP_REQUIRE(pad != nullptr && (convolution.pad[d] = pad[d]) >= 0);
        FP_REQUIRE(stride != nullptr && (convolution.stride[d] = stride[d]) > 0);
        FP_REQUIRE(dilation != nullptr && (convolution.dilation[d] = dilation[d]) > 0);
    }
    return call.ok();
}

}  // namespace

extern "C" cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *convDesc) {
    FP_CALL(convDesc);
    return call.create(convDesc);
}

extern "C" cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t convDesc) {
    FP_CALL(convDesc);
    return call.destroy(convDesc);
}

extern "C" cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t convDesc, int pad_h, int pad_w,
                                                         int u, int v, int dilation_h, int dilation_w,
                                                         cudnnConvolutionMode_t mode, cudnnDataType_t computeType) {
    FP_CALL(convDesc, pad_h, pad_w, u, v, dilation_h, dilation_w, mode, computeType);
    FP_ALIVE(convDesc);
    const int pad[2] = {pad_h, pad_w}, stride[2] = {u, v}, dilation[2] = {dilation_h, dilation_w};
    return set(call, *convDesc, 2, pad, stride, dilation, mode, computeType);
}

extern "C" cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t convDesc, int arrayLength,
                                                         const int padA[], const int filterStrideA[],
                                                         const int dilationA[], cudnnConvolutionMode_t mode,
                                                         cudnnDataType_t computeType) {
    FP_CALL(convDesc, arrayLength, padA, filterStrideA, dilationA, mode, computeType);
    FP_ALIVE(convDesc);
    FP_REQUIRE(arrayLength >= 0);
    return set(call, *convDesc, arrayLength, padA, filterStrideA, dilationA, mode, computeType);
}

extern "C" cudnnStatus_t cudnnGetConvolution2dDescriptor(const cudnnConvolutionDescriptor_t convDesc, int *pad_h,
                                                         int *pad_w, int *u, int *v, int *dilation_h, int *dilation_w,
                                                         cudnnConvolutionMode_t *mode, cudnnDataType_t *computeType) {
    FP_CALL(convDesc, pad_h, pad_w, u, v, dilation_h, dilation_w, mode, computeType);
    FP_ALIVE(convDesc);
    const std::pair<int *, int> values[] = {
        {pad_h, convDesc->pad[0]},           {pad_w, convDesc->pad[1]},
        {u, convDesc->stride[0]},            {v, convDesc->stride[1]},
        {dilation_h, convDesc->dilation[0]}, {dilation_w, convDesc->dilation[1]},
    };
    for (const auto &[target, value] : values) {
        if (target) *target = value;
    }
    if (mode) *mode = convDesc->mode;
    if (computeType) *computeType = convDesc->compute;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetConvolutionNdDescriptor(const cudnnConvolutionDescriptor_t convDesc,
                                                         int arrayLengthRequested, int *arrayLength, int padA[],
                                                         int strideA[], int dilationA[], cudnnConvolutionMode_t *mode,
                                                         cudnnDataType_t *computeType) {
    FP_CALL(convDesc, arrayLengthRequested, arrayLength, padA, strideA, dilationA, mode, computeType);
    FP_ALIVE(convDesc);
    FP_REQUIRE(arrayLengthRequested >= 0);
    FP_SUPPORTED(arrayLengthRequested <= kMostSpatialDims);
    if (arrayLength) *arrayLength = convDesc->rank;
    for (int d = 0; d < arrayLengthRequested; ++d) {
        if (padA) padA[d] = convDesc->pad[d];
        if (strideA) strideA[d] = convDesc->stride[d];
        if (dilationA) dilationA[d] = convDesc->dilation[d];
    }
    if (mode) *mode = convDesc->mode;
    if (computeType) *computeType = convDesc->compute;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t convDesc, cudnnMathType_t mathType) {
    FP_CALL(convDesc, mathType);
    FP_ALIVE(convDesc);
    FP_REQUIRE(mathType >= CUDNN_DEFAULT_MATH && mathType <= CUDNN_FMA_MATH);
    convDesc->math = mathType;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetConvolutionMathType(cudnnConvolutionDescriptor_t convDesc,
                                                     cudnnMathType_t *mathType) {
    FP_CALL(convDesc, mathType);
    FP_ALIVE(convDesc);
    FP_REQUIRE(mathType != nullptr);
    *mathType = convDesc->math;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t convDesc, int groupCount) {
    FP_CALL(convDesc, groupCount);
    FP_ALIVE(convDesc);
    FP_REQUIRE(groupCount >= 1);
    convDesc->groups = groupCount;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetConvolutionGroupCount(cudnnConvolutionDescriptor_t convDesc, int *groupCount) {
    FP_CALL(convDesc, groupCount);
    FP_ALIVE(convDesc);
    FP_REQUIRE(groupCount != nullptr);
    *groupCount = convDesc->groups;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnSetConvolutionReorderType(cudnnConvolutionDescriptor_t convDesc,
                                                        cudnnReorderType_t reorderType) {
    FP_CALL(convDesc, reorderType);
    FP_ALIVE(convDesc);
    FP_REQUIRE(reorderType == CUDNN_DEFAULT_REORDER || reorderType == CUDNN_NO_REORDER);
    convDesc->reorder = reorderType;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetConvolutionReorderType(cudnnConvolutionDescriptor_t convDesc,
                                                        cudnnReorderType_t *reorderType) {
    FP_CALL(convDesc, reorderType);
    FP_ALIVE(convDesc);
    FP_REQUIRE(reorderType != nullptr);
    *reorderType = convDesc->reorder;
    return call.ok();
}
