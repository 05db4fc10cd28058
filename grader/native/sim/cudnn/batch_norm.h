// What batch normalisation and cudnnNormalization… share, grouped by source file.
#pragma once

#include "operations.h"

namespace fpsim {

// ---- here ----------------------------------------------------------------------------------------------------------
// Statistics are taken over `over` for every index of `each`; both are parts of one tensor.
struct NormGroups {
    View each, over;
    int64_t count() const { return over.elements(); }
};

// The tensors of one normalisation. Parameters (scale, bias, mean, variance) all have the view `params`.
struct NormShape {
    View x, y, params;
    bool per_activation = false;
    double epsilon = 0;
};

// ---- cudnn/batch_norm_shape.cpp ------------------------------------------------------------------------------------
NormGroups norm_groups(const View &view, bool per_activation);
// float, or double for double tensors: the type of scale, bias, mean and variance.
cudnnDataType_t norm_param_type(cudnnDataType_t type);
// Whether `params` is 1,C,1,… (or 1,C,H,W,… per activation) of the right type for `x`.
bool norm_params_fit(const View &params, const View &x, bool per_activation);
bool is_batch_norm_mode(cudnnBatchNormMode_t mode);

// What happens to the normalised value before it is stored.
struct NormEpilogue {
    const void *z = nullptr;  // added; has the layout of y
    const cudnnActivationStruct *activation = nullptr;
};

// ---- cudnn/batch_norm_sizes.cpp ------------------------------------------------------------------------------------
// Whether BN_ACTIVATION and BN_ADD_ACTIVATION run: SPATIAL_PERSISTENT over NHWC of float, half or bfloat16.
bool norm_fuses(const View &x, bool persistent);
struct NormSizes {
    size_t forward = 0, backward = 0, reserve = 0;
};
NormSizes norm_sizes(const View &x, bool persistent, bool adds);

// ---- kernels/batch_norm.cpp ----------------------------------------------------------------------------------------
struct NormInference {
    const void *x, *scale, *bias, *mean, *variance;
    void *y;
};
void normalise(const NormShape &shape, const NormInference &memory, const NormEpilogue &epilogue, const Scaling &scaling);

struct NormTraining {
    const void *x, *scale, *bias;
    void *y;
    void *running_mean, *running_variance;  // may be null
    void *saved_mean, *saved_inverse;       // may be null
    double factor;
};
void normalise_batch(const NormShape &shape, const NormTraining &memory, const NormEpilogue &epilogue, const Scaling &scaling);

struct NormGradient {
    const void *x, *dy, *scale;
    const void *saved_mean, *saved_inverse;  // null: computed from x again
    const void *y;                           // of a fused ReLU: where it is not positive, dy is 0; else null
    void *dx, *dscale, *dbias;
    void *dz;  // may be null
    Scaling data, params;
};
void normalise_backward(const NormShape &shape, const View &dy, const NormGradient &memory);

// ---- cudnn/batch_norm_training.cpp, cudnn/batch_norm_backward.cpp: shared with cudnnNormalization… --------------------
struct NormTrainingCall {
    NormShape shape;
    NormTraining memory;
    NormEpilogue epilogue;
    const void *alpha, *beta;
};
// Checks and runs; `mode_known` is false for an unknown enumerator.
cudnnStatus_t run_norm_training(Call &call, const NormTrainingCall &training, bool mode_known);

struct NormGradientCall {
    NormShape shape;  // y is dx
    View dy;
    NormGradient memory;
    const void *alpha_data, *beta_data, *alpha_params, *beta_params;
    bool vectorised = false;  // x is NCHW_VECT_C
};
cudnnStatus_t run_norm_backward(Call &call, cudnnHandle_t handle, const NormGradientCall &gradient, bool mode_known);

// What was fused behind the normalisation whose gradient is asked for, and the tensors as they were given.
struct NormFusion {
    bool activates, adds, persistent;
    const cudnnTensorStruct *x, *dx, *dy, *params;
    const cudnnTensorStruct *y;
    const void *y_data;
    const cudnnTensorStruct *dz;
    void *dz_data;
    const cudnnActivationStruct *activation;
};
// Sets the views of `gradient` when their descriptors are known to be alive.
cudnnStatus_t run_fused_norm_backward(Call &call, cudnnHandle_t handle, NormGradientCall &gradient, const NormFusion &fusion);

// ---- cudnn/batch_norm_inference.cpp --------------------------------------------------------------------------------
struct NormInferenceCall {
    NormShape shape;
    NormInference memory;
    const void *alpha, *beta;
    bool vectorised = false;  // x is NCHW_VECT_C
};
cudnnStatus_t run_norm_inference(Call &call, cudnnHandle_t handle, const NormInferenceCall &inference, bool mode_known);

}  // namespace fpsim
