// Tensors as dimensions and strides.
#include <algorithm>

#include "sim.h"

namespace fpsim {
namespace {

// Descriptors larger than any memory are allowed. Their sizes stop here, so that no access to memory seems to fit.
constexpr int64_t kMost = int64_t{1} << 56;

int64_t bounded(int64_t value) { return std::clamp(value, -kMost, kMost); }
int64_t times(int64_t a, int64_t b) {
    int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) return (a < 0) == (b < 0) ? kMost : -kMost;
    return bounded(product);
}
int64_t plus(int64_t a, int64_t b) { return bounded(a + b); }

}  // namespace

int64_t View::elements() const {
    int64_t count = rank > 0 ? 1 : 0;
    for (int d = 0; d < rank; ++d) count = times(count, dim[d]);
    return count;
}

int64_t View::low() const {
    int64_t first = 0;
    for (int d = 0; d < rank; ++d) first = plus(first, std::min<int64_t>(0, times(dim[d] - 1, stride[d])));
    return empty() ? 0 : times(first, static_cast<int64_t>(element_size(type)));
}

int64_t View::high() const {
    int64_t last = 0;
    for (int d = 0; d < rank; ++d) last = plus(last, std::max<int64_t>(0, times(dim[d] - 1, stride[d])));
    return empty() ? 0 : times(plus(last, 1), static_cast<int64_t>(element_size(type)));
}

// The extent of overlapping strides is smaller than the number of elements, that of gaps larger.
bool View::dense() const { return plus(high(), times(low(), -1)) == times(elements(), static_cast<int64_t>(element_size(type))); }

// Some dimension's step is shorter than what the smaller steps span.
bool View::overlaps() const {
    std::vector<std::pair<int64_t, int64_t>> steps;  // stride, dimension
    for (int d = 0; d < rank; ++d) {
        if (dim[d] > 1) steps.emplace_back(std::abs(stride[d]), dim[d]);
    }
    std::sort(steps.begin(), steps.end());
    int64_t span = 1;
    for (const auto &[step, count] : steps) {
        if (step < span) return true;
        span = plus(span, times(count - 1, step));
    }
    return false;
}

bool View::same_dims(const View &other) const {
    return rank == other.rank && std::equal(dim.begin(), dim.begin() + rank, other.dim.begin());
}

bool View::same_strides(const View &other) const {
    return rank == other.rank && std::equal(stride.begin(), stride.begin() + rank, other.stride.begin());
}

int64_t View::offset_of(int64_t index) const {
    int64_t offset = 0;
    for (int d = rank - 1; d >= 0; --d) {
        offset += index % dim[d] * stride[d];
        index /= dim[d];
    }
    return offset;
}

View packed_view(cudnnDataType_t type, int rank, const int64_t *dim) {
    View view;
    view.type = type;
    view.rank = rank;
    int64_t step = 1;
    for (int d = rank - 1; d >= 0; --d) {
        view.dim[d] = dim[d];
        view.stride[d] = step;
        step *= dim[d];
    }
    return view;
}

namespace {

View channels_last_view(cudnnDataType_t type, int rank, const int64_t *dim) {
    View view = packed_view(type, rank, dim);
    int64_t step = dim[1];
    for (int d = rank - 1; d >= 2; --d) {
        view.stride[d] = step;
        step *= dim[d];
    }
    view.stride[1] = 1;
    view.stride[0] = step;
    return view;
}

// A stride in a dimension of 1 is never used, so it says nothing about the layout.
bool same_layout(const View &a, const View &b) {
    for (int d = 0; d < a.rank; ++d) {
        if (a.dim[d] != 1 && a.stride[d] != b.stride[d]) return false;
    }
    return true;
}

}  // namespace

// A descriptor that refused its settings may have kept a rank and not the dimensions: it describes no tensor (rank 0).
View view_of(const cudnnTensorStruct &tensor) {
    View view;
    view.type = tensor.type;
    if (std::any_of(tensor.dim.begin(), tensor.dim.begin() + tensor.rank, [](int64_t d) { return d <= 0; })) return view;
    view.rank = tensor.rank;
    for (int d = 0; d < tensor.rank; ++d) {
        view.dim[d] = tensor.dim[d];
        view.stride[d] = tensor.stride[d];
    }
    return view;
}

View view_of(const cudnnFilterStruct &filter) {
    const bool whole = std::all_of(filter.dim.begin(), filter.dim.begin() + filter.rank, [](int64_t d) { return d > 0; });
    if (!whole) {
        View nothing;
        nothing.type = filter.type;
        return nothing;
    }
    int64_t dim[CUDNN_DIM_MAX];
    std::copy(filter.dim.begin(), filter.dim.end(), dim);
    if (filter.format == CUDNN_TENSOR_NHWC) return channels_last_view(filter.type, filter.rank, dim);
    return packed_view(filter.type, filter.rank, dim);
}

bool is_nhwc(const View &view) {
    return view.rank >= 3 && same_layout(view, channels_last_view(view.type, view.rank, view.dim.data()));
}

bool is_nchw(const View &view) {
    return view.rank >= 1 && same_layout(view, packed_view(view.type, view.rank, view.dim.data()));
}

}  // namespace fpsim
