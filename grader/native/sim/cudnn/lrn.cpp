// Local response normalisation across channels: y = x * (k + alpha / n * sum of x² over n channels)^-beta.
#include "operations.h"

using namespace fpsim;

namespace {

// The channels whose squares go into the denominator of channel c; of an even n the larger half lies behind.
struct Window {
    int64_t begin, end;
};

Window window_of(const cudnnLRNStruct &desc, int64_t c, int64_t channels) {
    const int64_t first = c - (static_cast<int64_t>(desc.n) - 1) / 2;
    return {std::max<int64_t>(first, 0), std::min<int64_t>(first + desc.n, channels)};
}

// One column: the channels of one place.
template <typename T> class Column {
public:
    Column(const cudnnLRNStruct &desc, int64_t channels) : desc_(desc), x_(static_cast<size_t>(channels)) {
        denominator_ = gradient_ = x_;
    }

    void load(const T *x, int64_t stride) {
        for (size_t c = 0; c < x_.size(); ++c) x_[c] = static_cast<double>(x[static_cast<int64_t>(c) * stride]);
        for (size_t c = 0; c < x_.size(); ++c) {
            const Window window = window_of(desc_, static_cast<int64_t>(c), static_cast<int64_t>(x_.size()));
            double sum = 0;
            for (int64_t i = window.begin; i < window.end; ++i) sum += x_[static_cast<size_t>(i)] * x_[static_cast<size_t>(i)];
            denominator_[c] = desc_.k + desc_.alpha / desc_.n * sum;
        }
    }

    double output(size_t c) const { return x_[c] * std::pow(denominator_[c], -desc_.beta); }

    // d y_j / d x_i is the scale of x_i where i = j, less what x_i adds to the denominator of every j whose window holds i.
    const std::vector<double> &gradient(const T *dy, int64_t stride) {
        const auto channels = static_cast<int64_t>(x_.size());
        std::fill(gradient_.begin(), gradient_.end(), 0);
        for (int64_t j = 0; j < channels; ++j) {
            const auto index = static_cast<size_t>(j);
            const double up = static_cast<double>(dy[j * stride]), scale = std::pow(denominator_[index], -desc_.beta);
            gradient_[index] += up * scale;
            const double through = -2 * desc_.alpha / desc_.n * desc_.beta * up * x_[index] * scale / denominator_[index];
            const Window window = window_of(desc_, j, channels);
            for (int64_t i = window.begin; i < window.end; ++i) gradient_[static_cast<size_t>(i)] += through * x_[static_cast<size_t>(i)];
        }
        return gradient_;
    }

private:
    const cudnnLRNStruct &desc_;
    std::vector<double> x_, denominator_, gradient_;
};

View without_channels(View view) {
    view.dim[1] = 1;
    return view;
}

// Columns that are worth a thread; a tensor that was never set has none.
int64_t grain_of(const View &view) { return std::max<int64_t>(1, 2048 / std::max<int64_t>(view.dim[1], 1)); }

template <typename T> void forward(const cudnnLRNStruct &desc, const View &xv, const View &yv, const T *x, T *y, const Scaling &scaling) {
    const View from = without_channels(xv), to = without_channels(yv);
    parallel_for(from.elements(), grain_of(xv), [&](int64_t begin, int64_t end) {
        Column<T> column(desc, xv.dim[1]);
        for (int64_t i = begin; i < end; ++i) {
            column.load(x + from.offset_of(i), xv.stride[1]);
            T *target = y + to.offset_of(i);
            for (int64_t c = 0; c < xv.dim[1]; ++c) scaling.store(target[c * yv.stride[1]], column.output(static_cast<size_t>(c)));
        }
    });
}

struct Gradient {
    View x, dy, dx;
    Scaling scaling;
};

template <typename T> void backward(const cudnnLRNStruct &desc, const Gradient &g, const T *x, const T *dy, T *dx) {
    const View from = without_channels(g.x), up = without_channels(g.dy), to = without_channels(g.dx);
    parallel_for(from.elements(), grain_of(g.x), [&](int64_t begin, int64_t end) {
        Column<T> column(desc, g.x.dim[1]);
        for (int64_t i = begin; i < end; ++i) {
            column.load(x + from.offset_of(i), g.x.stride[1]);
            T *target = dx + to.offset_of(i);
            int64_t c = 0;
            for (const double value : column.gradient(dy + up.offset_of(i), g.dy.stride[1])) {
                g.scaling.store(target[c++ * g.dx.stride[1]], value);
            }
        }
    });
}

bool normalises(const cudnnTensorStruct &tensor) {
    const View view = view_of(tensor);
    const bool backwards = std::any_of(view.stride.begin(), view.stride.begin() + view.rank, [](int64_t s) { return s < 0; });
    return tensor.vector_channels == 1 && !backwards && (is_floating(view.type) ? view.type != CUDNN_DATA_BFLOAT16 : view.type == CUDNN_DATA_INT8);
}

bool same_tensors(const View &a, const View &b) { return a.same_dims(b) && a.type == b.type; }

// Whether the places of one channel lie together, which more than two spatial dimensions need.
bool places_are_packed(const View &view) {
    int64_t step = 1;
    for (int d = view.rank - 1; d >= 2; --d) {
        if (view.stride[d] != step) return false;
        step *= view.dim[d];
    }
    return true;
}

// Whether each dimension's step is no shorter than what the dimensions behind it span.
bool nests(const View &view) {
    int64_t span = 1;
    for (int d = view.rank - 1; d >= 0; --d) {
        if (view.dim[d] == 1) continue;
        if (view.stride[d] < span) return false;
        span = view.stride[d] * view.dim[d];
    }
    return true;
}

}  // namespace

extern "C" cudnnStatus_t cudnnCreateLRNDescriptor(cudnnLRNDescriptor_t *normDesc) {
    FP_CALL(normDesc);
    return call.create(normDesc);
}

extern "C" cudnnStatus_t cudnnDestroyLRNDescriptor(cudnnLRNDescriptor_t lrnDesc) {
    FP_CALL(lrnDesc);
    return call.destroy(lrnDesc);
}

extern "C" cudnnStatus_t cudnnSetLRNDescriptor(cudnnLRNDescriptor_t normDesc, unsigned lrnN, double lrnAlpha,
                                               double lrnBeta, double lrnK) {
    FP_CALL(normDesc, lrnN, lrnAlpha, lrnBeta, lrnK);
    FP_ALIVE(normDesc);
    FP_REQUIRE(lrnN >= CUDNN_LRN_MIN_N && lrnN <= CUDNN_LRN_MAX_N);
    FP_REQUIRE(!(lrnK < CUDNN_LRN_MIN_K || lrnBeta < CUDNN_LRN_MIN_BETA));  // a NaN passes, as in the real library
    normDesc->n = lrnN;
    normDesc->alpha = lrnAlpha;
    normDesc->beta = lrnBeta;
    normDesc->k = lrnK;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnGetLRNDescriptor(cudnnLRNDescriptor_t normDesc, unsigned *lrnN, double *lrnAlpha,
                                               double *lrnBeta, double *lrnK) {
    FP_CALL(normDesc, lrnN, lrnAlpha, lrnBeta, lrnK);
    FP_ALIVE(normDesc);
    if (lrnN) *lrnN = normDesc->n;
    if (lrnAlpha) *lrnAlpha = normDesc->alpha;
    if (lrnBeta) *lrnBeta = normDesc->beta;
    if (lrnK) *lrnK = normDesc->k;
    return call.ok();
}

extern "C" cudnnStatus_t cudnnLRNCrossChannelForward(cudnnHandle_t handle, cudnnLRNDescriptor_t normDesc,
                                                     cudnnLRNMode_t lrnMode, const void *alpha,
                                                     const cudnnTensorDescriptor_t xDesc, const void *x,
                                                     const void *beta, const cudnnTensorDescriptor_t yDesc, void *y) {
    FP_CALL(handle, normDesc, lrnMode, alpha, xDesc, x, beta, yDesc, y);
    FP_ALIVE(xDesc, yDesc);
    FP_REQUIRE(x != nullptr && y != nullptr);
    const View from = view_of(*xDesc), to = view_of(*yDesc);
    FP_REQUIRE(xDesc->rank == yDesc->rank && xDesc->rank > 2);
    FP_SUPPORTED(normalises(*xDesc) && normalises(*yDesc));
    FP_REQUIRE(from.rank > 2 && same_tensors(from, to));
    FP_REQUIRE(from.rank <= 4 || places_are_packed(from));
    FP_ALIVE(handle, normDesc);
    FP_REQUIRE(alpha != nullptr && beta != nullptr);
    FP_LAUNCHABLE();
    const Scaling scaling = read_scaling(alpha, beta, from.type);
    Kernel kernel(call);
    const void *source = kernel.read("x", x, from);
    void *target = kernel.write("y", y, to, scaling);
    if (!kernel.ready()) return call.ok();
    visit_type(from.type, [&](auto element) {
        using T = decltype(element);
        forward(*normDesc, from, to, static_cast<const T *>(source), static_cast<T *>(target), scaling);
    });
    return call.ok();
}

// y is not read: the denominators are computed from x again.
extern "C" cudnnStatus_t cudnnLRNCrossChannelBackward(cudnnHandle_t handle, cudnnLRNDescriptor_t normDesc,
                                                      cudnnLRNMode_t lrnMode, const void *alpha,
                                                      const cudnnTensorDescriptor_t yDesc, const void *y,
                                                      const cudnnTensorDescriptor_t dyDesc, const void *dy,
                                                      const cudnnTensorDescriptor_t xDesc, const void *x,
                                                      const void *beta, const cudnnTensorDescriptor_t dxDesc,
                                                      void *dx) {
    FP_CALL(handle, normDesc, lrnMode, alpha, yDesc, y, dyDesc, dy, xDesc, x, beta, dxDesc, dx);
    FP_ALIVE(dyDesc, xDesc);
    FP_REQUIRE(dy != nullptr && x != nullptr && dx != nullptr);
    FP_SUPPORTED(dxDesc != nullptr || view_of(*xDesc).same_dims(view_of(*dyDesc)));
    FP_ALIVE(dxDesc);
    Gradient g{view_of(*xDesc), view_of(*dyDesc), view_of(*dxDesc), {}};
    FP_REQUIRE(xDesc->rank > 2);
    FP_SUPPORTED(normalises(*xDesc) && normalises(*dyDesc) && normalises(*dxDesc));
    FP_SUPPORTED(g.x.rank > 2 && is_floating(g.x.type) && same_tensors(g.x, g.dx) && same_tensors(g.x, g.dy));
    FP_SUPPORTED(g.x.rank <= 4 || (places_are_packed(g.x) && nests(g.x)));
    FP_ALIVE(handle, normDesc);
    FP_REQUIRE(alpha != nullptr && beta != nullptr);
    FP_LAUNCHABLE();
    g.scaling = read_scaling(alpha, beta, g.x.type);
    Kernel kernel(call);
    const void *source = kernel.read("x", x, g.x), *incoming = kernel.read("dy", dy, g.dy);
    void *target = kernel.write("dx", dx, g.dx, g.scaling);
    if (!kernel.ready()) return call.ok();
    visit_type(g.x.type, [&](auto element) {
        using T = decltype(element);
        backward(*normDesc, g, static_cast<const T *>(source), static_cast<const T *>(incoming), static_cast<T *>(target));
    });
    return call.ok();
}
