// Which fused batch normalisations run, and the sizes of their spaces. The sizes follow what cuDNN 9.19 on an H200
// answered for a few shapes; between those they are a guess. No call refuses a space for its size, as there.
#include "batch_norm.h"

namespace fpsim {

bool norm_fuses(const View &x, bool persistent) {
    return persistent && x.type != CUDNN_DATA_DOUBLE && x.type != CUDNN_DATA_INT8 && is_nhwc(x);
}

NormSizes norm_sizes(const View &x, bool persistent, bool adds) {
    NormSizes sizes;
    if (norm_fuses(x, persistent)) {
        const bool few = x.dim[1] <= 4;
        const bool wide = x.type == CUDNN_DATA_FLOAT;
        sizes.forward = few ? 1112 : wide ? 2108 : 1592;
        sizes.backward = few ? 1092 : x.dim[1] <= 32 ? 1572 : 2084;
    }
    if (adds) {
        // At least a bit an element, in pieces of 256 bytes.
        const int64_t pixels = x.elements() / std::max<int64_t>(x.dim[1], 1);
        const int64_t bits = (x.elements() / 8 + 255) / 256;
        sizes.reserve = static_cast<size_t>(256 * std::max((pixels + 12) / 13, bits));
    }
    return sizes;
}

}  // namespace fpsim

using namespace fpsim;

namespace {

bool is_ops(cudnnBatchNormOps_t ops) { return ops >= CUDNN_BATCHNORM_OPS_BN && ops <= CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION; }

cudnnStatus_t check(Call &call, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops, const cudnnTensorStruct &x,
                    const size_t *size) {
    FP_REQUIRE(size != nullptr && is_batch_norm_mode(mode) && is_ops(ops));
    FP_REQUIRE(x.rank > 0);
    const bool persistent = mode == CUDNN_BATCHNORM_SPATIAL_PERSISTENT;
    // The other modes answer with a size of 0 and refuse only the call itself.
    FP_SUPPORTED(ops == CUDNN_BATCHNORM_OPS_BN || !persistent || norm_fuses(view_of(x), persistent));
    return call.ok();
}

}  // namespace

extern "C" cudnnStatus_t cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t bnOps, const cudnnTensorDescriptor_t xDesc,
    const cudnnTensorDescriptor_t zDesc, const cudnnTensorDescriptor_t yDesc,
    const cudnnTensorDescriptor_t bnScaleBiasMeanVarDesc, const cudnnActivationDescriptor_t activationDesc,
    size_t *sizeInBytes) {
    FP_CALL(handle, mode, bnOps, xDesc, zDesc, yDesc, bnScaleBiasMeanVarDesc, activationDesc, sizeInBytes);
    FP_ALIVE(handle, xDesc, yDesc, bnScaleBiasMeanVarDesc);
    const cudnnStatus_t status = check(call, mode, bnOps, *xDesc, sizeInBytes);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    const bool persistent = mode == CUDNN_BATCHNORM_SPATIAL_PERSISTENT;
    FP_SUPPORTED(bnOps != CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION || !persistent || xDesc->dim[1] % 4 == 0);
    *sizeInBytes = norm_sizes(view_of(*xDesc), persistent, false).forward;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetBatchNormalizationBackwardExWorkspaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t bnOps, const cudnnTensorDescriptor_t xDesc,
    const cudnnTensorDescriptor_t yDesc, const cudnnTensorDescriptor_t dyDesc, const cudnnTensorDescriptor_t dzDesc,
    const cudnnTensorDescriptor_t dxDesc, const cudnnTensorDescriptor_t dBnScaleBiasDesc,
    const cudnnActivationDescriptor_t activationDesc, size_t *sizeInBytes) {
    FP_CALL(handle, mode, bnOps, xDesc, yDesc, dyDesc, dzDesc, dxDesc, dBnScaleBiasDesc, activationDesc, sizeInBytes);
    FP_ALIVE(handle, xDesc, dyDesc, dxDesc, dBnScaleBiasDesc);
    const cudnnStatus_t status = check(call, mode, bnOps, *xDesc, sizeInBytes);
    if (status != CUDNN_STATUS_SUCCESS) return status;
    *sizeInBytes = norm_sizes(view_of(*xDesc), mode == CUDNN_BATCHNORM_SPATIAL_PERSISTENT, false).backward;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t bnOps,
    const cudnnActivationDescriptor_t activationDesc, const cudnnTensorDescriptor_t xDesc, size_t *sizeInBytes) {
    FP_CALL(handle, mode, bnOps, activationDesc, xDesc, sizeInBytes);
    FP_ALIVE(handle, xDesc);
    FP_REQUIRE(sizeInBytes != nullptr && is_batch_norm_mode(mode) && is_ops(bnOps));
    const bool adds = bnOps == CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION;
    const bool persistent = mode == CUDNN_BATCHNORM_SPATIAL_PERSISTENT;
    FP_SUPPORTED(!adds || !persistent || is_nhwc(view_of(*xDesc)));
    *sizeInBytes = norm_sizes(view_of(*xDesc), persistent, adds && persistent).reserve;
    return call.ok();
}
