// The shapes of normalisation, and cudnnDeriveBNTensorDescriptor.
#include "batch_norm.h"

namespace fpsim {

NormGroups norm_groups(const View &view, bool per_activation) {
    NormGroups groups{view, view};
    for (int d = 0; d < view.rank; ++d) {
        const bool summed = per_activation ? d == 0 : d != 1;
        (summed ? groups.each : groups.over).dim[d] = 1;
    }
    return groups;
}

cudnnDataType_t norm_param_type(cudnnDataType_t type) {
    return type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
}

bool norm_params_fit(const View &params, const View &x, bool per_activation) {
    return params.type == norm_param_type(x.type) && params.same_dims(norm_groups(x, per_activation).each);
}

bool is_batch_norm_mode(cudnnBatchNormMode_t mode) {
    return mode >= CUDNN_BATCHNORM_PER_ACTIVATION && mode <= CUDNN_BATCHNORM_SPATIAL_PERSISTENT;
}

}  // namespace fpsim

using namespace fpsim;

extern "C" cudnnStatus_t cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t derivedBnDesc,
                                                       const cudnnTensorDescriptor_t xDesc,
                                                       cudnnBatchNormMode_t mode) {
    FP_CALL(derivedBnDesc, xDesc, mode);
    FP_ALIVE(derivedBnDesc, xDesc);
    FP_REQUIRE(is_batch_norm_mode(mode));
    FP_REQUIRE(xDesc->rank > 0);
    const bool narrow = xDesc->type == CUDNN_DATA_HALF || xDesc->type == CUDNN_DATA_BFLOAT16 || xDesc->type == CUDNN_DATA_INT8;
    const bool per_activation = mode == CUDNN_BATCHNORM_PER_ACTIVATION;
    // Not through a View, which is empty for a refused descriptor: what such a one kept is derived from all the same.
    const int rank = xDesc->rank;
    int dim[CUDNN_DIM_MAX], stride[CUDNN_DIM_MAX];
    unsigned step = 1;
    for (int d = rank - 1; d >= 0; --d) {
        dim[d] = (per_activation ? d == 0 : d != 1) ? 1 : xDesc->dim[d];
        stride[d] = static_cast<int>(step);
        step *= static_cast<unsigned>(dim[d]);
    }
    return cudnnSetTensorNdDescriptor(derivedBnDesc, narrow ? CUDNN_DATA_FLOAT : xDesc->type, rank, dim, stride);
}
