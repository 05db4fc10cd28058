// Normalisation with statistics of its own or given ones, and its gradient.
#include "../cudnn/batch_norm.h"

namespace fpsim {
namespace {

// Calls `body(i, group's offset in x)` for every group, from several threads.
template <typename Body> void for_each_group(const NormGroups &groups, const Body &body) {
    const int64_t grain = std::max<int64_t>(1, kElementGrain / 4 / groups.count());
    parallel_for(groups.each.elements(), grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) body(i, groups.each.offset_of(i));
    });
}

template <typename T> using Param = std::conditional_t<std::is_same_v<T, double>, double, float>;

struct Statistics {
    double mean, variance;  // of the group, not of the population
};

template <typename T> Statistics statistics_of(const NormGroups &groups, const T *x) {
    const auto count = static_cast<double>(groups.count());
    double sum = 0, squares = 0;
    for_each_offset([&](int64_t at) { sum += static_cast<double>(x[at]); }, groups.over);
    const double mean = sum / count;
    for_each_offset([&](int64_t at) {
        const double apart = static_cast<double>(x[at]) - mean;
        squares += apart * apart;
    }, groups.over);
    return {mean, squares / count};
}

// y = alpha * act(factor * x + shift + z) + beta * y for one group.
template <typename T> struct Affine {
    const NormEpilogue &epilogue;
    const Scaling &scaling;
    double factor, shift;

    void run(const View &from, const T *x, const View &to, T *y, const T *z) const {
        using C = Compute<T>;
        for_each_offset([&](int64_t yi, int64_t xi) {
            C value = static_cast<C>(factor * static_cast<double>(x[xi]) + shift);
            if (z) value += static_cast<C>(z[yi]);
            scaling.store(y[yi], epilogue.activation ? activate<C>(*epilogue.activation, value) : value);
        }, to, from);
    }
};

template <typename T> const T *at(const void *memory, int64_t offset) {
    return memory ? static_cast<const T *>(memory) + offset : nullptr;
}

template <typename T> void mix(void *running, int64_t offset, double factor, double value) {
    if (!running) return;
    T &target = static_cast<T *>(running)[offset];
    target = static_cast<T>(factor == 1 ? value : (1 - factor) * static_cast<double>(target) + factor * value);
}

template <typename T> void put(void *memory, int64_t offset, double value) {
    if (memory) static_cast<T *>(memory)[offset] = static_cast<T>(value);
}

// Sums over one group of what the gradients need.
struct Sums {
    double dy = 0, dy_x = 0;  // dy_x: dy times the normalised input
};

template <typename T> class Backward {
public:
    using P = Param<T>;
    Backward(const NormShape &shape, const View &dy, const NormGradient &memory)
        : s_(shape), m_(memory), x_(norm_groups(shape.x, shape.per_activation)),
          dy_(norm_groups(dy, shape.per_activation)), dx_(norm_groups(shape.y, shape.per_activation)) {}

    void run() const {
        for_each_group(x_, [&](int64_t i, int64_t offset) { run_group(i, offset); });
    }

private:
    double up(int64_t at) const {
        const bool blocked = m_.y && !(static_cast<double>(static_cast<const T *>(m_.y)[at]) > 0);
        return blocked ? 0 : static_cast<double>(static_cast<const T *>(m_.dy)[at]);
    }

    Statistics saved(int64_t param, const T *x, double &inverse) const {
        if (m_.saved_mean) {
            inverse = static_cast<double>(static_cast<const P *>(m_.saved_inverse)[param]);
            return {static_cast<double>(static_cast<const P *>(m_.saved_mean)[param]), 0};
        }
        const Statistics found = statistics_of(x_, x);
        inverse = 1 / std::sqrt(found.variance + s_.epsilon);
        return found;
    }

    void run_group(int64_t i, int64_t offset) const {
        const T *x = static_cast<const T *>(m_.x) + offset;
        const int64_t base = dy_.each.offset_of(i), param = s_.params.offset_of(i);
        double inverse = 0;
        const double mean = saved(param, x, inverse).mean;
        Sums sums;
        for_each_offset([&](int64_t xi, int64_t di) {
            const double grad = up(base + di);
            sums.dy += grad;
            sums.dy_x += grad * (static_cast<double>(x[xi]) - mean) * inverse;
        }, x_.over, dy_.over);
        const auto count = static_cast<double>(x_.count());
        const double factor = static_cast<double>(static_cast<const P *>(m_.scale)[param]) * inverse;
        T *dx = static_cast<T *>(m_.dx) + dx_.each.offset_of(i);
        for_each_offset([&](int64_t target, int64_t xi, int64_t di) {
            const double hat = (static_cast<double>(x[xi]) - mean) * inverse;
            const double grad = up(base + di);
            m_.data.store(dx[target], factor * (grad - (sums.dy + hat * sums.dy_x) / count));
            if (m_.dz) static_cast<T *>(m_.dz)[base + di] = to_element<T>(grad);
        }, dx_.over, x_.over, dy_.over);
        m_.params.store(static_cast<P *>(m_.dscale)[param], sums.dy_x);
        m_.params.store(static_cast<P *>(m_.dbias)[param], sums.dy);
    }

    const NormShape &s_;
    const NormGradient &m_;
    NormGroups x_, dy_, dx_;
};

template <typename T>
void infer(const NormShape &s, const NormInference &m, const NormEpilogue &epilogue, const Scaling &scaling) {
    using P = Param<T>;
    const NormGroups from = norm_groups(s.x, s.per_activation), to = norm_groups(s.y, s.per_activation);
    for_each_group(from, [&](int64_t i, int64_t offset) {
        const int64_t param = s.params.offset_of(i), target = to.each.offset_of(i);
        const auto value = [&](const void *memory) { return static_cast<double>(static_cast<const P *>(memory)[param]); };
        const double factor = value(m.scale) / std::sqrt(value(m.variance) + s.epsilon);
        const Affine<T> affine{epilogue, scaling, factor, value(m.bias) - factor * value(m.mean)};
        affine.run(from.over, static_cast<const T *>(m.x) + offset, to.over, static_cast<T *>(m.y) + target,
                   at<T>(epilogue.z, target));
    });
}

// The running variance is that of the population: the group's times count / (count - 1), so NaN for
// a single value, as on a real device.
template <typename T>
void train(const NormShape &s, const NormTraining &m, const NormEpilogue &epilogue, const Scaling &scaling) {
    using P = Param<T>;
    const NormGroups from = norm_groups(s.x, s.per_activation), to = norm_groups(s.y, s.per_activation);
    const auto count = static_cast<double>(from.count());
    for_each_group(from, [&](int64_t i, int64_t offset) {
        const T *x = static_cast<const T *>(m.x) + offset;
        const int64_t param = s.params.offset_of(i), target = to.each.offset_of(i);
        const Statistics found = statistics_of(from, x);
        const double inverse = 1 / std::sqrt(found.variance + s.epsilon);
        const double factor = static_cast<double>(static_cast<const P *>(m.scale)[param]) * inverse;
        const double bias = static_cast<double>(static_cast<const P *>(m.bias)[param]);
        const Affine<T> affine{epilogue, scaling, factor, bias - factor * found.mean};
        affine.run(from.over, x, to.over, static_cast<T *>(m.y) + target, at<T>(epilogue.z, target));
        mix<P>(m.running_mean, param, m.factor, found.mean);
        mix<P>(m.running_variance, param, m.factor, found.variance * count / (count - 1));
        put<P>(m.saved_mean, param, found.mean);
        put<P>(m.saved_inverse, param, inverse);
    });
}

}  // namespace

void normalise(const NormShape &s, const NormInference &memory, const NormEpilogue &epilogue, const Scaling &scaling) {
    visit_type(s.x.type, [&](auto element) { infer<decltype(element)>(s, memory, epilogue, scaling); });
}

void normalise_batch(const NormShape &s, const NormTraining &memory, const NormEpilogue &epilogue, const Scaling &scaling) {
    visit_type(s.x.type, [&](auto element) { train<decltype(element)>(s, memory, epilogue, scaling); });
}

void normalise_backward(const NormShape &s, const View &dy, const NormGradient &memory) {
    visit_type(s.x.type, [&](auto element) { Backward<decltype(element)>(s, dy, memory).run(); });
}

}  // namespace fpsim
