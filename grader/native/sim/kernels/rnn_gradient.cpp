// The gradient of a recurrent network's weights, from what the backward pass left in the reserve space.
#include "rnn_layer.h"

namespace fpsim {
namespace {

template <typename T, typename E> class Gradient {
public:
    Gradient(const RnnProblem &problem, const RnnGradient &memory)
        : p_(problem), rnn_(problem.rnn), m_(memory), layout_(rnn_layout(problem.rnn)),
          reserve_(problem.rnn, problem.batch, const_cast<void *>(memory.reserve)) {}

    void run() {
        const std::vector<T> y = gather<T>(p_.y, p_.batch, static_cast<const E *>(m_.y));
        std::vector<T> in = gather<T>(p_.x, p_.batch, static_cast<const E *>(m_.x));
        for (int layer = 0; layer < rnn_.layers; ++layer) {
            const bool last = layer + 1 == rnn_.layers;
            std::vector<T> out = last ? y : load<T>(reserve_.between(layer), p_.batch.steps * p_.y.width);
            for (int d = 0; d < rnn_.directions(); ++d) run_direction(layer, d, in, out);
            if (!last && rnn_.dropout) drop(layer, out);
            in = std::move(out);
        }
    }

private:
    void drop(int layer, std::vector<T> &out) const {
        const unsigned char *mask = reserve_.mask(layer);
        const T scale = static_cast<T>(dropout_scale(rnn_.dropout->rate));
        for (size_t i = 0; i < out.size(); ++i) out[i] = (mask[i / 8] >> (i % 8) & 1) != 0 ? out[i] * scale : T{0};
    }

    // The gradients of the gates, steps x (gates * hidden). The recurrent matrix of a GRU sees another one of the new gate.
    std::vector<T> gates(int pseudo, bool recurrent) const {
        const int count = rnn_.gates(), n = rnn_.hidden;
        std::vector<T> values(static_cast<size_t>(p_.batch.steps * count * n));
        for (int k = 0; k < count; ++k) {
            const int vector = rnn_.cell == CUDNN_GRU && k == 2 && recurrent ? 3 : k;
            const E *from = reserve_.kept(pseudo, vector);
            for (int64_t step = 0; step < p_.batch.steps; ++step) load(from + step * n, n, values.data() + (step * count + k) * n);
        }
        return values;
    }

    // The state before each step, steps x outputs.
    std::vector<T> states_before(int pseudo, int direction, const std::vector<T> &out) const {
        const int outputs = rnn_.outputs();
        std::vector<T> states(static_cast<size_t>(p_.batch.steps * outputs));
        RnnState<T> first(m_.hx, pseudo, p_.batch.batch(), outputs, E{});
        const RnnWalk walk(p_.batch, direction == 1);
        for (int turn = 0; turn < walk.turns(); ++turn) {
            for (const int b : walk.active(turn)) {
                const T *from = turn == 0 ? first.row(b) : out.data() + walk.step(b, turn - 1) * p_.y.width + direction * outputs;
                std::copy_n(from, outputs, states.data() + walk.step(b, turn) * outputs);
            }
        }
        return states;
    }

    // Adds left^T * right to a block: left is steps x rows, right steps x columns.
    void add_product(const RnnBlock &block, const std::vector<T> &left, const std::vector<T> &right) const {
        if (block.rows == 0) return;
        std::vector<T> sums(static_cast<size_t>(block.rows * block.columns));
        matmul<T>(block.rows, block.columns, p_.batch.steps, {left.data(), 1, block.rows}, {right.data(), block.columns, 1},
                  sums.data(), block.columns, false);
        add(block, sums);
    }

    void add_sum(const RnnBlock &block, const std::vector<T> &values) const {
        if (block.rows == 0) return;
        std::vector<T> sums(static_cast<size_t>(block.rows));
        for (size_t i = 0; i < values.size(); ++i) sums[i % sums.size()] += values[i];
        add(block, sums);
    }

    void add(const RnnBlock &block, const std::vector<T> &sums) const {
        E *to = static_cast<E *>(m_.dweights) + block.offset;
        for (const T value : sums) {
            *to = to_element<E>(static_cast<T>(*to) + value);
            ++to;
        }
    }

    void run_direction(int layer, int direction, const std::vector<T> &in, const std::vector<T> &out) const {
        const int pseudo = layer * rnn_.directions() + direction;
        const RnnLayerLayout &layout = layout_[static_cast<size_t>(pseudo)];
        const std::vector<T> from_input = gates(pseudo, false), from_state = gates(pseudo, true);
        add_product(layout.input, from_input, in);
        add_product(layout.recurrent, from_state, states_before(pseudo, direction, out));
        add_sum(layout.input_bias, from_input);
        add_sum(layout.recurrent_bias, from_state);
        if (layout.projection.rows == 0) return;
        add_product(layout.projection, load<T>(reserve_.projected(pseudo), p_.batch.steps * rnn_.projected),
                    load<T>(reserve_.unprojected(pseudo), p_.batch.steps * rnn_.hidden));
    }

    const RnnProblem &p_;
    const cudnnRNNStruct &rnn_;
    const RnnGradient &m_;
    std::vector<RnnLayerLayout> layout_;
    RnnReserve<E> reserve_;
};

}  // namespace

void rnn_backward_weights(const RnnProblem &problem, const RnnGradient &memory) {
    visit_rnn_types(problem.rnn.type, [&](auto compute, auto element) {
        Gradient<decltype(compute), decltype(element)>(problem, memory).run();
    });
}

}  // namespace fpsim
