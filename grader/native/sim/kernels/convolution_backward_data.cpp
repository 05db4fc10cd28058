// The gradient of a convolution's input, as convolutions of dy.
//
// Under a stride, the places of dx fall into classes by their remainder. A class sees only those taps of the filter that
// lead to it, and for these it is a convolution of dy with stride 1.
#include <numeric>

#include "../cudnn/convolution_backward.h"

namespace fpsim {
namespace {

// Along one dimension: the places `rest`, `rest + stride`, … of dx, and the taps first, first + step, … of the window.
struct Class {
    int64_t rest, places;
    int64_t first, step, taps;
    int64_t pad, dilation;
};

Class make_class(const ConvolutionShape &s, int d, int64_t rest) {
    const int64_t window = s.w.dim[d + 2], stride = s.stride[d], dilation = s.dilation[d], at = rest + s.pad[d];
    const int64_t step = stride / std::gcd(stride, dilation);
    int64_t first = 0;
    while (first < window && first < step && (at - first * dilation) % stride != 0) ++first;
    const int64_t taps = first < std::min(window, step) ? (window - first + step - 1) / step : 0;
    // Place rest + j * stride meets dy at j + (at - tap * dilation) / stride: least for the last tap.
    const int64_t last = first + (taps - 1) * step;
    const int64_t pad = taps == 0 ? 0 : -(at - last * dilation) / stride;
    return {rest, (s.x.dim[d + 2] - rest + stride - 1) / stride, first, step, taps, pad, step * dilation / stride};
}

// One class as a convolution of dy, without groups.
struct ClassProblem {
    ConvolutionShape shape;
    int64_t filter_offset = 0, result_offset = 0;
};

// The filter's dimensions 0 and 1 change places, and its window is turned.
ClassProblem plain_problem(const ConvolutionShape &s) {
    ClassProblem problem{s};
    ConvolutionShape &p = problem.shape;
    std::swap(p.x, p.y);
    std::swap(p.w.stride[0], p.w.stride[1]);
    p.w.dim[0] = p.y.dim[1] = s.group_inputs();
    p.w.dim[1] = p.x.dim[1] = s.group_outputs();
    p.groups = 1;
    p.flipped = !s.flipped;
    p.family = TypeFamily::none;  // sums in float or double, whatever the convolution computes in
    p.stride.fill(1);
    return problem;
}

void narrow(ClassProblem &problem, const ConvolutionShape &s, int d, const Class &c) {
    ConvolutionShape &p = problem.shape;
    p.pad[d] = static_cast<int>(c.pad);
    p.dilation[d] = static_cast<int>(c.dilation);
    const int64_t first = s.flipped ? s.w.dim[d + 2] - 1 - (c.first + (c.taps - 1) * c.step) : c.first;
    problem.filter_offset += first * s.w.stride[d + 2];
    p.w.dim[d + 2] = c.taps;
    p.w.stride[d + 2] *= c.step;
    problem.result_offset += c.rest * s.x.stride[d + 2];
    p.y.dim[d + 2] = c.places;
    p.y.stride[d + 2] *= s.stride[d];
}

// The class with this number, counted over the remainders of all dimensions.
ClassProblem class_problem(const ConvolutionShape &s, int64_t number) {
    ClassProblem problem = plain_problem(s);
    for (int d = s.spatial - 1; d >= 0; --d) {
        const int64_t remainders = std::min<int64_t>(s.stride[d], s.x.dim[d + 2]);
        narrow(problem, s, d, make_class(s, d, number % remainders));
        number /= remainders;
    }
    return problem;
}

template <typename E>
void convolve_classes(const ConvolutionShape &s, const E *w, const E *dy, E *dx, const Scaling &scaling) {
    using T = Compute<E>;
    int64_t classes = 1;
    for (int d = 0; d < s.spatial; ++d) classes *= std::min<int64_t>(s.stride[d], s.x.dim[d + 2]);
    for (int64_t number = 0; number < classes; ++number) {
        const ClassProblem problem = class_problem(s, number);
        for (int64_t group = 0; group < s.groups; ++group) {
            const E *filter = w + group * s.group_outputs() * s.w.stride[0] + problem.filter_offset;
            const E *incoming = dy + group * s.group_outputs() * s.y.stride[1];
            E *target = dx + group * s.group_inputs() * s.x.stride[1] + problem.result_offset;
            const auto convolve = s.half_steps ? convolve_halves : convolve_gemm<T>;
            convolve(problem.shape, incoming, filter, target, scaling);
        }
    }
}

}  // namespace

void convolve_backward_data(const ConvolutionShape &s, const void *w, const void *dy, void *dx, const Scaling &scaling) {
    visit_type(s.x.type, [&](auto element) {
        using E = decltype(element);
        if constexpr (!std::is_integral_v<E>) {
            convolve_classes(s, static_cast<const E *>(w), static_cast<const E *>(dy), static_cast<E *>(dx), scaling);
        }
    });
}

}  // namespace fpsim
