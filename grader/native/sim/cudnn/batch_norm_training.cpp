// cudnnBatchNormalizationForwardTraining and …Ex: normalises with the statistics of the batch, keeps them for the
// backward pass (mean and 1 / sqrt(variance + epsilon)) and moves the running ones.
#include "batch_norm.h"

namespace fpsim {
namespace {

cudnnStatus_t check(Call &call, const NormTrainingCall &t, bool mode_known) {
    const NormTraining &m = t.memory;
    FP_REQUIRE(t.alpha != nullptr && t.beta != nullptr && m.x != nullptr && m.y != nullptr);
    FP_REQUIRE(m.scale != nullptr && m.bias != nullptr);
    FP_REQUIRE((m.saved_mean == nullptr) == (m.saved_inverse == nullptr));
    FP_REQUIRE(mode_known);
    FP_REQUIRE(!(t.shape.epsilon < CUDNN_BN_MIN_EPSILON));
    FP_SUPPORTED(t.shape.x.type != CUDNN_DATA_INT8);
    FP_REQUIRE(t.shape.x.rank >= 4 && t.shape.x.same_dims(t.shape.y) && t.shape.x.type == t.shape.y.type);
    FP_REQUIRE(norm_params_fit(t.shape.params, t.shape.x, t.shape.per_activation));
    FP_SUPPORTED(t.shape.x.rank <= 5 && is_floating(t.shape.x.type));
    FP_LAUNCHABLE();
    return call.ok();
}

}  // namespace

cudnnStatus_t run_norm_training(Call &call, const NormTrainingCall &t, bool mode_known) {
    const cudnnStatus_t status = check(call, t, mode_known);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    const Scaling scaling = read_scaling(t.alpha, t.beta, t.shape.x.type);
    const View &params = t.shape.params;
    Kernel kernel(call);
    NormTraining memory = t.memory;
    NormEpilogue epilogue = t.epilogue;
    memory.x = kernel.read("x", memory.x, t.shape.x);
    if (epilogue.z) epilogue.z = kernel.read("z", epilogue.z, t.shape.y);
    memory.scale = kernel.read("bnScale", memory.scale, params);
    memory.bias = kernel.read("bnBias", memory.bias, params);
    memory.y = kernel.write("y", memory.y, t.shape.y, scaling);
    const bool reads = memory.factor != 1;
    const auto running = [&](const char *name, void *pointer) {
        if (!pointer) return pointer;
        return reads ? kernel.update(name, pointer, params) : kernel.write(name, pointer, params);
    };
    memory.running_mean = running("resultRunningMean", memory.running_mean);
    memory.running_variance = running("resultRunningVariance", memory.running_variance);
    if (memory.saved_mean) {
        memory.saved_mean = kernel.write("resultSaveMean", memory.saved_mean, params);
        memory.saved_inverse = kernel.write("resultSaveInvVariance", memory.saved_inverse, params);
    }
    if (kernel.ready()) normalise_batch(t.shape, memory, epilogue, scaling);
    return call.ok();
}

}  // namespace fpsim

using namespace fpsim;

extern "C" cudnnStatus_t cudnnBatchNormalizationForwardTraining(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha, const void *beta,
    const cudnnTensorDescriptor_t xDesc, const void *x, const cudnnTensorDescriptor_t yDesc, void *y,
    const cudnnTensorDescriptor_t bnScaleBiasMeanVarDesc, const void *bnScale, const void *bnBias,
    double exponentialAverageFactor, void *resultRunningMean, void *resultRunningVariance, double epsilon,
    void *resultSaveMean, void *resultSaveInvVariance) {
    FP_CALL(handle, mode, alpha, beta, xDesc, x, yDesc, y, bnScaleBiasMeanVarDesc, bnScale, bnBias,
            exponentialAverageFactor, resultRunningMean, resultRunningVariance, epsilon, resultSaveMean,
            resultSaveInvVariance);
    FP_ALIVE(handle, xDesc, yDesc, bnScaleBiasMeanVarDesc);
    const NormTrainingCall t{{view_of(*xDesc), view_of(*yDesc), view_of(*bnScaleBiasMeanVarDesc),
                      mode == CUDNN_BATCHNORM_PER_ACTIVATION, epsilon},
                     {x, bnScale, bnBias, y, resultRunningMean, resultRunningVariance, resultSaveMean,
                      resultSaveInvVariance, exponentialAverageFactor},
                     {}, alpha, beta};
    return run_norm_training(call, t, is_batch_norm_mode(mode));
}

extern "C" cudnnStatus_t cudnnBatchNormalizationForwardTrainingEx(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t bnOps, const void *alpha, const void *beta,
    const cudnnTensorDescriptor_t xDesc, const void *xData, const cudnnTensorDescriptor_t zDesc, const void *zData,
    const cudnnTensorDescriptor_t yDesc, void *yData, const cudnnTensorDescriptor_t bnScaleBiasMeanVarDesc,
    const void *bnScale, const void *bnBias, double exponentialAverageFactor, void *resultRunningMean,
    void *resultRunningVariance, double epsilon, void *resultSaveMean, void *resultSaveInvVariance,
    cudnnActivationDescriptor_t activationDesc, void *workspace, size_t workSpaceSizeInBytes, void *reserveSpace,
    size_t reserveSpaceSizeInBytes) {
    FP_CALL(handle, mode, bnOps, alpha, beta, xDesc, xData, zDesc, zData, yDesc, yData, bnScaleBiasMeanVarDesc, bnScale,
            bnBias, exponentialAverageFactor, resultRunningMean, resultRunningVariance, epsilon, resultSaveMean,
            resultSaveInvVariance, activationDesc, workspace, workSpaceSizeInBytes, reserveSpace, reserveSpaceSizeInBytes);
    FP_ALIVE(handle, xDesc, yDesc, bnScaleBiasMeanVarDesc);
    NormTrainingCall t{{view_of(*xDesc), view_of(*yDesc), view_of(*bnScaleBiasMeanVarDesc),
                mode == CUDNN_BATCHNORM_PER_ACTIVATION, epsilon},
               {xData, bnScale, bnBias, yData, resultRunningMean, resultRunningVariance, resultSaveMean,
                resultSaveInvVariance, exponentialAverageFactor},
               {}, alpha, beta};
    if (bnOps != CUDNN_BATCHNORM_OPS_BN) {
        FP_ALIVE(activationDesc);
        FP_SUPPORTED(norm_fuses(t.shape.x, mode == CUDNN_BATCHNORM_SPATIAL_PERSISTENT));
        FP_SUPPORTED(activationDesc->mode == CUDNN_ACTIVATION_RELU);
        t.epilogue.activation = activationDesc;
    }
    if (bnOps == CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION) {
        FP_ALIVE(zDesc);
        FP_SUPPORTED(t.shape.x.dim[1] % 4 == 0);
        FP_REQUIRE(zData != nullptr && view_of(*zDesc).same_dims(t.shape.y));
        t.epilogue.z = zData;
    }
    return run_norm_training(call, t, is_batch_norm_mode(mode));
}
