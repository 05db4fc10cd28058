// Pooling over planes of up to three spatial dimensions.
#include "../cudnn/pooling.h"

namespace fpsim {
namespace {

// The part of a window that lies inside the input, by dimension.
struct Window {
    std::array<int64_t, 3> begin, end;
    // Elements with the padding; none behind it, where only a y larger than the pooling's output has windows. There the
    // averages of cuDNN 9.19 leave no number on an H200 (0 / 0).
    int64_t whole = 1;
    // Elements without the padding. As in the real kernels an extent is negative where the window misses the input, so
    // that a window wholly in the padding averages to 0 or, at the edge, to 0 / 0.
    int64_t inside = 1;
};

Window window_at(const PoolingShape &s, const std::array<int64_t, 3> &at) {
    Window window{};
    for (int d = 0; d < 3; ++d) {
        const int64_t first = at[d] * s.step[d] - s.pad[d];
        window.whole *= first < s.x.size[d] + s.pad[d] ? s.window[d] : 0;
        window.inside *= std::min(first + s.window[d], s.x.size[d]) - std::max<int64_t>(first, 0);
        window.begin[d] = std::clamp<int64_t>(first, 0, s.x.size[d]);
        window.end[d] = std::clamp<int64_t>(first + s.window[d], window.begin[d], s.x.size[d]);
    }
    return window;
}

template <typename Visit> void for_each_in(const Window &window, const std::array<int64_t, 3> &stride, Visit visit) {
    for (int64_t a = window.begin[0]; a < window.end[0]; ++a) {
        for (int64_t b = window.begin[1]; b < window.end[1]; ++b) {
            const int64_t row = a * stride[0] + b * stride[1];
            for (int64_t c = window.begin[2]; c < window.end[2]; ++c) visit(row + c * stride[2]);
        }
    }
}

// Calls `visit(offset in y, window)` for every output of a plane, in order.
template <typename Visit> void for_each_output(const PoolingShape &s, Visit visit) {
    std::array<int64_t, 3> at;
    for (at[0] = 0; at[0] < s.y.size[0]; ++at[0]) {
        for (at[1] = 0; at[1] < s.y.size[1]; ++at[1]) {
            for (at[2] = 0; at[2] < s.y.size[2]; ++at[2]) {
                visit(at[0] * s.y.stride[0] + at[1] * s.y.stride[1] + at[2] * s.y.stride[2], window_at(s, at));
            }
        }
    }
}

bool is_max(cudnnPoolingMode_t mode) { return mode == CUDNN_POOLING_MAX || mode == CUDNN_POOLING_MAX_DETERMINISTIC; }

template <typename T> T maximum(const PoolingShape &s, const T *x, const Window &window) {
    using C = Compute<T>;
    C top = std::numeric_limits<C>::lowest();
    for_each_in(window, s.x.stride, [&](int64_t at) {
        const C value = static_cast<C>(x[at]);
        if (value > top || (s.propagate_nan && std::isnan(value))) top = value;
    });
    return to_element<T>(top);
}

template <typename T> Compute<T> average(const PoolingShape &s, const T *x, const Window &window) {
    Compute<T> sum = 0;
    for_each_in(window, s.x.stride, [&](int64_t at) { sum += static_cast<Compute<T>>(x[at]); });
    const bool padded = s.mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING;
    return sum / static_cast<Compute<T>>(padded ? window.whole : window.inside);
}

template <typename Body> void for_each_plane(const PoolingShape &s, const Body &body) {
    const int64_t outputs = s.y.size[0] * s.y.size[1] * s.y.size[2] * s.window[0] * s.window[1] * s.window[2];
    parallel_for(s.x.each.elements(), std::max<int64_t>(1, kElementGrain / std::max<int64_t>(1, outputs)),
                 [&](int64_t begin, int64_t end) {
                     for (int64_t i = begin; i < end; ++i) body(s.x.each.offset_of(i), s.y.each.offset_of(i));
                 });
}

// The gradient of one plane, summed in `sums` (one for each input, row-major).
template <typename T> class PlaneGradient {
public:
    PlaneGradient(const PoolingShape &s, const T *x, const T *dy) : s_(s), x_(x), dy_(dy) {
        sums_.resize(static_cast<size_t>(s.x.size[0] * s.x.size[1] * s.x.size[2]));
        row_ = {s.x.size[1] * s.x.size[2], s.x.size[2], 1};
    }

    const std::vector<Compute<T>> &sums() {
        for_each_output(s_, [&](int64_t at, const Window &window) {
            const Compute<T> up = static_cast<Compute<T>>(dy_[at]);
            is_max(s_.mode) ? to_maximum(window, up) : to_all(window, up);
        });
        return sums_;
    }

private:
    // The first of equal maxima gets all; nothing does where the whole window is padding.
    void to_maximum(const Window &window, Compute<T> up) {
        Compute<T> top = std::numeric_limits<Compute<T>>::lowest();
        int64_t winner = -1;
        for (int64_t a = window.begin[0]; a < window.end[0]; ++a) {
            for (int64_t b = window.begin[1]; b < window.end[1]; ++b) {
                for (int64_t c = window.begin[2]; c < window.end[2]; ++c) {
                    const auto value = static_cast<Compute<T>>(x_[a * s_.x.stride[0] + b * s_.x.stride[1] + c * s_.x.stride[2]]);
                    const bool better = winner < 0 || value > top || (s_.propagate_nan && std::isnan(value));
                    if (better) top = value, winner = a * row_[0] + b * row_[1] + c;
                }
            }
        }
        if (winner >= 0) sums_[static_cast<size_t>(winner)] += up;
    }

    void to_all(const Window &window, Compute<T> up) {
        const bool padded = s_.mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING;
        const Compute<T> share = up / static_cast<Compute<T>>(padded ? window.whole : window.inside);
        for_each_in(window, row_, [&](int64_t at) { sums_[static_cast<size_t>(at)] += share; });
    }

    const PoolingShape &s_;
    const T *x_, *dy_;
    std::array<int64_t, 3> row_;
    std::vector<Compute<T>> sums_;
};

template <typename T> void forward(const PoolingShape &s, const T *x, T *y, const Scaling &scaling) {
    for_each_plane(s, [&](int64_t from, int64_t to) {
        for_each_output(s, [&](int64_t at, const Window &window) {
            if (is_max(s.mode)) scaling.store(y[to + at], static_cast<Compute<T>>(maximum(s, x + from, window)));
            else scaling.store(y[to + at], average(s, x + from, window));
        });
    });
}

template <typename T>
void backward(const PoolingShape &s, const T *x, const T *dy, T *dx, const Scaling &scaling) {
    for_each_plane(s, [&](int64_t from, int64_t to) {
        PlaneGradient<T> plane(s, x + from, dy + to);
        auto sum = plane.sums().begin();
        const Window all{{0, 0, 0}, s.x.size, 1, 1};
        for_each_in(all, s.x.stride, [&](int64_t at) { scaling.store(dx[from + at], *sum++); });
    });
}

}  // namespace

void pool_forward(const PoolingShape &s, const void *x, void *y, const Scaling &scaling) {
    visit_type(s.type, [&](auto element) {
        using T = decltype(element);
        forward(s, static_cast<const T *>(x), static_cast<T *>(y), scaling);
    });
}

void pool_backward(const PoolingShape &s, const PoolingGradient &memory, const Scaling &scaling) {
    visit_type(s.type, [&](auto element) {
        using T = decltype(element);
        backward(s, static_cast<const T *>(memory.x), static_cast<const T *>(memory.dy), static_cast<T *>(memory.dx), scaling);
    });
}

}  // namespace fpsim
