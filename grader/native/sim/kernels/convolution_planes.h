// How a convolution reads its input: without padding, and in steps of one place from an output to the next.
//
// An input with padding, or under a stride, is copied into planes for that. Along a dimension, taps whose places differ
// by a multiple of the stride share a block; in it, output o of a tap reads entry o + shift. So the pixels of a row of
// the output are a run of places for every tap, and, with a few unused places between the rows, so are those of many.
#pragma once

#include "../cudnn/convolution.h"

namespace fpsim {

// One spatial dimension.
struct Axis {
    struct Tap {
        int64_t block, shift;
    };
    int64_t stride = 1;
    int64_t size = 1;            // entries of a block
    std::vector<int64_t> start;  // for each block the place of its entry 0; entry e is the place start + e * stride
    std::vector<Tap> taps;       // in the order of the filter
};

using Places = std::array<int64_t, CUDNN_DIM_MAX>;  // a number for each spatial dimension

// The planes of one image and channel. In memory: blocks of the first dimension, of the second …, then their entries.
struct PlaneLayout {
    // Entries [begin, end) of a row come from the input, at from + entry * step; the others are padding.
    struct Row {
        int64_t from, begin, end;
    };
    explicit PlaneLayout(const ConvolutionShape &shape);
    // All places that are read lie in the input.
    bool inside(const View &x) const;
    // The input is read where it is.
    void use_input(const ConvolutionShape &shape);
    int64_t row_size() const { return axes.back().size; }

    std::vector<Axis> axes;
    Places pitch{};        // elements from one entry to the next
    int64_t elements = 1;  // of all planes
    std::vector<Row> rows;
    int64_t row_step;      // in the input, from one entry of a row to the next
    std::vector<int64_t> tap_offset;

private:
    Row row_at(const View &x, int64_t index) const;
    int64_t offset_of_tap(int64_t tap) const;
};

// The pixels of an output as lines of places. A line joins rows where few unused places lie between them.
class Lines {
public:
    // Consecutive places: `column` counts from the first that was asked for.
    struct Segment {
        int64_t column, length, offset;
    };
    Lines(const ConvolutionShape &shape, const Places &pitch, int64_t image_pitch);
    int64_t places(int64_t images) const { return images * lines_ * length_; }
    // Segments of `count` places from `first` on; offset: where the first tap of the first channel reads.
    void find_segments(int64_t first, int64_t count, std::vector<Segment> &segments) const;
    // Those among them that are pixels, row by row; offset: where they lie in the first channel of the output.
    void find_pixels(int64_t first, int64_t count, std::vector<Segment> &rows) const;

private:
    // From a place of a line: how long its row, or the gap between rows, goes on; where the pixel lies in the output.
    struct RowEnd {
        bool pixels;
        int64_t length, offset;
    };
    RowEnd end_of_row(int64_t place) const;
    int64_t at_line(int64_t line, const Places &pitch, int64_t image_pitch) const;

    int spatial_, joined_;  // dimensions; the first one that lies within a line
    Places outputs_{}, pitch_, result_pitch_{};
    int64_t image_pitch_, result_image_pitch_;
    int64_t lines_ = 1, length_ = 1;  // of an image; places of a line
    Places joined_length_{};          // places of a part of a line, from this dimension on
};

}  // namespace fpsim
