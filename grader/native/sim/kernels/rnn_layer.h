// What the passes through a recurrent network share. E is the type in memory, T that of the computation.
#pragma once

#include "../cudnn/rnn.h"
#include "gemm.h"

namespace fpsim {

template <typename T, typename E> void load(const E *from, int64_t count, T *to) {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(from[i]);
}

template <typename T, typename E> std::vector<T> load(const E *from, int64_t count) {
    std::vector<T> values(static_cast<size_t>(count));
    load(from, count, values.data());
    return values;
}

// Vectors of a data descriptor, one after the other: sequence by sequence.
template <typename T, typename E>
std::vector<T> gather(const cudnnRNNDataStruct &data, const RnnBatch &batch, const E *memory) {
    std::vector<T> values(static_cast<size_t>(batch.steps * data.width));
    for (int b = 0; b < batch.batch(); ++b) {
        for (int t = 0; t < batch.lengths[static_cast<size_t>(b)]; ++t) {
            load(memory + rnn_vector_offset(data, b, t), data.width, values.data() + batch.step(b, t) * data.width);
        }
    }
    return values;
}

// The reverse; padding becomes the descriptor's fill value where it has one.
template <typename T, typename E>
void scatter(const cudnnRNNDataStruct &data, const RnnBatch &batch, const std::vector<T> &values, E *memory) {
    E fill;
    std::memcpy(&fill, data.fill.data(), sizeof fill);
    const bool packed = data.layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED;
    for (int b = 0; b < batch.batch(); ++b) {
        const int length = batch.lengths[static_cast<size_t>(b)];
        for (int t = 0; t < (packed ? length : data.longest); ++t) {
            E *to = memory + rnn_vector_offset(data, b, t);
            const T *from = values.data() + batch.step(b, t) * data.width;
            for (int i = 0; i < data.width; ++i) {
                if (t < length) to[i] = to_element<E>(from[i]);
                else if (data.fills) to[i] = fill;
            }
        }
    }
}

// The cell state as it is used: clipped. The state that is kept and given back is not (measured on an H200).
template <typename T> T clipped(const cudnnRNNStruct &rnn, T cell) {
    if (rnn.clip != CUDNN_RNN_CLIP_MINMAX) return cell;
    return std::clamp(cell, static_cast<T>(rnn.clip_low), static_cast<T>(rnn.clip_high));
}

// The parameters of one layer in one direction.
template <typename T> struct RnnParameters {
    std::vector<T> input, recurrent, projection, input_bias, recurrent_bias;

    template <typename E> RnnParameters(const RnnLayerLayout &layout, const E *weights) {
        const auto take = [weights](const RnnBlock &block) { return load<T>(weights + block.offset, block.rows * block.columns); };
        input = take(layout.input);
        recurrent = take(layout.recurrent);
        projection = take(layout.projection);
        input_bias = take(layout.input_bias);
        recurrent_bias = take(layout.recurrent_bias);
    }
};

// The reserve space: what each layer keeps, then the outputs of all layers but the last, then their dropout masks.
template <typename E> class RnnReserve {
public:
    RnnReserve(const cudnnRNNStruct &rnn, const RnnBatch &batch, void *memory)
        : rnn_(rnn), steps_(batch.steps), memory_(static_cast<E *>(memory)) {}

    explicit operator bool() const { return memory_ != nullptr; }
    // steps x hidden
    E *kept(int pseudo_layer, int vector) const { return layer(pseudo_layer) + vector * steps_ * rnn_.hidden; }
    // What an LSTM projects (steps x hidden), and the gradient of the result (steps x projected).
    E *unprojected(int pseudo_layer) const { return kept(pseudo_layer, rnn_.kept_vectors()); }
    E *projected(int pseudo_layer) const { return unprojected(pseudo_layer) + steps_ * rnn_.hidden; }
    // steps x (outputs * directions) of layer `index`
    E *between(int index) const { return layer(rnn_.pseudo_layers()) + index * between_elements(); }
    unsigned char *mask(int index) const {
        auto *masks = reinterpret_cast<unsigned char *>(between(rnn_.layers - 1));
        return masks + index * ((between_elements() + 7) / 8);
    }

private:
    int64_t between_elements() const { return int64_t{rnn_.outputs()} * rnn_.directions() * steps_; }
    E *layer(int pseudo_layer) const {
        const int64_t extra = rnn_.projects() ? rnn_.hidden + rnn_.projected : 0;
        return memory_ + pseudo_layer * (int64_t{rnn_.kept_vectors()} * rnn_.hidden + extra) * steps_;
    }

    const cudnnRNNStruct &rnn_;
    int64_t steps_;
    E *memory_;
};

// Walks the time steps of a batch in one direction. Turn s is the s-th step of every sequence that has so many.
class RnnWalk {
public:
    RnnWalk(const RnnBatch &batch, bool backwards) : batch_(batch), backwards_(backwards) {}

    int turns() const { return batch_.longest; }
    std::vector<int> active(int turn) const {
        std::vector<int> sequences;
        for (int b = 0; b < batch_.batch(); ++b) {
            if (batch_.lengths[static_cast<size_t>(b)] > turn) sequences.push_back(b);
        }
        return sequences;
    }
    int64_t step(int sequence, int turn) const {
        const int last = batch_.lengths[static_cast<size_t>(sequence)] - 1;
        return batch_.step(sequence, backwards_ ? last - turn : turn);
    }

private:
    const RnnBatch &batch_;
    bool backwards_;
};

// One vector for each sequence: a hidden or cell state, or its gradient.
template <typename T> class RnnState {
public:
    template <typename E> RnnState(const void *memory, int pseudo_layer, int batch, int width, const E &)
        : width_(width), values_(static_cast<size_t>(batch) * static_cast<size_t>(width)) {
        if (memory) load(static_cast<const E *>(memory) + int64_t{pseudo_layer} * batch * width, int64_t{batch} * width, values_.data());
    }
    T *row(int sequence) { return values_.data() + int64_t{sequence} * width_; }
    // Sequences without steps get zero, as in the real library.
    template <typename E> void store(void *memory, int pseudo_layer, const RnnBatch &batch, const E &) {
        if (!memory) return;
        E *to = static_cast<E *>(memory) + int64_t{pseudo_layer} * batch.batch() * width_;
        for (int b = 0; b < batch.batch(); ++b) {
            const bool empty = batch.lengths[static_cast<size_t>(b)] == 0;
            for (int i = 0; i < width_; ++i) *to++ = to_element<E>(empty ? T{0} : row(b)[i]);
        }
    }

private:
    int width_;
    std::vector<T> values_;
};

// Calls `visit(T, E)` with the types for a network of data type `type`.
template <typename Visit> void visit_rnn_types(cudnnDataType_t type, Visit visit) {
    visit_type(type, [&](auto element) {
        using E = decltype(element);
        if constexpr (!std::is_integral_v<E>) visit(std::conditional_t<std::is_same_v<E, double>, double, float>{}, element);
    });
}

}  // namespace fpsim
