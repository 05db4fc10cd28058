// The forward pass of a recurrent network, layer by layer.
#include "rnn_layer.h"

namespace fpsim {
namespace {

template <typename T, typename E> class Forward {
public:
    Forward(const RnnProblem &problem, const RnnForward &memory)
        : p_(problem), rnn_(problem.rnn), m_(memory), layout_(rnn_layout(problem.rnn)),
          reserve_(problem.rnn, problem.batch, memory.reserve) {}

    void run() {
        std::vector<T> values = gather<T>(p_.x, p_.batch, static_cast<const E *>(m_.x));
        for (int layer = 0; layer < rnn_.layers; ++layer) {
            std::vector<T> out(static_cast<size_t>(p_.batch.steps * p_.y.width));
            for (int d = 0; d < rnn_.directions(); ++d) run_direction(layer, d, values, out);
            if (reserve_ && layer + 1 < rnn_.layers) keep_output(layer, out);
            values = std::move(out);
        }
        scatter(p_.y, p_.batch, values, static_cast<E *>(m_.y));
    }

private:
    // Keeps the output before dropout; applies dropout to what the next layer reads.
    void keep_output(int layer, std::vector<T> &out) {
        E *kept = reserve_.between(layer);
        for (size_t i = 0; i < out.size(); ++i) kept[i] = to_element<E>(out[i]);
        if (!rnn_.dropout) return;
        unsigned char *mask = reserve_.mask(layer);
        std::memset(mask, 0, (out.size() + 7) / 8);
        const T scale = static_cast<T>(dropout_scale(m_.dropout_rate));
        for (size_t i = 0; i < out.size(); ++i) {
            const bool keep = dropout_keeps({m_.dropout.seed, m_.dropout.draws + static_cast<uint64_t>(layer)},
                                            static_cast<int64_t>(i), m_.dropout_rate);
            if (keep) mask[i / 8] = static_cast<unsigned char>(mask[i / 8] | 1U << (i % 8));
            out[i] = keep ? out[i] * scale : T{0};
        }
    }

    // The part of all gates that comes from the input, for all steps at once.
    std::vector<T> input_part(int layer, const RnnParameters<T> &parameters, const std::vector<T> &in) const {
        const int64_t steps = p_.batch.steps, gates = int64_t{rnn_.gates()} * rnn_.hidden, width = rnn_.width(layer);
        std::vector<T> sums(static_cast<size_t>(steps * gates));
        for (int64_t i = 0; i < steps && !parameters.input_bias.empty(); ++i) {
            std::copy(parameters.input_bias.begin(), parameters.input_bias.end(), sums.begin() + i * gates);
        }
        if (rnn_.has_input_matrix(layer)) {
            matmul<T>(steps, gates, width, {in.data(), width, 1}, {parameters.input.data(), 1, width}, sums.data(), gates, true);
            return sums;
        }
        for (int64_t i = 0; i < steps * gates; ++i) {
            sums[static_cast<size_t>(i)] += in[static_cast<size_t>(i / gates * width + i % gates % rnn_.hidden)];
        }
        return sums;
    }

    void run_direction(int layer, int direction, const std::vector<T> &in, std::vector<T> &out) {
        pseudo_ = layer * rnn_.directions() + direction;
        const RnnParameters<T> parameters(layout_[static_cast<size_t>(pseudo_)], static_cast<const E *>(m_.weights));
        const std::vector<T> input = input_part(layer, parameters, in);
        const int batch = p_.batch.batch(), outputs = rnn_.outputs();
        const int64_t gates = int64_t{rnn_.gates()} * rnn_.hidden;
        RnnState<T> h(m_.hx, pseudo_, batch, outputs, E{});
        RnnState<T> c(rnn_.cell == CUDNN_LSTM ? m_.cx : nullptr, pseudo_, batch, rnn_.hidden, E{});
        const RnnWalk walk(p_.batch, direction == 1);
        for (int turn = 0; turn < walk.turns(); ++turn) {
            const std::vector<int> active = walk.active(turn);
            std::vector<T> recurrent = recurrent_part(active, parameters, h);
            for (size_t row = 0; row < active.size(); ++row) {
                const int64_t step = walk.step(active[row], turn);
                const T *from_input = input.data() + step * gates;
                T *from_state = recurrent.data() + static_cast<int64_t>(row) * gates;
                T *state = h.row(active[row]);
                advance(step, from_input, from_state, state, c.row(active[row]), parameters);
                std::copy_n(state, outputs, out.data() + step * p_.y.width + direction * outputs);
            }
        }
        h.store(m_.hy, pseudo_, p_.batch, E{});
        if (rnn_.cell == CUDNN_LSTM) c.store(m_.cy, pseudo_, p_.batch, E{});
    }

    std::vector<T> recurrent_part(const std::vector<int> &active, const RnnParameters<T> &parameters, RnnState<T> &h) const {
        const int64_t rows = static_cast<int64_t>(active.size()), gates = int64_t{rnn_.gates()} * rnn_.hidden;
        const int64_t outputs = rnn_.outputs();
        std::vector<T> states(static_cast<size_t>(rows * outputs)), sums(static_cast<size_t>(rows * gates));
        for (int64_t row = 0; row < rows; ++row) {
            std::copy_n(h.row(active[static_cast<size_t>(row)]), outputs, states.begin() + row * outputs);
            std::copy(parameters.recurrent_bias.begin(), parameters.recurrent_bias.end(), sums.begin() + row * gates);
        }
        matmul<T>(rows, gates, outputs, {states.data(), outputs, 1}, {parameters.recurrent.data(), 1, outputs}, sums.data(), gates, true);
        return sums;
    }

    void advance(int64_t step, const T *x, const T *r, T *h, T *c, const RnnParameters<T> &parameters) {
        if (rnn_.cell == CUDNN_LSTM) return lstm(step, x, r, h, c, parameters);
        for (int j = 0; j < rnn_.hidden; ++j) {
            if (rnn_.cell == CUDNN_GRU) {
                gru(step, j, x, r, h);
            } else {
                const T sum = x[j] + r[j];
                h[j] = rnn_.cell == CUDNN_RNN_RELU ? std::max(sum, T{0}) : std::tanh(sum);
                keep(step, j, 0, h[j]);
            }
        }
    }

    // Gates: reset, update, new.
    void gru(int64_t step, int j, const T *x, const T *r, T *h) {
        const int n = rnn_.hidden;
        const T reset = sigmoid(x[j] + r[j]), update = sigmoid(x[n + j] + r[n + j]), inner = r[2 * n + j];
        const T fresh = std::tanh(x[2 * n + j] + reset * inner);
        h[j] = (1 - update) * fresh + update * h[j];
        keep(step, j, 0, reset), keep(step, j, 1, update), keep(step, j, 2, fresh), keep(step, j, 3, inner);
    }

    // Gates: input, forget, new, output.
    void lstm(int64_t step, const T *x, const T *r, T *h, T *c, const RnnParameters<T> &parameters) {
        const int n = rnn_.hidden;
        std::vector<T> result(static_cast<size_t>(n));
        for (int j = 0; j < n; ++j) {
            const T input = sigmoid(x[j] + r[j]), forget = sigmoid(x[n + j] + r[n + j]);
            const T fresh = std::tanh(x[2 * n + j] + r[2 * n + j]), output = sigmoid(x[3 * n + j] + r[3 * n + j]);
            c[j] = forget * clipped(rnn_, c[j]) + input * fresh;
            result[static_cast<size_t>(j)] = output * std::tanh(clipped(rnn_, c[j]));
            keep(step, j, 0, input), keep(step, j, 1, forget), keep(step, j, 2, fresh), keep(step, j, 3, output);
            keep(step, j, 4, c[j]);
        }
        if (!rnn_.projects()) return static_cast<void>(std::copy(result.begin(), result.end(), h));
        for (int j = 0; j < n && reserve_; ++j) reserve_.unprojected(pseudo_)[step * n + j] = to_element<E>(result[static_cast<size_t>(j)]);
        for (int k = 0; k < rnn_.projected; ++k) {
            T sum = 0;
            for (int j = 0; j < n; ++j) sum += parameters.projection[static_cast<size_t>(k * n + j)] * result[static_cast<size_t>(j)];
            h[k] = sum;
        }
    }

    void keep(int64_t step, int j, int vector, T value) {
        if (reserve_) reserve_.kept(pseudo_, vector)[step * rnn_.hidden + j] = to_element<E>(value);
    }

    const RnnProblem &p_;
    const cudnnRNNStruct &rnn_;
    const RnnForward &m_;
    std::vector<RnnLayerLayout> layout_;
    RnnReserve<E> reserve_;
    int pseudo_ = 0;
};

}  // namespace

void rnn_forward(const RnnProblem &problem, const RnnForward &memory) {
    visit_rnn_types(problem.rnn.type, [&](auto compute, auto element) {
        Forward<decltype(compute), decltype(element)>(problem, memory).run();
    });
}

}  // namespace fpsim
