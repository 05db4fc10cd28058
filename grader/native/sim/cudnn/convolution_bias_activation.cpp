// cudnnConvolutionBiasActivationForward: y = act(alpha1 * conv(x, w) + alpha2 * z + bias).
#include "convolution.h"
#include "operations.h"

using namespace fpsim;

namespace {

// As found on an H200: the fused operation has RELU and IDENTITY only, with every algorithm but DIRECT, also where the
// plain convolution does not support the algorithm.
bool has_activation(cudnnActivationMode_t mode) {
    return mode == CUDNN_ACTIVATION_RELU || mode == CUDNN_ACTIVATION_IDENTITY;
}

bool has_algorithm(cudnnConvolutionFwdAlgo_t algo) {
    return algo >= 0 && algo < CUDNN_CONVOLUTION_FWD_ALGO_COUNT && algo != CUDNN_CONVOLUTION_FWD_ALGO_DIRECT;
}

bool mixes_layouts(const ConvolutionShape &shape) { return shape.filter_last && !is_nhwc(shape.x); }

// The scalars of an int32 output are int32 themselves (measured).
double read_factor(const void *scalar, cudnnDataType_t type) {
    if (type != CUDNN_DATA_INT32) return read_scalar(scalar, type);
    int32_t value;
    std::memcpy(&value, scalar, sizeof value);
    return value;
}

// Int32 results wrap around before the activation, all others saturate after it.
template <typename T, typename S> T to_output(const cudnnActivationStruct &activation, S value) {
    if constexpr (std::is_same_v<T, int32_t>) {
        const auto wrapped = static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(value)));
        return activation.mode == CUDNN_ACTIVATION_RELU ? std::max(wrapped, 0) : wrapped;
    } else {
        return to_element<T>(activate<S>(activation, value));
    }
}

cudnnDataType_t bias_type(const ConvolutionShape &shape) {
    if (shape.family != TypeFamily::integers) return shape.x.type;
    return shape.y.type == CUDNN_DATA_INT32 ? CUDNN_DATA_INT32 : CUDNN_DATA_FLOAT;
}

bool is_channel_vector(const View &bias, const View &y) {
    for (int d = 0; d < bias.rank; ++d) {
        if (bias.dim[d] != (d == 1 ? y.dim[1] : 1)) return false;
    }
    return true;
}

bool same(const View &a, const View &b) { return a.type == b.type && a.same_dims(b) && a.same_strides(b); }

struct Fusion {
    ConvolutionShape shape;
    View bias_view;
    ForwardPointers memory;
    const void *z, *bias;
    double alpha1, alpha2;
    const cudnnActivationStruct &activation;
};

template <typename S, typename T, typename B> void finish(const Fusion &f, const View &sums_view, const S *sums) {
    const T *z = static_cast<const T *>(f.z);
    const B *bias = static_cast<const B *>(f.bias);
    T *y = static_cast<T *>(f.memory.y);
    parallel_offsets([&](int64_t yi, int64_t si, int64_t bi) {
        S value = static_cast<S>(f.alpha1) * sums[si] + static_cast<S>(bias[bi]);
        if (f.alpha2 != 0) value += static_cast<S>(f.alpha2) * static_cast<S>(z[yi]);
        y[yi] = to_output<T>(f.activation, value);
    }, f.shape.y, sums_view, f.bias_view);
}

// The convolution goes to memory of its own first: z may be y.
template <typename S> void run(const Fusion &f, cudnnDataType_t sum_type) {
    ConvolutionShape plain = f.shape;
    plain.y = packed_view(sum_type, f.shape.y.rank, f.shape.y.dim.data());
    std::vector<S> sums(static_cast<size_t>(plain.y.elements()));
    run_forward(plain, {f.memory.x, f.memory.w, sums.data()}, {1, 0});
    visit_type(f.shape.y.type, [&](auto out) {
        visit_type(f.bias_view.type, [&](auto bias) { finish<S, decltype(out), decltype(bias)>(f, plain.y, sums.data()); });
    });
}

}  // namespace

extern "C" cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void *alpha1, const cudnnTensorDescriptor_t xDesc, const void *x,
    const cudnnFilterDescriptor_t wDesc, const void *w, const cudnnConvolutionDescriptor_t convDesc,
    cudnnConvolutionFwdAlgo_t algo, void *workSpace, size_t workSpaceSizeInBytes, const void *alpha2,
    const cudnnTensorDescriptor_t zDesc, const void *z, const cudnnTensorDescriptor_t biasDesc, const void *bias,
    const cudnnActivationDescriptor_t activationDesc, const cudnnTensorDescriptor_t yDesc, void *y) {
    FP_CALL(handle, alpha1, xDesc, x, wDesc, w, convDesc, algo, workSpace, workSpaceSizeInBytes, alpha2, zDesc, z,
            biasDesc, bias, activationDesc, yDesc, y);
    FP_ALIVE(handle, xDesc, wDesc, convDesc, zDesc, biasDesc, activationDesc, yDesc);
    FP_REQUIRE(alpha1 != nullptr && x != nullptr && w != nullptr && alpha2 != nullptr && z != nullptr);
    FP_REQUIRE(bias != nullptr && y != nullptr);
    Fusion f{shape_of(*convDesc, *xDesc, *wDesc, *yDesc), view_of(*biasDesc), {}, z, bias, 0, 0, *activationDesc};
    if (const char *reason = inconsistency(f.shape)) return call.bad_param(reason);
    FP_REQUIRE(f.bias_view.rank == f.shape.y.rank);
    FP_SUPPORTED(has_activation(activationDesc->mode));
    FP_REQUIRE(!(mixes_layouts(f.shape) && algo == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM));
    FP_SUPPORTED(f.shape.family != TypeFamily::none && has_algorithm(algo));
    if (f.bias_view.type != bias_type(f.shape)) return call.fail(CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE, "biasDesc->dataType");
    if (!is_channel_vector(f.bias_view, f.shape.y) || !same(view_of(*zDesc), f.shape.y)) {
        return call.fail(CUDNN_STATUS_NOT_SUPPORTED_SHAPE, "bias is 1 x K x 1 x 1, z is described as y is");
    }
    const bool plain = forward_supported(f.shape, algo);
    const size_t need = plain ? forward_workspace(f.shape, algo, f.shape.math).minimum : 0;
    FP_REQUIRE(need == 0 || (workSpace != nullptr && workSpaceSizeInBytes >= need));
    FP_LAUNCHABLE();
    f.alpha1 = read_factor(alpha1, f.shape.y.type);
    f.alpha2 = read_factor(alpha2, f.shape.y.type);
    Kernel kernel(call);
    f.memory = {kernel.read("x", x, f.shape.x), kernel.read("w", w, f.shape.w), nullptr};
    f.z = f.alpha2 != 0 ? kernel.read("z", z, f.shape.y) : z;
    f.bias = kernel.read("bias", bias, f.bias_view);
    f.memory.y = kernel.write("y", y, f.shape.y);
    if (need != 0) kernel.scratch("workSpace", workSpace, need);
    if (!kernel.ready()) return call.ok();
    const bool wide = f.shape.family == TypeFamily::doubles || f.shape.family == TypeFamily::integers;
    wide ? run<double>(f, CUDNN_DATA_DOUBLE) : run<float>(f, CUDNN_DATA_FLOAT);
    return call.ok();
}
