// Convolution by its definition: any types, strides and number of spatial dimensions.
#include "../cudnn/convolution.h"

namespace fpsim {
namespace {

template <typename T> struct Problem {
    const ConvolutionShape &shape;
    const T *x;
    const T *w;
};

// The sum for the output at `index` (N, K, spatial).
template <typename T> Compute<T> sum_at(const Problem<T> &problem, const int64_t *index) {
    const ConvolutionShape &s = problem.shape;
    const int64_t per_group = s.w.dim[0] / s.groups;
    const int64_t first_channel = index[1] / per_group * s.w.dim[1];
    Compute<T> sum = 0;
    View window = s.w;
    window.dim[0] = 1;
    int64_t at[CUDNN_DIM_MAX] = {};
    for (int64_t i = 0, count = window.elements(); i < count; ++i) {
        int64_t rest = i;
        int64_t x_offset = index[0] * s.x.stride[0];
        int64_t w_offset = index[1] * s.w.stride[0];
        bool inside = true;
        for (int d = s.spatial + 1; d >= 2; --d) {
            at[d] = rest % s.w.dim[d];
            rest /= s.w.dim[d];
            const int64_t tap = s.flipped ? s.w.dim[d] - 1 - at[d] : at[d];
            const int64_t place = index[d] * s.stride[d - 2] - s.pad[d - 2] + tap * s.dilation[d - 2];
            inside = inside && place >= 0 && place < s.x.dim[d];
            x_offset += place * s.x.stride[d];
            w_offset += at[d] * s.w.stride[d];
        }
        if (!inside) continue;
        x_offset += (first_channel + rest) * s.x.stride[1];
        w_offset += rest * s.w.stride[1];
        sum += static_cast<Compute<T>>(problem.x[x_offset]) * static_cast<Compute<T>>(problem.w[w_offset]);
    }
    return sum;
}

template <typename T, typename Y>
void convolve_as(const ConvolutionShape &s, const void *x, const void *w, void *y, const Scaling &scaling) {
    const Problem<T> problem{s, static_cast<const T *>(x), static_cast<const T *>(w)};
    parallel_for(s.y.elements(), 256, [&](int64_t begin, int64_t end) {
        int64_t index[CUDNN_DIM_MAX];
        for (int64_t i = begin; i < end; ++i) {
            int64_t rest = i;
            for (int d = s.y.rank - 1; d >= 0; --d) {
                index[d] = rest % s.y.dim[d];
                rest /= s.y.dim[d];
            }
            scaling.store(static_cast<Y *>(y)[s.y.offset_of(i)], sum_at(problem, index));
        }
    });
}

}  // namespace

void convolve_generic(const ConvolutionShape &s, const void *x, const void *w, void *y, const Scaling &scaling) {
    visit_type(s.x.type, [&](auto element) {
        using T = decltype(element);
        // Integer convolutions, and fused ones that go on with the sums, take other types than that of the input.
        if constexpr (!std::is_same_v<T, double>) {
            if (s.y.type == CUDNN_DATA_FLOAT) return convolve_as<T, float>(s, x, w, y, scaling);
        }
        if constexpr (std::is_same_v<T, int8_t>) {
            if (s.y.type == CUDNN_DATA_INT32) return convolve_as<T, int32_t>(s, x, w, y, scaling);
            if (s.y.type == CUDNN_DATA_DOUBLE) return convolve_as<T, double>(s, x, w, y, scaling);
        }
        convolve_as<T, T>(s, x, w, y, scaling);
    });
}

}  // namespace fpsim
