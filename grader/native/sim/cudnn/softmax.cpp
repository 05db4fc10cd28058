// cudnnSoftmaxForward and cudnnSoftmaxBackward.
#include "operations.h"

using namespace fpsim;

namespace {

bool is_algorithm(cudnnSoftmaxAlgorithm_t algo) { return algo >= CUDNN_SOFTMAX_FAST && algo <= CUDNN_SOFTMAX_LOG; }

bool is_mode(cudnnSoftmaxMode_t mode) {
    return mode == CUDNN_SOFTMAX_MODE_INSTANCE || mode == CUDNN_SOFTMAX_MODE_CHANNEL;
}

// One softmax runs over the dimensions of `over`; there is one for every index of `each`.
struct Groups {
    View each, over;
};

Groups groups_of(const View &view, cudnnSoftmaxMode_t mode) {
    Groups groups{view, view};
    for (int d = 0; d < view.rank; ++d) {
        const bool summed = mode == CUDNN_SOFTMAX_MODE_CHANNEL ? d == 1 : d >= 1;
        (summed ? groups.each : groups.over).dim[d] = 1;
    }
    return groups;
}

template <typename Body> void for_each_group(const Groups &groups, const Body &body) {
    const int64_t count = groups.each.elements();
    const int64_t grain = std::max<int64_t>(1, kElementGrain / 8 / std::max<int64_t>(groups.over.elements(), 1));
    parallel_for(count, grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) body(i);
    });
}

// FAST does not subtract the maximum. Where all inputs are -inf, the real kernels differ: over a whole instance the
// result is 0 (LOG: -inf), over channels it is NaN.
template <typename T> class Forward {
public:
    using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
    Forward(cudnnSoftmaxAlgorithm_t algo, cudnnSoftmaxMode_t mode) : algo_(algo), mode_(mode) {}

    void run(const T *x, const View &over, T *y, const View &target, const Scaling &scaling) const {
        C top = -std::numeric_limits<C>::infinity();
        if (algo_ == CUDNN_SOFTMAX_FAST) top = 0;
        else for_each_offset([&](int64_t i) { top = std::max(top, static_cast<C>(x[i])); }, over);
        if (mode_ == CUDNN_SOFTMAX_MODE_INSTANCE && top < std::numeric_limits<C>::lowest()) return fill(y, target, scaling, top);
        double sum = 0;
        for_each_offset([&](int64_t i) { sum += std::exp(static_cast<C>(x[i]) - top); }, over);
        const C shift = static_cast<C>(std::log(sum)), scale = static_cast<C>(1 / sum);
        for_each_offset([&](int64_t yi, int64_t xi) {
            const C value = static_cast<C>(x[xi]) - top;
            scaling.store(y[yi], algo_ == CUDNN_SOFTMAX_LOG ? value - shift : std::exp(value) * scale);
        }, target, over);
    }

private:
    void fill(T *y, const View &target, const Scaling &scaling, C low) const {
        const C value = algo_ == CUDNN_SOFTMAX_LOG ? low : C{0};
        for_each_offset([&](int64_t i) { scaling.store(y[i], value); }, target);
    }
    cudnnSoftmaxAlgorithm_t algo_;
    cudnnSoftmaxMode_t mode_;
};

struct Gradient {
    View y, dx;  // dy has the layout of y
    cudnnSoftmaxAlgorithm_t algo;
    cudnnSoftmaxMode_t mode;
    Scaling scaling;
};

template <typename T> void backward(const Gradient &g, const T *y, const T *dy, T *dx) {
    using C = Compute<T>;
    const Groups from = groups_of(g.y, g.mode), to = groups_of(g.dx, g.mode);
    for_each_group(from, [&](int64_t i) {
        const int64_t base = from.each.offset_of(i);
        T *target = dx + to.each.offset_of(i);
        const bool log = g.algo == CUDNN_SOFTMAX_LOG;
        double sum = 0;
        for_each_offset([&](int64_t at) {
            sum += static_cast<double>(dy[base + at]) * (log ? 1.0 : static_cast<double>(y[base + at]));
        }, from.over);
        for_each_offset([&](int64_t di, int64_t at) {
            const C out = static_cast<C>(y[base + at]), up = static_cast<C>(dy[base + at]);
            const C total = static_cast<C>(sum);
            g.scaling.store(target[di], log ? up - std::exp(out) * total : out * (up - total));
        }, to.over, from.over);
    });
}

}  // namespace

extern "C" cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo,
                                             cudnnSoftmaxMode_t mode, const void *alpha,
                                             const cudnnTensorDescriptor_t xDesc, const void *x, const void *beta,
                                             const cudnnTensorDescriptor_t yDesc, void *y) {
    FP_CALL(handle, algo, mode, alpha, xDesc, x, beta, yDesc, y);
    FP_ALIVE(handle, xDesc, yDesc);
    FP_REQUIRE(alpha != nullptr && x != nullptr && beta != nullptr && y != nullptr);
    FP_REQUIRE(is_algorithm(algo) && is_mode(mode));
    const View from = view_of(*xDesc);
    View to = view_of(*yDesc);
    FP_REQUIRE(from.rank > 0 && from.same_dims(to) && from.type == to.type);
    // Over whole packed instances the real kernel writes y in the order of x, whatever yDesc says.
    if (mode == CUDNN_SOFTMAX_MODE_INSTANCE && from.dense() && to.dense()) to = from;
    FP_SUPPORTED(is_elementwise_type(from.type));
    FP_LAUNCHABLE();
    const Scaling scaling = read_scaling(alpha, beta, from.type);
    Kernel kernel(call);
    const void *source = kernel.read("x", x, from);
    void *target = kernel.write("y", y, to, scaling);
    if (!kernel.ready()) return call.ok();
    const Groups in = groups_of(from, mode), out = groups_of(to, mode);
    visit_type(from.type, [&](auto element) {
        using T = decltype(element);
        const Forward<T> forward(algo, mode);
        for_each_group(in, [&](int64_t i) {
            forward.run(static_cast<const T *>(source) + in.each.offset_of(i), in.over,
                        static_cast<T *>(target) + out.each.offset_of(i), out.over, scaling);
        });
    });
    return call.ok();
}

extern "C" cudnnStatus_t cudnnSoftmaxBackward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo,
                                              cudnnSoftmaxMode_t mode, const void *alpha,
                                              const cudnnTensorDescriptor_t yDesc, const void *y,
                                              const cudnnTensorDescriptor_t dyDesc, const void *dy, const void *beta,
                                              const cudnnTensorDescriptor_t dxDesc, void *dx) {
    FP_CALL(handle, algo, mode, alpha, yDesc, y, dyDesc, dy, beta, dxDesc, dx);
    FP_ALIVE(handle, yDesc, dyDesc, dxDesc);
    FP_REQUIRE(alpha != nullptr && y != nullptr && dy != nullptr && beta != nullptr && dx != nullptr);
    FP_REQUIRE(is_algorithm(algo) && is_mode(mode));
    Gradient g{view_of(*yDesc), view_of(*dxDesc), algo, mode, {}};
    const View up = view_of(*dyDesc);
    FP_REQUIRE(g.y.rank > 0 && g.y.same_dims(up) && g.y.same_strides(up) && g.y.type == up.type);
    FP_REQUIRE(g.y.same_dims(g.dx) && g.y.type == g.dx.type);
    FP_SUPPORTED(is_floating(g.y.type));
    FP_LAUNCHABLE();
    g.scaling = read_scaling(alpha, beta, g.y.type);
    Kernel kernel(call);
    const void *outputs = kernel.read("y", y, g.y), *incoming = kernel.read("dy", dy, up);
    void *target = kernel.write("dx", dx, g.dx, g.scaling);
    if (!kernel.ready()) return call.ok();
    visit_type(g.y.type, [&](auto element) {
        using T = decltype(element);
        backward(g, static_cast<const T *>(outputs), static_cast<const T *>(incoming), static_cast<T *>(target));
    });
    return call.ok();
}
