// RNN descriptors.
#include "rnn.h"

using namespace fpsim;

namespace {

template <typename E> bool between(E value, E first, E last) { return value >= first && value <= last; }

bool types_fit(cudnnDataType_t type, cudnnDataType_t precision) {
    switch (type) {
        case CUDNN_DATA_DOUBLE: return precision == CUDNN_DATA_DOUBLE;
        case CUDNN_DATA_HALF: return precision == CUDNN_DATA_FLOAT || precision == CUDNN_DATA_HALF;
        case CUDNN_DATA_FLOAT:
        case CUDNN_DATA_BFLOAT16: return precision == CUDNN_DATA_FLOAT;
        default: return false;
    }
}

// The persistent algorithms sum in float; only the one compiled at run time also takes double.
bool algorithm_computes(cudnnRNNAlgo_t algo, cudnnDataType_t precision) {
    return algo == CUDNN_RNN_ALGO_STANDARD || precision == CUDNN_DATA_FLOAT ||
           (algo == CUDNN_RNN_ALGO_PERSIST_DYNAMIC && precision == CUDNN_DATA_DOUBLE);
}

cudnnStatus_t set_clip(Call &call, cudnnRNNStruct &rnn, cudnnRNNClipMode_t mode, cudnnNanPropagation_t nan, double low,
                       double high) {
    FP_REQUIRE(!std::isnan(low) && !std::isnan(high));
    FP_REQUIRE(low <= high);
    rnn.clip = mode;
    rnn.clip_nan = nan;
    rnn.clip_low = low;
    rnn.clip_high = high;
    return call.ok();
}

void get_clip(const cudnnRNNStruct &rnn, cudnnRNNClipMode_t *mode, double *low, double *high) {
    if (mode) *mode = rnn.clip;
    if (low) *low = rnn.clip_low;
    if (high) *high = rnn.clip_high;
}

template <typename T> void give(T *target, T value) {
    if (target) *target = value;
}

}  // namespace

extern "C" cudnnStatus_t cudnnCreateRNNDescriptor(cudnnRNNDescriptor_t *rnnDesc) {
    FP_CALL(rnnDesc);
    return call.create(rnnDesc);
}

extern "C" cudnnStatus_t cudnnDestroyRNNDescriptor(cudnnRNNDescriptor_t rnnDesc) {
    FP_CALL(rnnDesc);
    return call.destroy(rnnDesc);
}

extern "C" cudnnStatus_t cudnnSetRNNDescriptor_v8(
    cudnnRNNDescriptor_t rnnDesc, cudnnRNNAlgo_t algo, cudnnRNNMode_t cellMode, cudnnRNNBiasMode_t biasMode,
    cudnnDirectionMode_t dirMode, cudnnRNNInputMode_t inputMode, cudnnDataType_t dataType, cudnnDataType_t mathPrec,
    cudnnMathType_t mathType, int32_t inputSize, int32_t hiddenSize, int32_t projSize, int32_t numLayers,
    cudnnDropoutDescriptor_t dropoutDesc, uint32_t auxFlags) {
    FP_CALL(rnnDesc, algo, cellMode, biasMode, dirMode, inputMode, dataType, mathPrec, mathType, inputSize, hiddenSize,
            projSize, numLayers, dropoutDesc, auxFlags);
    FP_ALIVE(rnnDesc);
    FP_REQUIRE(between(algo, CUDNN_RNN_ALGO_STANDARD, CUDNN_RNN_ALGO_PERSIST_STATIC_SMALL_H));
    FP_REQUIRE(between(cellMode, CUDNN_RNN_RELU, CUDNN_GRU));
    FP_REQUIRE(between(biasMode, CUDNN_RNN_NO_BIAS, CUDNN_RNN_SINGLE_REC_BIAS));
    FP_REQUIRE(between(dirMode, CUDNN_UNIDIRECTIONAL, CUDNN_BIDIRECTIONAL));
    FP_REQUIRE(between(inputMode, CUDNN_LINEAR_INPUT, CUDNN_SKIP_INPUT));
    FP_REQUIRE(between(mathType, CUDNN_DEFAULT_MATH, CUDNN_FMA_MATH));
    FP_REQUIRE(inputSize > 0 && hiddenSize > 0 && numLayers > 0);
    FP_SUPPORTED(algo == CUDNN_RNN_ALGO_STANDARD || biasMode == CUDNN_RNN_DOUBLE_BIAS);
    FP_REQUIRE(projSize > 0);
    FP_REQUIRE(auxFlags <= CUDNN_RNN_PADDED_IO_ENABLED);
    if (dropoutDesc) FP_ALIVE(dropoutDesc);
    FP_SUPPORTED(projSize <= hiddenSize);
    FP_SUPPORTED(projSize == hiddenSize || (cellMode == CUDNN_LSTM && algo == CUDNN_RNN_ALGO_STANDARD));
    FP_SUPPORTED(types_fit(dataType, mathPrec) && algorithm_computes(algo, mathPrec));
    cudnnRNNStruct &rnn = *rnnDesc;
    rnn.is_set = true;
    rnn.algo = algo, rnn.cell = cellMode, rnn.bias = biasMode, rnn.direction = dirMode, rnn.input = inputMode;
    rnn.type = dataType, rnn.precision = mathPrec, rnn.math = mathType;
    rnn.inputs = inputSize, rnn.hidden = hiddenSize, rnn.projected = projSize, rnn.layers = numLayers;
    rnn.dropout = dropoutDesc;
    rnn.dropout_hold = Hold(dropoutDesc);
    rnn.flags = auxFlags;
    set_clip(call, rnn, CUDNN_RNN_CLIP_NONE, CUDNN_NOT_PROPAGATE_NAN, 0, 0);  // a clip is to be set after this call
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetRNNDescriptor_v8(
    cudnnRNNDescriptor_t rnnDesc, cudnnRNNAlgo_t *algo, cudnnRNNMode_t *cellMode, cudnnRNNBiasMode_t *biasMode,
    cudnnDirectionMode_t *dirMode, cudnnRNNInputMode_t *inputMode, cudnnDataType_t *dataType,
    cudnnDataType_t *mathPrec, cudnnMathType_t *mathType, int32_t *inputSize, int32_t *hiddenSize, int32_t *projSize,
    int32_t *numLayers, cudnnDropoutDescriptor_t *dropoutDesc, uint32_t *auxFlags) {
    FP_CALL(rnnDesc, algo, cellMode, biasMode, dirMode, inputMode, dataType, mathPrec, mathType, inputSize, hiddenSize,
            projSize, numLayers, dropoutDesc, auxFlags);
    FP_ALIVE(rnnDesc);
    const cudnnRNNStruct &rnn = *rnnDesc;
    if (!rnn.is_set) return call.fail(CUDNN_STATUS_NOT_INITIALIZED, "the descriptor was never set");
    give(algo, rnn.algo), give(cellMode, rnn.cell), give(biasMode, rnn.bias), give(dirMode, rnn.direction);
    give(inputMode, rnn.input), give(dataType, rnn.type), give(mathPrec, rnn.precision), give(mathType, rnn.math);
    give(inputSize, rnn.inputs), give(hiddenSize, rnn.hidden), give(projSize, rnn.projected);
    give(numLayers, rnn.layers), give(dropoutDesc, rnn.dropout), give(auxFlags, rnn.flags);
    return call.ok();
}

// The mode is not checked, as in the real library.
extern "C" cudnnStatus_t cudnnRNNSetClip_v9(cudnnRNNDescriptor_t rnnDesc, cudnnRNNClipMode_t clipMode, double lclip,
                                            double rclip) {
    FP_CALL(rnnDesc, clipMode, lclip, rclip);
    FP_ALIVE(rnnDesc);
    return set_clip(call, *rnnDesc, clipMode, CUDNN_PROPAGATE_NAN, lclip, rclip);
}

extern "C" cudnnStatus_t cudnnRNNGetClip_v9(cudnnRNNDescriptor_t rnnDesc, cudnnRNNClipMode_t *clipMode, double *lclip,
                                            double *rclip) {
    FP_CALL(rnnDesc, clipMode, lclip, rclip);
    FP_ALIVE(rnnDesc);
    get_clip(*rnnDesc, clipMode, lclip, rclip);
    return call.ok();
}

extern "C" cudnnStatus_t cudnnRNNSetClip_v8(cudnnRNNDescriptor_t rnnDesc, cudnnRNNClipMode_t clipMode,
                                            cudnnNanPropagation_t clipNanOpt, double lclip, double rclip) {
    FP_CALL(rnnDesc, clipMode, clipNanOpt, lclip, rclip);
    FP_ALIVE(rnnDesc);
    return set_clip(call, *rnnDesc, clipMode, clipNanOpt, lclip, rclip);
}

extern "C" cudnnStatus_t cudnnRNNGetClip_v8(cudnnRNNDescriptor_t rnnDesc, cudnnRNNClipMode_t *clipMode,
                                            cudnnNanPropagation_t *clipNanOpt, double *lclip, double *rclip) {
    FP_CALL(rnnDesc, clipMode, clipNanOpt, lclip, rclip);
    FP_ALIVE(rnnDesc);
    give(clipNanOpt, rnnDesc->clip_nan);
    get_clip(*rnnDesc, clipMode, lclip, rclip);
    return call.ok();
}

// Kernels are not compiled at run time here, so there is nothing to build ahead.
extern "C" cudnnStatus_t cudnnBuildRNNDynamic(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, int miniBatch) {
    FP_CALL(handle, rnnDesc, miniBatch);
    FP_ALIVE(handle, rnnDesc);
    FP_REQUIRE(miniBatch > 0);
    return call.ok();
}
