// Which attributes each descriptor of the graph API has, and how setting and reading them is refused: as libcudnn 9.19
// answers for every type, number of elements and null pointer (tests/native/parity/attributes.py).
#include "backend.h"

namespace fpsim {
namespace {

constexpr cudnnStatus_t kOk = CUDNN_STATUS_SUCCESS, kBad = CUDNN_STATUS_BAD_PARAM, kType = CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE,
                        kNull = CUDNN_STATUS_BAD_PARAM_NULL_POINTER, kUnsupported = CUDNN_STATUS_NOT_SUPPORTED,
                        kUnready = CUDNN_STATUS_NOT_INITIALIZED, kMemory = CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED;

constexpr Counted always(cudnnStatus_t status) { return {status, status, status, status}; }
constexpr Counted exactly(cudnnStatus_t otherwise) { return {otherwise, otherwise, kOk, otherwise}; }
constexpr Counted kOneOrUnsupported{kBad, kBad, kOk, kUnsupported};

// ---- setting -------------------------------------------------------------------------------------------------------
constexpr Writing kValue{exactly(kBad), always(kBad), kBad};
constexpr Writing kTyped{exactly(kBad), always(kType), kBad};
constexpr Writing kPacked{exactly(kBad), always(kUnsupported), kBad};
constexpr Writing kScale{exactly(kBad), {kBad, kBad, kUnsupported, kUnsupported}, kBad};
constexpr Writing kGraphHandle{exactly(kBad), always(kUnready), kNull};
constexpr Writing kPlanHandle{exactly(kBad), always(kUnready), kOk};
constexpr Writing kPart{exactly(kUnsupported), always(kType), kBad};           // of an engine, its configuration, a plan
constexpr Writing kQuestion{exactly(kBad), always(kType), kBad};               // the graph of a heuristic
constexpr Writing kConvolved{kOneOrUnsupported, always(kBad), kBad};           // a tensor or the settings of a convolution
constexpr Writing kPointwised{exactly(kBad), always(kBad), kOk};               // null takes the tensor away again
constexpr Writing kFirst{always(kOk), always(kBad), kOk};                      // the first one, whatever their number
constexpr Writing kOperations{always(kOk), always(kType), kNull};
constexpr Writing kKnobs{{kBad, kOk, kOk, kOk}, always(kBad), kBad};
constexpr Writing kText{{kMemory, kOk, kOk, kOk}, {kMemory, kOk, kOk, kOk}, kOk};
constexpr Writing kReadOnly{always(kUnsupported), always(kUnsupported), kUnsupported};
constexpr Writing kUnknown{always(kBad), always(kBad), kBad};                  // as if there were no such attribute

// ---- reading -------------------------------------------------------------------------------------------------------
constexpr Reading kTellsOne{kType, exactly(kBad), always(kOk)};
constexpr Reading kTellsMany{kType, {kBad, kOk, kOk, kOk}, always(kOk)};
constexpr Reading kTellsValue{kBad, exactly(kBad), always(kOk)};
constexpr Reading kTellsWorkspace{kUnready, exactly(kBad), always(kOk)};
constexpr Reading kTellsForward{kUnready, exactly(kUnready), exactly(kUnready)};
constexpr Reading kTellsTensor{kBad, kOneOrUnsupported, {kBad, kBad, kOk, kOk}};
constexpr Reading kTellsSettings{kBad, {kBad, kUnsupported, kOk, kUnsupported}, always(kOk)};
constexpr Reading kSecret{kUnsupported, always(kUnsupported), always(kUnsupported)};
constexpr Reading kDenied{kBad, always(kBad), always(kBad)};

// ---- the table -----------------------------------------------------------------------------------------------------
using Attributes = std::vector<BackendAttribute>;
constexpr int64_t kMany = 65536;
constexpr auto kNode = CUDNN_TYPE_BACKEND_DESCRIPTOR;

const Attributes kPointwise = {
    {CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &kValue, &kSecret},
    {CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &kValue, &kSecret},
    {CUDNN_ATTR_POINTWISE_NAN_PROPAGATION, CUDNN_TYPE_NAN_PROPOGATION, 1, &kValue, &kSecret},
    {CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP, CUDNN_TYPE_DOUBLE, 1, &kValue, &kSecret},
    {CUDNN_ATTR_POINTWISE_RELU_UPPER_CLIP, CUDNN_TYPE_DOUBLE, 1, &kValue, &kSecret},
    {CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP_SLOPE, CUDNN_TYPE_DOUBLE, 1, &kValue, &kSecret},
    {CUDNN_ATTR_POINTWISE_ELU_ALPHA, CUDNN_TYPE_DOUBLE, 1, &kValue, &kSecret},
    {CUDNN_ATTR_POINTWISE_SOFTPLUS_BETA, CUDNN_TYPE_DOUBLE, 1, &kValue, &kSecret},
    {CUDNN_ATTR_POINTWISE_SWISH_BETA, CUDNN_TYPE_DOUBLE, 1, &kValue, &kSecret},
    {CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, 1, &kValue, &kSecret},
};
const Attributes kConvolution = {
    {CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &kTyped, &kTellsOne},
    {CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &kTyped, &kTellsOne},
    {CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, kMany, &kTyped, &kTellsMany, true},
    {CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, kMany, &kTyped, &kTellsMany, true},
    {CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, kMany, &kTyped, &kTellsMany},
    {CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, kMany, &kTyped, &kTellsMany},
    {CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, 1, &kValue, &kTellsOne, true},
};
const Attributes kTensor = {
    {CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &kTyped, &kSecret},
    {CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &kTyped, &kTellsOne},
    {CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, kMany, &kTyped, &kTellsMany, true},
    {CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, kMany, &kTyped, &kTellsMany, true},
    {CUDNN_ATTR_TENSOR_VECTOR_COUNT, CUDNN_TYPE_INT64, 1, &kTyped, &kTellsOne},
    {CUDNN_ATTR_TENSOR_VECTORIZED_DIMENSION, CUDNN_TYPE_INT64, 1, &kTyped, &kTellsOne},
    {CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &kTyped, &kTellsOne},
    {CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &kTyped, &kTellsOne},
    {CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &kTyped, &kTellsOne},
};
const Attributes kMatmul = {
    {CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &kValue, &kTellsValue},
};
const Attributes kReduction = {
    {CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, 1, &kValue, &kTellsValue, true},
    {CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &kValue, &kTellsValue},
    {CUDNN_ATTR_REDUCTION_IS_DETERMINISTIC, CUDNN_TYPE_BOOLEAN, 1, &kValue, &kTellsValue},
};
const Attributes kForward = {
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, kNode, 1, &kConvolved, &kTellsForward, true},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, kNode, 1, &kConvolved, &kTellsForward, true},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, kNode, 1, &kConvolved, &kTellsForward, true},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, kNode, 1, &kConvolved, &kTellsForward, true},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, 1, &kValue, &kTellsValue},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, 1, &kValue, &kTellsValue},
};
// The real library tells the settings of this convolution by the name that the gradient of the filter has for them.
const Attributes kBackwardData = {
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, kNode, 1, &kConvolved, &kTellsTensor, true},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, kNode, 1, &kConvolved, &kTellsTensor, true},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, kNode, 1, &kConvolved, &kTellsTensor, true},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, kNode, 1, &kConvolved, &kDenied, true},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, CUDNN_TYPE_FLOAT, 1, &kScale, &kTellsValue},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, CUDNN_TYPE_FLOAT, 1, &kScale, &kTellsValue},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC, kNode, 1, &kUnknown, &kTellsTensor},
};
const Attributes kBackwardFilter = {
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, kNode, 1, &kPart, &kTellsTensor, true},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, kNode, 1, &kConvolved, &kTellsTensor, true},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, kNode, 1, &kConvolved, &kTellsTensor, true},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC, kNode, 1, &kConvolved, &kTellsTensor, true},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, CUDNN_TYPE_FLOAT, 1, &kValue, &kTellsValue},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA, CUDNN_TYPE_FLOAT, 1, &kValue, &kTellsValue},
};
const Attributes kPointwiseOperation = {
    {CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, kNode, 1, &kPointwised, &kSecret},
    {CUDNN_ATTR_OPERATION_POINTWISE_XDESC, kNode, 1, &kPointwised, &kSecret},
    {CUDNN_ATTR_OPERATION_POINTWISE_BDESC, kNode, 1, &kPointwised, &kSecret},
    {CUDNN_ATTR_OPERATION_POINTWISE_YDESC, kNode, 1, &kPointwised, &kSecret},
    {CUDNN_ATTR_OPERATION_POINTWISE_DXDESC, kNode, 1, &kPointwised, &kSecret},
    {CUDNN_ATTR_OPERATION_POINTWISE_DYDESC, kNode, 1, &kPointwised, &kSecret},
    {CUDNN_ATTR_OPERATION_POINTWISE_TDESC, kNode, 1, &kPointwised, &kSecret},
    {CUDNN_ATTR_OPERATION_POINTWISE_ALPHA1, CUDNN_TYPE_FLOAT, 1, &kValue, &kSecret},
    {CUDNN_ATTR_OPERATION_POINTWISE_ALPHA2, CUDNN_TYPE_FLOAT, 1, &kValue, &kSecret},
};
const Attributes kMatmulOperation = {
    {CUDNN_ATTR_OPERATION_MATMUL_ADESC, kNode, 1, &kFirst, &kTellsTensor},
    {CUDNN_ATTR_OPERATION_MATMUL_BDESC, kNode, 1, &kFirst, &kTellsTensor},
    {CUDNN_ATTR_OPERATION_MATMUL_CDESC, kNode, 1, &kFirst, &kTellsTensor},
    {CUDNN_ATTR_OPERATION_MATMUL_DESC, kNode, 1, &kFirst, &kTellsSettings},
};
const Attributes kReductionOperation = {
    {CUDNN_ATTR_OPERATION_REDUCTION_XDESC, kNode, 1, &kFirst, &kTellsTensor},
    {CUDNN_ATTR_OPERATION_REDUCTION_YDESC, kNode, 1, &kFirst, &kTellsTensor},
    {CUDNN_ATTR_OPERATION_REDUCTION_DESC, kNode, 1, &kFirst, &kTellsSettings},
};
const Attributes kGraph = {
    {CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &kGraphHandle, &kTellsOne},
    {CUDNN_ATTR_OPERATIONGRAPH_OPS, kNode, kMany, &kOperations, &kTellsMany, true},
    {CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT, CUDNN_TYPE_INT64, 1, &kUnknown, &kTellsOne},
};
const Attributes kEngine = {
    {CUDNN_ATTR_ENGINE_OPERATION_GRAPH, kNode, 1, &kPart, &kTellsOne, true},
    {CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1, &kValue, &kTellsOne, true},
    {CUDNN_ATTR_ENGINE_KNOB_INFO, kNode, kMany, &kReadOnly, &kTellsMany},
    {CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE, kMany, &kReadOnly, &kTellsMany},
    {CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, CUDNN_TYPE_BEHAVIOR_NOTE, kMany, &kReadOnly, &kTellsMany},
};
const Attributes kEngineConfig = {
    {CUDNN_ATTR_ENGINECFG_ENGINE, kNode, 1, &kPart, &kTellsOne, true},
    {CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, kNode, kMany, &kKnobs, &kTellsMany},
    {CUDNN_ATTR_ENGINECFG_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &kReadOnly, &kTellsOne},
};
const Attributes kHeuristics = {
    {CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &kTyped, &kTellsOne},
    {CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, kNode, 1, &kQuestion, &kTellsOne, true},
    {CUDNN_ATTR_ENGINEHEUR_RESULTS, kNode, kMany, &kUnknown, &kTellsMany},
    {CUDNN_ATTR_ENGINEHEUR_SM_COUNT_TARGET, CUDNN_TYPE_INT32, 1, &kTyped, &kTellsOne},
};
const Attributes kPlan = {
    {CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &kPlanHandle, &kTellsOne},
    {CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, kNode, 1, &kPart, &kTellsOne, true},
    {CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &kReadOnly, &kTellsOne},
    {CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION, CUDNN_TYPE_CHAR, kMany, &kText, &kTellsMany},
};
const Attributes kPack = {
    {CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, kMany, &kPacked, &kSecret},
    {CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, kMany, &kPacked, &kSecret},
    {CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &kPacked, &kTellsWorkspace},
};
const Attributes kKnobChoice = {
    {CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 1, &kTyped, &kTellsOne},
    {CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, 1, &kTyped, &kTellsOne},
};
const Attributes kKnobInfo = {
    {CUDNN_ATTR_KNOB_INFO_TYPE, CUDNN_TYPE_KNOB_TYPE, 1, &kReadOnly, &kTellsOne},
    {CUDNN_ATTR_KNOB_INFO_MAXIMUM_VALUE, CUDNN_TYPE_INT64, 1, &kReadOnly, &kTellsOne},
    {CUDNN_ATTR_KNOB_INFO_MINIMUM_VALUE, CUDNN_TYPE_INT64, 1, &kReadOnly, &kTellsOne},
    {CUDNN_ATTR_KNOB_INFO_STRIDE, CUDNN_TYPE_INT64, 1, &kReadOnly, &kTellsOne},
};
const Attributes kNone;

}  // namespace

const std::vector<BackendAttribute> &backend_attributes(cudnnBackendDescriptorType_t type) {
    switch (type) {
        case CUDNN_BACKEND_POINTWISE_DESCRIPTOR: return kPointwise;
        case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR: return kConvolution;
        case CUDNN_BACKEND_TENSOR_DESCRIPTOR: return kTensor;
        case CUDNN_BACKEND_MATMUL_DESCRIPTOR: return kMatmul;
        case CUDNN_BACKEND_REDUCTION_DESCRIPTOR: return kReduction;
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR: return kForward;
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR: return kBackwardData;
        case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR: return kBackwardFilter;
        case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR: return kPointwiseOperation;
        case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR: return kMatmulOperation;
        case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR: return kReductionOperation;
        case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR: return kGraph;
        case CUDNN_BACKEND_ENGINE_DESCRIPTOR: return kEngine;
        case CUDNN_BACKEND_ENGINECFG_DESCRIPTOR: return kEngineConfig;
        case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR: return kHeuristics;
        case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR: return kPlan;
        case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR: return kPack;
        case CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR: return kKnobChoice;
        case CUDNN_BACKEND_KNOB_INFO_DESCRIPTOR: return kKnobInfo;
        default: return kNone;
    }
}

const BackendAttribute *find_attribute(cudnnBackendDescriptorType_t type, cudnnBackendAttributeName_t name) {
    for (const BackendAttribute &attribute : backend_attributes(type)) {
        if (attribute.name == name) return &attribute;
    }
    return nullptr;
}

bool type_fits(const BackendAttribute &attribute, cudnnBackendAttributeType_t type) {
    const auto real = [](cudnnBackendAttributeType_t t) { return t == CUDNN_TYPE_FLOAT || t == CUDNN_TYPE_DOUBLE; };
    const bool forward = attribute.name == CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA ||
                         attribute.name == CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA;
    return type == attribute.type || (real(attribute.type) && real(type)) || (forward && type == CUDNN_TYPE_INT32);
}

size_t attribute_size(cudnnBackendAttributeType_t type) {
    switch (type) {
        case CUDNN_TYPE_BOOLEAN: return sizeof(bool);
        case CUDNN_TYPE_INT64:
        case CUDNN_TYPE_DOUBLE: return 8;
        case CUDNN_TYPE_HANDLE:
        case CUDNN_TYPE_VOID_PTR:
        case CUDNN_TYPE_BACKEND_DESCRIPTOR: return sizeof(void *);
        case CUDNN_TYPE_CHAR: return 1;
        case CUDNN_TYPE_FRACTION: return 16;
        default: return 4;  // float, int32 and every enum
    }
}

}  // namespace fpsim
