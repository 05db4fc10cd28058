// Descriptors and helpers of the operations other than convolution, grouped by source file.
#pragma once

#include <algorithm>

#include "sim.h"

struct cudnnOpTensorStruct : fpsim::Object {
    static constexpr fpsim::Kind kKind = fpsim::Kind::op_tensor;
    cudnnOpTensorStruct() : Object(kKind) {}
    bool is_set = false;
    cudnnOpTensorOp_t op = CUDNN_OP_TENSOR_ADD;
    cudnnDataType_t compute = CUDNN_DATA_FLOAT;
    cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
};

struct cudnnActivationStruct : fpsim::Object {
    static constexpr fpsim::Kind kKind = fpsim::Kind::activation;
    cudnnActivationStruct() : Object(kKind) {}
    cudnnActivationMode_t mode = CUDNN_ACTIVATION_SIGMOID;
    cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
    double coefficient = 0;  // clip of CLIPPED_RELU, alpha of ELU
    double swish_beta = 1;
};

struct cudnnPoolingStruct : fpsim::Object {
    static constexpr fpsim::Kind kKind = fpsim::Kind::pooling;
    cudnnPoolingStruct() : Object(kKind) {}
    int rank = 0;  // spatial dimensions; 0: never set
    std::array<int, CUDNN_DIM_MAX> window{};
    std::array<int, CUDNN_DIM_MAX> pad{};
    std::array<int, CUDNN_DIM_MAX> stride{};
    cudnnPoolingMode_t mode = CUDNN_POOLING_MAX;
    cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
};

struct cudnnLRNStruct : fpsim::Object {
    static constexpr fpsim::Kind kKind = fpsim::Kind::lrn;
    cudnnLRNStruct() : Object(kKind) {}
    unsigned n = 5;
    double alpha = 1e-4;
    double beta = 0.75;
    double k = 2.0;
};

struct cudnnDropoutStruct : fpsim::Object {
    static constexpr fpsim::Kind kKind = fpsim::Kind::dropout;
    cudnnDropoutStruct() : Object(kKind) {}
    bool is_set = false;
    float rate = 0;
    void *states = nullptr;  // device memory that begins with a DropoutState
    unsigned long long seed = 0;
};

struct cudnnReduceTensorStruct : fpsim::Object {
    static constexpr fpsim::Kind kKind = fpsim::Kind::reduce_tensor;
    cudnnReduceTensorStruct() : Object(kKind) {}
    cudnnReduceTensorOp_t op = CUDNN_REDUCE_TENSOR_ADD;
    cudnnDataType_t compute = CUDNN_DATA_FLOAT;
    cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
    cudnnReduceTensorIndices_t indices = CUDNN_REDUCE_TENSOR_NO_INDICES;
    cudnnIndicesType_t width = CUDNN_32BIT_INDICES;
};

namespace fpsim {

// ---- here: loops over elements -------------------------------------------------------------------------------------
constexpr int64_t kElementGrain = 32768;  // elements that are worth a thread

// As for_each_offset, but from several threads: `visit` must not depend on the order.
template <typename Visit, typename... Views> void parallel_offsets(Visit visit, const View &first, const Views &...rest) {
    constexpr size_t count = 1 + sizeof...(rest);
    if (first.empty()) return;
    const View *views[count] = {&first, &rest...};
    const int last = first.rank - 1;
    const int64_t width = first.dim[last];
    int64_t step[count];
    for (size_t v = 0; v < count; ++v) step[v] = views[v]->dim[last] == 1 ? 0 : views[v]->stride[last];
    parallel_for(first.elements() / width, std::max<int64_t>(1, kElementGrain / width), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
            int64_t offset[count] = {};
            int64_t left = row;
            for (int d = last - 1; d >= 0; --d) {
                const int64_t at = left % first.dim[d];
                left /= first.dim[d];
                for (size_t v = 0; v < count; ++v) offset[v] += views[v]->dim[d] == 1 ? 0 : at * views[v]->stride[d];
            }
            [&]<size_t... I>(std::index_sequence<I...>) {
                for (int64_t i = 0; i < width; ++i) visit((offset[I] + i * step[I])...);
            }(std::make_index_sequence<count>{});
        }
    });
}

// `view` may be broadcast over `whole`: each of its dims is 1 or the same.
inline bool broadcasts_to(const View &view, const View &whole) {
    if (view.rank != whole.rank) return false;
    for (int d = 0; d < view.rank; ++d) {
        if (view.dim[d] != 1 && view.dim[d] != whole.dim[d]) return false;
    }
    return true;
}

// float, double, half, bfloat16 and int8: what the elementwise operations have kernels for.
inline bool is_elementwise_type(cudnnDataType_t type) { return is_floating(type) || type == CUDNN_DATA_INT8; }

inline bool is_propagation(cudnnNanPropagation_t nan) {
    return nan == CUDNN_NOT_PROPAGATE_NAN || nan == CUDNN_PROPAGATE_NAN;
}

// ---- here: activations ---------------------------------------------------------------------------------------------
template <typename T> T sigmoid(T x) { return T{1} / (T{1} + std::exp(-x)); }

template <typename T> T relu(T x, cudnnNanPropagation_t nan) {
    if (std::isnan(x)) return nan == CUDNN_PROPAGATE_NAN ? x : T{0};
    return x > 0 ? x : T{0};
}

template <typename T> T activate(const cudnnActivationStruct &desc, T x) {
    const T coefficient = static_cast<T>(desc.coefficient);
    switch (desc.mode) {
        case CUDNN_ACTIVATION_SIGMOID: return sigmoid(x);
        case CUDNN_ACTIVATION_RELU: return relu(x, desc.nan);
        case CUDNN_ACTIVATION_TANH: return std::tanh(x);
        case CUDNN_ACTIVATION_CLIPPED_RELU: {
            const T positive = relu(x, desc.nan);
            return std::isnan(positive) ? positive : std::fmin(positive, coefficient);
        }
        case CUDNN_ACTIVATION_ELU: return x < 0 ? coefficient * std::expm1(x) : x;
        case CUDNN_ACTIVATION_SWISH: return x * sigmoid(static_cast<T>(desc.swish_beta) * x);
        default: return x;
    }
}

// ---- cudnn/dropout_descriptor.cpp ----------------------------------------------------------------------------------
constexpr size_t kDropoutStatesSize = 6488064;  // as on an H200

// The state of the random numbers, kept in device memory as in the real library, so that it can be saved and restored.
struct DropoutState {
    uint64_t seed;
    uint64_t draws;  // masks drawn so far
};
// Whether element `index` of mask number `draw` is kept: a pure function, so that a mask can be drawn again.
bool dropout_keeps(const DropoutState &state, int64_t index, float rate);
// What kept values are multiplied by: 1 / (1 - rate), and 0 where nothing is kept.
double dropout_scale(float rate);

// ---- cudnn/transform_tensor.cpp ------------------------------------------------------------------------------------
// An int8 tensor with the channels of a vector as a last dimension of their own: N, C/channels, spatial, channels. The
// tensor is plain int8 or vectorised with this number of channels.
View split_channels(const cudnnTensorStruct &tensor, int channels);

}  // namespace fpsim
