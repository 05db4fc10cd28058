// cudnnBatchNormalizationForwardInference: y = alpha * (scale * (x - mean) / sqrt(variance + epsilon) + bias) + beta * y.
#include "batch_norm.h"

namespace fpsim {
namespace {

constexpr int64_t kMostImages = 65535;  // of the spatial modes: a limit of CUDA's grids

// What is null comes first, then the types, the shapes and, last, the handle.
cudnnStatus_t check(Call &call, cudnnHandle_t handle, const NormInferenceCall &c, bool mode_known) {
    const NormInference &m = c.memory;
    FP_REQUIRE(c.alpha != nullptr && c.beta != nullptr && m.x != nullptr && m.y != nullptr);
    FP_REQUIRE(m.scale != nullptr && m.bias != nullptr && m.mean != nullptr && m.variance != nullptr);
    FP_REQUIRE(mode_known);
    const NormShape &shape = c.shape;
    FP_SUPPORTED(is_elementwise_type(shape.x.type) && !c.vectorised);
    FP_REQUIRE(!(shape.epsilon < CUDNN_BN_MIN_EPSILON));
    FP_REQUIRE(shape.x.rank >= 4 && shape.x.rank <= 5 && shape.x.same_dims(shape.y) && shape.x.type == shape.y.type);
    FP_REQUIRE(norm_params_fit(shape.params, shape.x, shape.per_activation));
    FP_SUPPORTED(shape.per_activation || shape.x.dim[0] <= kMostImages);
    FP_ALIVE(handle);
    FP_LAUNCHABLE();
    return call.ok();
}

}  // namespace

cudnnStatus_t run_norm_inference(Call &call, cudnnHandle_t handle, const NormInferenceCall &c, bool mode_known) {
    const cudnnStatus_t status = check(call, handle, c, mode_known);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    const NormShape &shape = c.shape;
    const Scaling scaling = read_scaling(c.alpha, c.beta, shape.x.type);
    Kernel kernel(call);
    NormInference memory{kernel.read("x", c.memory.x, shape.x), kernel.read("bnScale", c.memory.scale, shape.params),
                         kernel.read("bnBias", c.memory.bias, shape.params),
                         kernel.read("estimatedMean", c.memory.mean, shape.params),
                         kernel.read("estimatedVariance", c.memory.variance, shape.params), nullptr};
    memory.y = kernel.write("y", c.memory.y, shape.y, scaling);
    if (kernel.ready()) normalise(shape, memory, {}, scaling);
    return call.ok();
}

}  // namespace fpsim

using namespace fpsim;

extern "C" cudnnStatus_t cudnnBatchNormalizationForwardInference(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha, const void *beta,
    const cudnnTensorDescriptor_t xDesc, const void *x, const cudnnTensorDescriptor_t yDesc, void *y,
    const cudnnTensorDescriptor_t bnScaleBiasMeanVarDesc, const void *bnScale, const void *bnBias,
    const void *estimatedMean, const void *estimatedVariance, double epsilon) {
    FP_CALL(handle, mode, alpha, beta, xDesc, x, yDesc, y, bnScaleBiasMeanVarDesc, bnScale, bnBias, estimatedMean,
            estimatedVariance, epsilon);
    FP_ALIVE(xDesc, yDesc, bnScaleBiasMeanVarDesc);
    const NormShape shape{view_of(*xDesc), view_of(*yDesc), view_of(*bnScaleBiasMeanVarDesc),
                          mode == CUDNN_BATCHNORM_PER_ACTIVATION, epsilon};
    const NormInference memory{x, bnScale, bnBias, estimatedMean, estimatedVariance, y};
    return run_norm_inference(call, handle, {shape, memory, alpha, beta, xDesc->vector_channels > 1}, is_batch_norm_mode(mode));
}
