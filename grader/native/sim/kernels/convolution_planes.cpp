// Which places of its input a convolution reads, and where a copy with padding has them.
#include "convolution_planes.h"

#include <algorithm>
#include <numeric>

namespace fpsim {
namespace {

int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Where the first output of a dimension meets this tap.
int64_t place_of_tap(const ConvolutionShape &s, int d, int64_t tap) {
    return (s.flipped ? s.w.dim[d + 2] - 1 - tap : tap) * s.dilation[d] - s.pad[d];
}

Axis make_axis(const ConvolutionShape &s, int d) {
    const int64_t window = s.w.dim[d + 2], outputs = s.y.dim[d + 2], stride = s.stride[d];
    const auto place = [&](int64_t tap) { return place_of_tap(s, d, tap); };
    const auto phase = [&](int64_t tap) { return place(tap) - floor_divide(place(tap), stride) * stride; };
    std::vector<int64_t> order(static_cast<size_t>(window));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return std::pair(phase(a), place(a)) < std::pair(phase(b), place(b));
    });
    Axis axis{stride, outputs, {}, std::vector<Axis::Tap>(order.size())};
    if (window == 0) axis.start.push_back(0);
    int64_t last = 0;
    for (const int64_t tap : order) {
        const bool far = phase(tap) != phase(last) || place(tap) - place(last) > outputs * stride;
        if (axis.start.empty() || far) axis.start.push_back(place(tap));
        const int64_t shift = (place(tap) - axis.start.back()) / stride;
        axis.taps[static_cast<size_t>(tap)] = {std::ssize(axis.start) - 1, shift};
        axis.size = std::max(axis.size, shift + outputs);
        last = tap;
    }
    return axis;
}

}  // namespace

PlaneLayout::PlaneLayout(const ConvolutionShape &s) : row_step(s.stride[s.spatial - 1] * s.x.stride[s.spatial + 1]) {
    for (int d = 0; d < s.spatial; ++d) axes.push_back(make_axis(s, d));
    for (int d = s.spatial - 1; d >= 0; --d) {
        pitch[static_cast<size_t>(d)] = elements;
        elements *= axes[static_cast<size_t>(d)].size;
    }
    for (const Axis &axis : axes) elements *= std::ssize(axis.start);
    for (int64_t i = 0; i < elements / row_size(); ++i) rows.push_back(row_at(s.x, i));
    for (int64_t tap = 0; tap < s.taps(); ++tap) tap_offset.push_back(offset_of_tap(tap));
}

void PlaneLayout::use_input(const ConvolutionShape &s) {
    for (int d = 0; d < s.spatial; ++d) pitch[d] = s.stride[d] * s.x.stride[d + 2];
    for (int64_t tap = 0; tap < s.taps(); ++tap) {
        tap_offset[tap] = 0;
        int64_t rest = tap;
        for (int d = s.spatial - 1; d >= 0; --d) {
            const int64_t at = rest % s.w.dim[d + 2];
            tap_offset[tap] += place_of_tap(s, d, at) * s.x.stride[d + 2];
            rest /= s.w.dim[d + 2];
        }
    }
}

bool PlaneLayout::inside(const View &x) const {
    for (int d = 0; d < static_cast<int>(axes.size()); ++d) {
        const Axis &axis = axes[d];
        for (const int64_t start : axis.start) {
            if (start < 0 || start + (axis.size - 1) * axis.stride >= x.dim[d + 2]) return false;
        }
    }
    return true;
}

PlaneLayout::Row PlaneLayout::row_at(const View &x, int64_t index) const {
    Places entry{};
    const int last = static_cast<int>(axes.size()) - 1;
    for (int d = last - 1; d >= 0; --d) {
        entry[d] = index % axes[d].size;
        index /= axes[d].size;
    }
    Row row{0, 0, row_size()};
    for (int d = last; d >= 0; --d) {
        const Axis &axis = axes[d];
        const int64_t start = axis.start[index % std::ssize(axis.start)], size = x.dim[d + 2];
        index /= std::ssize(axis.start);
        const int64_t place = start + entry[d] * axis.stride;
        row.from += place * x.stride[d + 2];
        if (d == last) {
            row.begin = std::clamp<int64_t>(-floor_divide(start, axis.stride), 0, axis.size);
            row.end = std::clamp<int64_t>(-floor_divide(start - size, axis.stride), row.begin, axis.size);
        } else if (place < 0 || place >= size) {
            row.begin = row.end = 0;
        }
    }
    return row;
}

int64_t PlaneLayout::offset_of_tap(int64_t tap) const {
    int64_t offset = 0, blocks = elements;
    for (const Axis &axis : axes) blocks /= std::ssize(axis.start);  // elements of one block
    for (int d = static_cast<int>(axes.size()) - 1; d >= 0; --d) {
        const Axis::Tap &at = axes[d].taps[tap % std::ssize(axes[d].taps)];
        tap /= std::ssize(axes[d].taps);
        offset += at.block * blocks + at.shift * pitch[d];
        blocks *= std::ssize(axes[d].start);
    }
    return offset;
}

Lines::Lines(const ConvolutionShape &s, const Places &pitch, int64_t image_pitch)
    : spatial_(s.spatial), joined_(s.spatial), pitch_(pitch), image_pitch_(image_pitch),
      result_image_pitch_(s.y.stride[0]) {
    for (int d = 0; d < spatial_; ++d) {
        outputs_[d] = s.y.dim[d + 2];
        result_pitch_[d] = s.y.stride[d + 2];
        lines_ *= outputs_[d];
    }
    // At most two of seven places are unused: a segment more in a panel costs about as much.
    int64_t pixels = 1;
    joined_length_.fill(1);
    while (joined_ > 0) {
        const int d = joined_ - 1;
        const int64_t longer = (outputs_[d] - 1) * pitch_[d] + length_;
        pixels *= outputs_[d];
        const bool ordered = outputs_[d] == 1 || (joined_ == spatial_ ? pitch_[d] == 1 : pitch_[d] >= length_);
        if (!ordered || 5 * longer > 7 * pixels) break;
        joined_ = d;
        joined_length_[d] = length_ = longer;
        lines_ /= outputs_[d];
    }
}

int64_t Lines::at_line(int64_t line, const Places &pitch, int64_t image_pitch) const {
    int64_t offset = 0;
    for (int d = joined_ - 1; d >= 0; --d) {
        offset += line % outputs_[d] * pitch[d];
        line /= outputs_[d];
    }
    return offset + line * image_pitch;
}

void Lines::find_segments(int64_t first, int64_t count, std::vector<Segment> &segments) const {
    segments.clear();
    for (int64_t column = 0; column < count;) {
        const int64_t line = (first + column) / length_, place = (first + column) % length_;
        const int64_t length = std::min(count - column, length_ - place);
        segments.push_back({column, length, at_line(line, pitch_, image_pitch_) + place});
        column += length;
    }
}

void Lines::find_pixels(int64_t first, int64_t count, std::vector<Segment> &rows) const {
    rows.clear();
    for (int64_t column = 0; column < count;) {
        const int64_t line = (first + column) / length_, place = (first + column) % length_;
        const RowEnd row = end_of_row(place);
        const int64_t length = std::min(count - column, row.length);
        if (row.pixels) rows.push_back({column, length, at_line(line, result_pitch_, result_image_pitch_) + row.offset});
        column += length;
    }
}

Lines::RowEnd Lines::end_of_row(int64_t place) const {
    RowEnd row{true, 1, 0};
    for (int d = joined_; d < spatial_; ++d) {
        const int64_t at = outputs_[d] == 1 ? 0 : place / pitch_[d];
        place -= at * pitch_[d];
        if (place >= joined_length_[d + 1]) return {false, pitch_[d] - place, 0};
        row.offset += at * result_pitch_[d];
        row.length = outputs_[d] - at;
    }
    return row;
}

}  // namespace fpsim
