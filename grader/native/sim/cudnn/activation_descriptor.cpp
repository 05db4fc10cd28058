// Activation descriptors.
#include "operations.h"

using namespace fpsim;

extern "C" cudnnStatus_t cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t *activationDesc) {
    FP_CALL(activationDesc);
    return call.create(activationDesc);
}

extern "C" cudnnStatus_t cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t activationDesc) {
    FP_CALL(activationDesc);
    return call.destroy(activationDesc);
}

extern "C" cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t activationDesc,
                                                      cudnnActivationMode_t mode, cudnnNanPropagation_t reluNanOpt,
                                                      double coef) {
    FP_CALL(activationDesc, mode, reluNanOpt, coef);
    FP_ALIVE(activationDesc);
    FP_REQUIRE(mode >= CUDNN_ACTIVATION_SIGMOID && mode <= CUDNN_ACTIVATION_SWISH);
    FP_REQUIRE(is_propagation(reluNanOpt));
    activationDesc->mode = mode;
    activationDesc->nan = reluNanOpt;
    activationDesc->coefficient = coef;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetActivationDescriptor(const cudnnActivationDescriptor_t activationDesc,
                                                      cudnnActivationMode_t *mode, cudnnNanPropagation_t *reluNanOpt,
                                                      double *coef) {
    FP_CALL(activationDesc, mode, reluNanOpt, coef);
    FP_ALIVE(activationDesc);
    FP_REQUIRE(mode != nullptr && reluNanOpt != nullptr && coef != nullptr);
    *mode = activationDesc->mode;
    *reluNanOpt = activationDesc->nan;
    *coef = activationDesc->coefficient;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnSetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t activationDesc,
                                                               double swish_beta) {
    FP_CALL(activationDesc, swish_beta);
    FP_ALIVE(activationDesc);
    activationDesc->swish_beta = swish_beta;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t activationDesc,
                                                               double *swish_beta) {
    FP_CALL(activationDesc, swish_beta);
    FP_ALIVE(activationDesc);
    FP_REQUIRE(swish_beta != nullptr);
    *swish_beta = activationDesc->swish_beta;
    return call.ok();
}
