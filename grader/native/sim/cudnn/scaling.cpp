// alpha and beta: host scalars whose type follows the tensor's.
#include "sim.h"

namespace fpsim {

double read_scalar(const void *scalar, cudnnDataType_t type) {
    if (type == CUDNN_DATA_DOUBLE) {
        double value;
        std::memcpy(&value, scalar, sizeof value);
        return value;
    }
    float value;
    std::memcpy(&value, scalar, sizeof value);
    return value;
}

Scaling read_scaling(const void *alpha, const void *beta, cudnnDataType_t type) {
    return {read_scalar(alpha, type), read_scalar(beta, type)};
}

}  // namespace fpsim
