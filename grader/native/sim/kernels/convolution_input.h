// The input of a convolution in the type of its sums, image by image.
#pragma once

#include "convolution_planes.h"
#include "gemm.h"

namespace fpsim {

// Calls `visit` with the element type of an operand of a convolution whose sums are kept in T.
template <typename T, typename Visit> void visit_operand(cudnnDataType_t type, Visit &&visit) {
    if constexpr (std::is_same_v<T, float>) {
        if (type == CUDNN_DATA_FLOAT) return visit(float{});
        return type == CUDNN_DATA_HALF ? visit(half{}) : visit(bfloat16{});
    } else {
        return type == CUDNN_DATA_DOUBLE ? visit(double{}) : visit(int8_t{});
    }
}

// The same for the result: integer convolutions may give other types, and fused ones go on with the sums themselves.
template <typename T, typename Visit> void visit_result(cudnnDataType_t type, Visit &&visit) {
    if constexpr (std::is_same_v<T, double>) {
        if (type == CUDNN_DATA_FLOAT) return visit(float{});
        if (type == CUDNN_DATA_INT32) return visit(int32_t{});
    }
    return visit_operand<T>(type, visit);
}

// The caller's memory where that will do, else planes that are filled from it.
template <typename T> class ConvolutionInput {
public:
    ConvolutionInput(const ConvolutionShape &s, const void *x) : x_(s.x), memory_(x), layout_(s) {
        if (is_planar(s)) {
            use_memory(s);
        } else {
            constexpr int64_t kMost = int64_t{1} << 22;  // elements that are copied at once
            channel_pitch_ = layout_.elements;
            image_pitch_ = channel_pitch_ * x_.dim[1];
            images_ = std::clamp<int64_t>(kMost / image_pitch_, 1, x_.dim[0]);
            copy_ = std::make_unique_for_overwrite<T[]>(static_cast<size_t>(images_ * image_pitch_));
        }
    }
    int64_t images() const { return images_; }  // that are loaded at once
    int64_t image_pitch() const { return image_pitch_; }
    const Places &pitch() const { return layout_.pitch; }

    // The first of `images` images: element `channel * channel_pitch() + tap_offset(tap)` is what a tap of the first output reads.
    const T *load(int64_t first, int64_t images) {
        if (!copy_) return static_cast<const T *>(memory_) + first * image_pitch_;
        visit_operand<T>(x_.type, [&](auto element) {
            const auto *from = static_cast<const decltype(element) *>(memory_) + first * x_.stride[0];
            const int64_t rows = std::ssize(layout_.rows);
            parallel_for(images * x_.dim[1] * rows, kThreadWork / 16 / layout_.row_size() + 1, [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) {
                    const int64_t plane = i / rows, image = plane / x_.dim[1], channel = plane % x_.dim[1];
                    T *to = copy_.get() + plane * channel_pitch_ + i % rows * layout_.row_size();
                    copy_row(from + image * x_.stride[0] + channel * x_.stride[1], layout_.rows[i % rows], to);
                }
            });
        });
        return copy_.get();
    }

    // Where each step of a group reads: a step is a tap and a channel, channels running faster.
    std::vector<int64_t> step_offsets(int64_t channels) const {
        std::vector<int64_t> offsets;
        for (const int64_t tap : layout_.tap_offset) {
            for (int64_t c = 0; c < channels; ++c) offsets.push_back(tap + c * channel_pitch_);
        }
        return offsets;
    }
    int64_t channel_pitch() const { return channel_pitch_; }

private:
    bool is_planar(const ConvolutionShape &s) const {
        const bool same = x_.type == (std::is_same_v<T, float> ? CUDNN_DATA_FLOAT : CUDNN_DATA_DOUBLE);
        return same && layout_.row_step == 1 && layout_.inside(s.x);
    }

    void use_memory(const ConvolutionShape &s) {
        channel_pitch_ = x_.stride[1];
        image_pitch_ = x_.stride[0];
        images_ = x_.dim[0];
        layout_.use_input(s);
    }

    template <typename E> void copy_row(const E *from, const PlaneLayout::Row &row, T *to) const {
        const int64_t step = layout_.row_step;
        std::fill_n(to, row.begin, T{0});
        if (step == 1) {
            for (int64_t e = row.begin; e < row.end; ++e) to[e] = static_cast<T>(from[row.from + e]);
        } else {
            for (int64_t e = row.begin; e < row.end; ++e) to[e] = static_cast<T>(from[row.from + e * step]);
        }
        std::fill(to + row.end, to + layout_.row_size(), T{0});
    }

    View x_;
    const void *memory_;
    PlaneLayout layout_;
    int64_t images_ = 1, image_pitch_ = 0, channel_pitch_ = 0;
    std::unique_ptr<T[]> copy_;
};

}  // namespace fpsim
