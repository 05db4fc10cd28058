// cudnnNormalization…: batch normalisation under its later names; one group only.
#include "batch_norm.h"

using namespace fpsim;

namespace {

bool is_mode(cudnnNormMode_t mode) { return mode == CUDNN_NORM_PER_ACTIVATION || mode == CUDNN_NORM_PER_CHANNEL; }
bool is_ops(cudnnNormOps_t ops) { return ops >= CUDNN_NORM_OPS_NORM && ops <= CUDNN_NORM_OPS_NORM_ADD_ACTIVATION; }

struct Variant {
    cudnnNormMode_t mode;
    cudnnNormOps_t ops;
    cudnnNormAlgo_t algo;
    int groups;

    bool persistent() const { return algo == CUDNN_NORM_ALGO_PERSIST && mode == CUDNN_NORM_PER_CHANNEL; }
    // The persistent algorithm is for channels only.
    bool available() const { return is_mode(mode) && (algo == CUDNN_NORM_ALGO_STANDARD || persistent()); }
    bool fused() const { return ops != CUDNN_NORM_OPS_NORM; }
    bool adds() const { return ops == CUDNN_NORM_OPS_NORM_ADD_ACTIVATION; }
};

// Before any other descriptor is looked at: scale and bias must be shaped as the statistics, where the call takes both.
cudnnStatus_t check_variant(Call &call, const Variant &variant, const cudnnTensorStruct *params = nullptr,
                            const cudnnTensorStruct *statistics = nullptr) {
    FP_SUPPORTED(variant.groups == 1);
    FP_REQUIRE(is_ops(variant.ops));
    if (params && statistics) {
        FP_ALIVE(params, statistics);
        FP_REQUIRE(params->type == statistics->type && view_of(*params).same_dims(view_of(*statistics)));
    }
    FP_SUPPORTED(variant.available());
    return call.ok();
}

// As for batch normalisation, STANDARD answers 0 also where the call itself is refused.
cudnnStatus_t check_size(Call &call, const Variant &variant, const cudnnTensorStruct &x, const size_t *size) {
    FP_REQUIRE(size != nullptr && x.rank > 0);
    const bool standard = variant.algo == CUDNN_NORM_ALGO_STANDARD;
    FP_SUPPORTED(!variant.fused() || standard || norm_fuses(view_of(x), variant.persistent()));
    return call.ok();
}

cudnnStatus_t check_fused(Call &call, const Variant &variant, const View &x, const cudnnActivationStruct *activation) {
    if (!variant.fused()) return call.ok();
    FP_ALIVE(activation);
    FP_SUPPORTED(norm_fuses(x, variant.persistent()));
    FP_SUPPORTED(activation->mode == CUDNN_ACTIVATION_RELU);
    return call.ok();
}

}  // namespace

extern "C" cudnnStatus_t cudnnDeriveNormTensorDescriptor(cudnnTensorDescriptor_t derivedNormScaleBiasDesc,
                                                         cudnnTensorDescriptor_t derivedNormMeanVarDesc,
                                                         const cudnnTensorDescriptor_t xDesc, cudnnNormMode_t mode,
                                                         int groupCnt) {
    FP_CALL(derivedNormScaleBiasDesc, derivedNormMeanVarDesc, xDesc, mode, groupCnt);
    FP_SUPPORTED(groupCnt == 1);
    FP_ALIVE(derivedNormScaleBiasDesc, xDesc);
    FP_REQUIRE(is_mode(mode));
    const auto bn = mode == CUDNN_NORM_PER_CHANNEL ? CUDNN_BATCHNORM_SPATIAL : CUDNN_BATCHNORM_PER_ACTIVATION;
    const cudnnStatus_t status = cudnnDeriveBNTensorDescriptor(derivedNormScaleBiasDesc, xDesc, bn);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    FP_ALIVE(derivedNormMeanVarDesc);  // the other one is set by then
    return cudnnDeriveBNTensorDescriptor(derivedNormMeanVarDesc, xDesc, bn);
}

extern "C" cudnnStatus_t cudnnGetNormalizationForwardTrainingWorkspaceSize(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t normOps, cudnnNormAlgo_t algo,
    const cudnnTensorDescriptor_t xDesc, const cudnnTensorDescriptor_t zDesc, const cudnnTensorDescriptor_t yDesc,
    const cudnnTensorDescriptor_t normScaleBiasDesc, const cudnnActivationDescriptor_t activationDesc,
    const cudnnTensorDescriptor_t normMeanVarDesc, size_t *sizeInBytes, int groupCnt) {
    FP_CALL(handle, mode, normOps, algo, xDesc, zDesc, yDesc, normScaleBiasDesc, activationDesc, normMeanVarDesc,
            sizeInBytes, groupCnt);
    const Variant variant{mode, normOps, algo, groupCnt};
    cudnnStatus_t status = check_variant(call, variant, normScaleBiasDesc, normMeanVarDesc);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    FP_ALIVE(handle, xDesc, yDesc, normScaleBiasDesc);
    status = check_size(call, variant, *xDesc, sizeInBytes);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    *sizeInBytes = norm_sizes(view_of(*xDesc), variant.persistent(), false).forward;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetNormalizationBackwardWorkspaceSize(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t normOps, cudnnNormAlgo_t algo,
    const cudnnTensorDescriptor_t xDesc, const cudnnTensorDescriptor_t yDesc, const cudnnTensorDescriptor_t dyDesc,
    const cudnnTensorDescriptor_t dzDesc, const cudnnTensorDescriptor_t dxDesc,
    const cudnnTensorDescriptor_t dNormScaleBiasDesc, const cudnnActivationDescriptor_t activationDesc,
    const cudnnTensorDescriptor_t normMeanVarDesc, size_t *sizeInBytes, int groupCnt) {
    FP_CALL(handle, mode, normOps, algo, xDesc, yDesc, dyDesc, dzDesc, dxDesc, dNormScaleBiasDesc, activationDesc,
            normMeanVarDesc, sizeInBytes, groupCnt);
    const Variant variant{mode, normOps, algo, groupCnt};
    cudnnStatus_t status = check_variant(call, variant, dNormScaleBiasDesc, normMeanVarDesc);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    FP_ALIVE(handle, xDesc, dyDesc, dxDesc, dNormScaleBiasDesc);
    status = check_size(call, variant, *xDesc, sizeInBytes);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    *sizeInBytes = norm_sizes(view_of(*xDesc), variant.persistent(), false).backward;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetNormalizationTrainingReserveSpaceSize(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t normOps, cudnnNormAlgo_t algo,
    const cudnnActivationDescriptor_t activationDesc, const cudnnTensorDescriptor_t xDesc, size_t *sizeInBytes,
    int groupCnt) {
    FP_CALL(handle, mode, normOps, algo, activationDesc, xDesc, sizeInBytes, groupCnt);
    const Variant variant{mode, normOps, algo, groupCnt};
    cudnnStatus_t status = check_variant(call, variant);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    FP_ALIVE(handle, xDesc);
    FP_REQUIRE(sizeInBytes != nullptr);
    FP_SUPPORTED(!variant.adds() || algo == CUDNN_NORM_ALGO_STANDARD || norm_fuses(view_of(*xDesc), variant.persistent()));
    *sizeInBytes = norm_sizes(view_of(*xDesc), variant.persistent(), variant.adds() && variant.persistent()).reserve;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnNormalizationForwardInference(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t normOps, cudnnNormAlgo_t algo, const void *alpha,
    const void *beta, const cudnnTensorDescriptor_t xDesc, const void *x,
    const cudnnTensorDescriptor_t normScaleBiasDesc, const void *normScale, const void *normBias,
    const cudnnTensorDescriptor_t normMeanVarDesc, const void *estimatedMean, const void *estimatedVariance,
    const cudnnTensorDescriptor_t zDesc, const void *z, cudnnActivationDescriptor_t activationDesc,
    const cudnnTensorDescriptor_t yDesc, void *y, double epsilon, int groupCnt) {
    FP_CALL(handle, mode, normOps, algo, alpha, beta, xDesc, x, normScaleBiasDesc, normScale, normBias, normMeanVarDesc,
            estimatedMean, estimatedVariance, zDesc, z, activationDesc, yDesc, y, epsilon, groupCnt);
    const Variant variant{mode, normOps, algo, groupCnt};
    FP_SUPPORTED(groupCnt == 1 && !variant.fused());
    const cudnnStatus_t status = check_variant(call, variant, normScaleBiasDesc, normMeanVarDesc);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    FP_ALIVE(xDesc, normScaleBiasDesc, normMeanVarDesc, yDesc);
    const NormShape shape{view_of(*xDesc), view_of(*yDesc), view_of(*normScaleBiasDesc),
                          mode == CUDNN_NORM_PER_ACTIVATION, epsilon};
    const NormInference memory{x, normScale, normBias, estimatedMean, estimatedVariance, y};
    return run_norm_inference(call, handle, {shape, memory, alpha, beta, xDesc->vector_channels > 1}, true);
}

extern "C" cudnnStatus_t cudnnNormalizationForwardTraining(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t normOps, cudnnNormAlgo_t algo, const void *alpha,
    const void *beta, const cudnnTensorDescriptor_t xDesc, const void *xData,
    const cudnnTensorDescriptor_t normScaleBiasDesc, const void *normScale, const void *normBias,
    double exponentialAverageFactor, const cudnnTensorDescriptor_t normMeanVarDesc, void *resultRunningMean,
    void *resultRunningVariance, double epsilon, void *resultSaveMean, void *resultSaveInvVariance,
    cudnnActivationDescriptor_t activationDesc, const cudnnTensorDescriptor_t zDesc, const void *zData,
    const cudnnTensorDescriptor_t yDesc, void *yData, void *workspace, size_t workSpaceSizeInBytes, void *reserveSpace,
    size_t reserveSpaceSizeInBytes, int groupCnt) {
    FP_CALL(handle, mode, normOps, algo, alpha, beta, xDesc, xData, normScaleBiasDesc, normScale, normBias,
            exponentialAverageFactor, normMeanVarDesc, resultRunningMean, resultRunningVariance, epsilon,
            resultSaveMean, resultSaveInvVariance, activationDesc, zDesc, zData, yDesc, yData, workspace,
            workSpaceSizeInBytes, reserveSpace, reserveSpaceSizeInBytes, groupCnt);
    const Variant variant{mode, normOps, algo, groupCnt};
    cudnnStatus_t status = check_variant(call, variant, normScaleBiasDesc, normMeanVarDesc);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    FP_ALIVE(handle, xDesc, normScaleBiasDesc, normMeanVarDesc, yDesc);
    NormTrainingCall t{{view_of(*xDesc), view_of(*yDesc), view_of(*normScaleBiasDesc),
                        mode == CUDNN_NORM_PER_ACTIVATION, epsilon},
                       {xData, normScale, normBias, yData, resultRunningMean, resultRunningVariance, resultSaveMean,
                        resultSaveInvVariance, exponentialAverageFactor},
                       {}, alpha, beta};
    status = check_fused(call, variant, t.shape.x, activationDesc);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    if (variant.fused()) t.epilogue.activation = activationDesc;
    if (variant.adds()) {
        FP_ALIVE(zDesc);
        FP_REQUIRE(zData != nullptr && view_of(*zDesc).same_dims(t.shape.y));
        t.epilogue.z = zData;
    }
    return run_norm_training(call, t, true);
}

extern "C" cudnnStatus_t cudnnNormalizationBackward(
    cudnnHandle_t handle, cudnnNormMode_t mode, cudnnNormOps_t normOps, cudnnNormAlgo_t algo,
    const void *alphaDataDiff, const void *betaDataDiff, const void *alphaParamDiff, const void *betaParamDiff,
    const cudnnTensorDescriptor_t xDesc, const void *xData, const cudnnTensorDescriptor_t yDesc, const void *yData,
    const cudnnTensorDescriptor_t dyDesc, const void *dyData, const cudnnTensorDescriptor_t dzDesc, void *dzData,
    const cudnnTensorDescriptor_t dxDesc, void *dxData, const cudnnTensorDescriptor_t dNormScaleBiasDesc,
    const void *normScaleData, const void *normBiasData, void *dNormScaleData, void *dNormBiasData, double epsilon,
    const cudnnTensorDescriptor_t normMeanVarDesc, const void *savedMean, const void *savedInvVariance,
    cudnnActivationDescriptor_t activationDesc, void *workSpace, size_t workSpaceSizeInBytes, void *reserveSpace,
    size_t reserveSpaceSizeInBytes, int groupCnt) {
    FP_CALL(handle, mode, normOps, algo, alphaDataDiff, betaDataDiff, alphaParamDiff, betaParamDiff, xDesc, xData, yDesc,
            yData, dyDesc, dyData, dzDesc, dzData, dxDesc, dxData, dNormScaleBiasDesc, normScaleData, normBiasData,
            dNormScaleData, dNormBiasData, epsilon, normMeanVarDesc, savedMean, savedInvVariance, activationDesc,
            workSpace, workSpaceSizeInBytes, reserveSpace, reserveSpaceSizeInBytes, groupCnt);
    const Variant variant{mode, normOps, algo, groupCnt};
    cudnnStatus_t status = check_variant(call, variant, dNormScaleBiasDesc, normMeanVarDesc);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    NormGradientCall g{{{}, {}, {}, mode == CUDNN_NORM_PER_ACTIVATION, epsilon},
                       {},
                       {xData, dyData, normScaleData, savedMean, savedInvVariance, nullptr, dxData, dNormScaleData,
                        dNormBiasData, nullptr, {}, {}},
                       alphaDataDiff, betaDataDiff, alphaParamDiff, betaParamDiff};
    const NormFusion fusion{variant.fused(), variant.adds(), variant.persistent(), xDesc, dxDesc, dyDesc, dNormScaleBiasDesc,
                              yDesc, yData, dzDesc, dzData, activationDesc};
    return run_fused_norm_backward(call, handle, g, fusion);
}
