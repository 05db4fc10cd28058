// cudnnBatchNormalizationBackward and …Ex: the gradients of x, scale and bias (and of z).
#include <algorithm>
#include <functional>

#include "batch_norm.h"

namespace fpsim {
namespace {

cudnnStatus_t check_pointers(Call &call, const NormGradientCall &g) {
    const NormGradient &m = g.memory;
    FP_REQUIRE(g.alpha_data && g.beta_data && g.alpha_params && g.beta_params);
    FP_REQUIRE(m.x && m.dy && m.dx && m.scale && m.dscale && m.dbias);
    return call.ok();
}

cudnnStatus_t check(Call &call, const NormGradientCall &g) {
    const NormGradient &m = g.memory;
    const View &x = g.shape.x;
    FP_SUPPORTED(is_floating(x.type) && !g.vectorised);
    FP_REQUIRE((m.saved_mean == nullptr) == (m.saved_inverse == nullptr));
    FP_REQUIRE(!(g.shape.epsilon < CUDNN_BN_MIN_EPSILON));
    FP_REQUIRE(std::all_of(x.stride.begin(), x.stride.begin() + x.rank, [](int64_t stride) { return stride >= 0; }));
    FP_REQUIRE(x.rank >= 4 && x.same_dims(g.dy) && x.same_dims(g.shape.y) && x.type == g.dy.type && x.type == g.shape.y.type);
    FP_REQUIRE(norm_params_fit(g.shape.params, x, g.shape.per_activation));
    FP_SUPPORTED(x.rank <= 5);
    return call.ok();
}

// Whether no stride is smaller than that of the channels, and the others fall: what is asked of a fused gradient before
// the shapes are compared. Also of a refused tensor, and of two dimensions with the strides that an earlier call left.
bool channels_innermost(const cudnnTensorStruct &tensor) {
    const auto &stride = tensor.stride;
    const int last = std::max(tensor.rank - 1, 0);
    if (stride[1] > stride[last] || stride[2] > stride[0]) return false;
    return std::is_sorted(stride.begin() + 2, stride.begin() + std::max(tensor.rank, 2), std::greater<>());
}

cudnnStatus_t launch(Call &call, cudnnHandle_t handle, const NormGradientCall &g) {
    FP_ALIVE(handle);
    FP_LAUNCHABLE();
    NormGradient m = g.memory;
    const View &params = g.shape.params;
    m.data = read_scaling(g.alpha_data, g.beta_data, g.shape.x.type);
    m.params = read_scaling(g.alpha_params, g.beta_params, g.shape.x.type);
    Kernel kernel(call);
    m.x = kernel.read("x", m.x, g.shape.x);
    m.dy = kernel.read("dy", m.dy, g.dy);
    m.scale = kernel.read("bnScale", m.scale, params);
    if (m.saved_mean) {
        m.saved_mean = kernel.read("savedMean", m.saved_mean, params);
        m.saved_inverse = kernel.read("savedInvVariance", m.saved_inverse, params);
    }
    if (m.y) m.y = kernel.read("y", m.y, g.dy);
    if (m.dz) m.dz = kernel.write("dz", m.dz, g.dy);
    m.dx = kernel.write("dx", m.dx, g.shape.y, m.data);
    m.dscale = kernel.write("dBnScaleResult", m.dscale, params, m.params);
    m.dbias = kernel.write("dBnBiasResult", m.dbias, params, m.params);
    if (kernel.ready()) normalise_backward(g.shape, g.dy, m);
    return call.ok();
}

}  // namespace

cudnnStatus_t run_norm_backward(Call &call, cudnnHandle_t handle, const NormGradientCall &g, bool mode_known) {
    cudnnStatus_t status = check_pointers(call, g);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    FP_REQUIRE(mode_known);
    status = check(call, g);
    return status == CUDNN_STATUS_SUCCESS ? launch(call, handle, g) : status;
}

// The layouts of x, dx and dy in this order, each before the next is asked whether it is there; then the mode and the type.
cudnnStatus_t check_layouts(Call &call, const NormFusion &fusion) {
    for (const cudnnTensorStruct *tensor : {fusion.x, fusion.dx, fusion.dy}) {
        FP_ALIVE(tensor);
        FP_SUPPORTED(channels_innermost(*tensor));
    }
    FP_SUPPORTED(fusion.persistent && is_floating(fusion.x->type));
    return call.ok();
}

// Memory that is null comes first, then the layouts, then the shapes. A fused activation answers NOT_SUPPORTED also for
// what is null after that.
cudnnStatus_t run_fused_norm_backward(Call &call, cudnnHandle_t handle, NormGradientCall &g, const NormFusion &fusion) {
    if (fusion.adds) {
        FP_ALIVE(fusion.dz);
        FP_REQUIRE(fusion.dz_data != nullptr);
        g.memory.dz = fusion.dz_data;
    }
    if (fusion.activates) {
        FP_ALIVE(fusion.activation);
        g.memory.y = fusion.y_data;
    }
    cudnnStatus_t status = check_pointers(call, g);
    if (status == CUDNN_STATUS_SUCCESS && fusion.activates) status = check_layouts(call, fusion);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    FP_ALIVE(fusion.x, fusion.dx, fusion.dy, fusion.params);
    g.shape.x = view_of(*fusion.x), g.shape.y = view_of(*fusion.dx), g.dy = view_of(*fusion.dy);
    g.shape.params = view_of(*fusion.params);
    g.vectorised = fusion.x->vector_channels > 1;
    status = check(call, g);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    if (fusion.adds) {
        const View dz = view_of(*fusion.dz);
        FP_REQUIRE(g.shape.x.same_dims(dz) && g.shape.x.type == dz.type);
    }
    if (fusion.activates) {
        FP_SUPPORTED(norm_fuses(g.shape.x, true) && fusion.activation->mode == CUDNN_ACTIVATION_RELU);
        const bool given = handle != nullptr && fusion.y != nullptr && fusion.y_data != nullptr;
        FP_SUPPORTED(given || fusion.adds || g.shape.x.type == CUDNN_DATA_BFLOAT16);
        FP_ALIVE(fusion.y);
        FP_REQUIRE(fusion.y_data != nullptr);
    }
    return launch(call, handle, g);
}

}  // namespace fpsim

using namespace fpsim;

extern "C" cudnnStatus_t cudnnBatchNormalizationBackward(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alphaDataDiff, const void *betaDataDiff,
    const void *alphaParamDiff, const void *betaParamDiff, const cudnnTensorDescriptor_t xDesc, const void *x,
    const cudnnTensorDescriptor_t dyDesc, const void *dy, const cudnnTensorDescriptor_t dxDesc, void *dx,
    const cudnnTensorDescriptor_t dBnScaleBiasDesc, const void *bnScale, void *dBnScaleResult, void *dBnBiasResult,
    double epsilon, const void *savedMean, const void *savedInvVariance) {
    FP_CALL(handle, mode, alphaDataDiff, betaDataDiff, alphaParamDiff, betaParamDiff, xDesc, x, dyDesc, dy, dxDesc, dx,
            dBnScaleBiasDesc, bnScale, dBnScaleResult, dBnBiasResult, epsilon, savedMean, savedInvVariance);
    FP_ALIVE(xDesc, dyDesc, dxDesc, dBnScaleBiasDesc);
    const NormGradientCall g{{view_of(*xDesc), view_of(*dxDesc), view_of(*dBnScaleBiasDesc),
                      mode == CUDNN_BATCHNORM_PER_ACTIVATION, epsilon},
                     view_of(*dyDesc),
                     {x, dy, bnScale, savedMean, savedInvVariance, nullptr, dx, dBnScaleResult, dBnBiasResult, nullptr, {}, {}},
                     alphaDataDiff, betaDataDiff, alphaParamDiff, betaParamDiff, xDesc->vector_channels > 1};
    return run_norm_backward(call, handle, g, is_batch_norm_mode(mode));
}

// The ReLU's gradient is taken from y; the reserve space is not needed for that.
extern "C" cudnnStatus_t cudnnBatchNormalizationBackwardEx(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t bnOps, const void *alphaDataDiff,
    const void *betaDataDiff, const void *alphaParamDiff, const void *betaParamDiff,
    const cudnnTensorDescriptor_t xDesc, const void *xData, const cudnnTensorDescriptor_t yDesc, const void *yData,
    const cudnnTensorDescriptor_t dyDesc, const void *dyData, const cudnnTensorDescriptor_t dzDesc, void *dzData,
    const cudnnTensorDescriptor_t dxDesc, void *dxData, const cudnnTensorDescriptor_t dBnScaleBiasDesc,
    const void *bnScaleData, const void *bnBiasData, void *dBnScaleData, void *dBnBiasData, double epsilon,
    const void *savedMean, const void *savedInvVariance, cudnnActivationDescriptor_t activationDesc, void *workSpace,
    size_t workSpaceSizeInBytes, void *reserveSpace, size_t reserveSpaceSizeInBytes) {
    FP_CALL(handle, mode, bnOps, alphaDataDiff, betaDataDiff, alphaParamDiff, betaParamDiff, xDesc, xData, yDesc, yData,
            dyDesc, dyData, dzDesc, dzData, dxDesc, dxData, dBnScaleBiasDesc, bnScaleData, bnBiasData, dBnScaleData,
            dBnBiasData, epsilon, savedMean, savedInvVariance, activationDesc, workSpace, workSpaceSizeInBytes,
            reserveSpace, reserveSpaceSizeInBytes);
    FP_REQUIRE(is_batch_norm_mode(mode) && bnOps >= CUDNN_BATCHNORM_OPS_BN && bnOps <= CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION);
    NormGradientCall g{{{}, {}, {}, mode == CUDNN_BATCHNORM_PER_ACTIVATION, epsilon},
               {},
               {xData, dyData, bnScaleData, savedMean, savedInvVariance, nullptr, dxData, dBnScaleData, dBnBiasData, nullptr, {}, {}},
               alphaDataDiff, betaDataDiff, alphaParamDiff, betaParamDiff};
    const bool adds = bnOps == CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION;
    const NormFusion fusion{adds || bnOps == CUDNN_BATCHNORM_OPS_BN_ACTIVATION, adds, mode == CUDNN_BATCHNORM_SPATIAL_PERSISTENT,
                            xDesc, dxDesc, dyDesc, dBnScaleBiasDesc, yDesc, yData, dzDesc, dzData, activationDesc};
    return run_fused_norm_backward(call, handle, g, fusion);
}
