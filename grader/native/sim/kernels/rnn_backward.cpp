// The gradient of a recurrent network's input and initial states. Leaves the gradients of the gates in the reserve space,
// from which the gradient of the weights is computed.
#include "rnn_layer.h"

namespace fpsim {
namespace {

template <typename T, typename E> class Backward {
public:
    Backward(const RnnProblem &problem, const RnnBackward &memory)
        : p_(problem), rnn_(problem.rnn), m_(memory), layout_(rnn_layout(problem.rnn)),
          reserve_(problem.rnn, problem.batch, memory.reserve), y_(gather<T>(problem.y, problem.batch, static_cast<const E *>(memory.y))) {}

    void run() {
        std::vector<T> up = gather<T>(p_.y, p_.batch, static_cast<const E *>(m_.dy));
        for (int layer = rnn_.layers - 1; layer >= 0; --layer) {
            std::vector<T> down(static_cast<size_t>(p_.batch.steps * rnn_.width(layer)));
            for (int d = 0; d < rnn_.directions(); ++d) run_direction(layer, d, up, down);
            if (layer > 0 && rnn_.dropout) through_dropout(layer - 1, down);
            up = std::move(down);
        }
        scatter(p_.x, p_.batch, up, static_cast<E *>(m_.dx));
    }

private:
    void through_dropout(int layer, std::vector<T> &gradient) const {
        const unsigned char *mask = reserve_.mask(layer);
        const T scale = static_cast<T>(dropout_scale(rnn_.dropout->rate));
        for (size_t i = 0; i < gradient.size(); ++i) gradient[i] = (mask[i / 8] >> (i % 8) & 1) != 0 ? gradient[i] * scale : T{0};
    }

    void run_direction(int layer, int direction, const std::vector<T> &up, std::vector<T> &down) {
        pseudo_ = layer * rnn_.directions() + direction;
        layer_ = layer, direction_ = direction;
        const RnnParameters<T> parameters(layout_[static_cast<size_t>(pseudo_)], static_cast<const E *>(m_.weights));
        const int batch = p_.batch.batch();
        const bool lstm = rnn_.cell == CUDNN_LSTM;
        RnnState<T> dh(m_.dhy, pseudo_, batch, rnn_.outputs(), E{}), dc(lstm ? m_.dcy : nullptr, pseudo_, batch, rnn_.hidden, E{});
        RnnState<T> hx(m_.hx, pseudo_, batch, rnn_.outputs(), E{}), cx(lstm ? m_.cx : nullptr, pseudo_, batch, rnn_.hidden, E{});
        gates_.assign(static_cast<size_t>(p_.batch.steps * rnn_.gates() * rnn_.hidden), T{0});
        const RnnWalk walk(p_.batch, direction == 1);
        for (int turn = walk.turns() - 1; turn >= 0; --turn) {
            const std::vector<int> active = walk.active(turn);
            std::vector<T> recurrent(active.size() * static_cast<size_t>(rnn_.gates() * rnn_.hidden));
            for (size_t row = 0; row < active.size(); ++row) {
                const int b = active[row];
                const int64_t step = walk.step(b, turn), before = turn > 0 ? walk.step(b, turn - 1) : -1;
                const T *from = up.data() + step * p_.y.width + direction * rnn_.outputs();
                for (int k = 0; k < rnn_.outputs(); ++k) dh.row(b)[k] += from[k];
                T *out = recurrent.data() + static_cast<int64_t>(row) * rnn_.gates() * rnn_.hidden;
                retreat({step, before, dh.row(b), dc.row(b), hx.row(b), cx.row(b), out}, parameters);
            }
            through_state(active, parameters, recurrent, dh);
        }
        dh.store(m_.dhx, pseudo_, p_.batch, E{});
        if (lstm) dc.store(m_.dcx, pseudo_, p_.batch, E{});
        through_input(parameters, down);
    }

    // One step of one sequence. `dh` holds the gradient of the step's output and is left as what reaches the state before
    // without the recurrent matrix; `recurrent` receives the gradients of the gates as the recurrent matrix sees them.
    struct Step {
        int64_t step, before;  // before: -1 at the first
        T *dh, *dc;
        const T *hx, *cx;
        T *recurrent;
    };

    T kept(int64_t step, int vector, int j) const { return static_cast<T>(reserve_.kept(pseudo_, vector)[step * rnn_.hidden + j]); }
    void replace(int64_t step, int vector, int j, T value) const { reserve_.kept(pseudo_, vector)[step * rnn_.hidden + j] = to_element<E>(value); }
    // Output `j` of this layer and direction at a step.
    T output(int64_t step, int j) const {
        const int64_t at = step * p_.y.width + direction_ * rnn_.outputs() + j;
        return layer_ + 1 == rnn_.layers ? y_[static_cast<size_t>(at)] : static_cast<T>(reserve_.between(layer_)[at]);
    }
    T *gates(int64_t step) { return gates_.data() + step * rnn_.gates() * rnn_.hidden; }

    void retreat(const Step &s, const RnnParameters<T> &parameters) {
        if (rnn_.cell == CUDNN_LSTM) return lstm(s, parameters);
        for (int j = 0; j < rnn_.hidden; ++j) {
            if (rnn_.cell == CUDNN_GRU) {
                gru(s, j);
            } else {
                const T h = kept(s.step, 0, j), slope = rnn_.cell == CUDNN_RNN_RELU ? (h > 0 ? T{1} : T{0}) : 1 - h * h;
                gates(s.step)[j] = s.recurrent[j] = s.dh[j] * slope;
                replace(s.step, 0, j, s.recurrent[j]);
                s.dh[j] = 0;
            }
        }
    }

    void gru(const Step &s, int j) {
        const int n = rnn_.hidden;
        const T reset = kept(s.step, 0, j), update = kept(s.step, 1, j), fresh = kept(s.step, 2, j), inner = kept(s.step, 3, j);
        const T before = s.before < 0 ? s.hx[j] : output(s.before, j);
        const T d_fresh = s.dh[j] * (1 - update) * (1 - fresh * fresh);
        const T d_reset = d_fresh * inner * reset * (1 - reset);
        const T d_update = s.dh[j] * (before - fresh) * update * (1 - update);
        T *g = gates(s.step);
        g[j] = s.recurrent[j] = d_reset;
        g[n + j] = s.recurrent[n + j] = d_update;
        g[2 * n + j] = d_fresh;
        s.recurrent[2 * n + j] = d_fresh * reset;
        replace(s.step, 0, j, d_reset), replace(s.step, 1, j, d_update), replace(s.step, 2, j, d_fresh);
        replace(s.step, 3, j, d_fresh * reset);
        s.dh[j] *= update;
    }

    void lstm(const Step &s, const RnnParameters<T> &parameters) {
        const int n = rnn_.hidden;
        const std::vector<T> d_result = before_projection(s, parameters);
        T *g = gates(s.step);
        for (int j = 0; j < n; ++j) {
            const T input = kept(s.step, 0, j), forget = kept(s.step, 1, j), fresh = kept(s.step, 2, j), out = kept(s.step, 3, j);
            const T now = kept(s.step, 4, j), before = s.before < 0 ? s.cx[j] : kept(s.before, 4, j);
            const T used = clipped(rnn_, before), cell = std::tanh(clipped(rnn_, now));
            const T up = d_result[static_cast<size_t>(j)];
            const T dc = s.dc[j] + (clipped(rnn_, now) == now ? up * out * (1 - cell * cell) : T{0});
            const T values[4] = {dc * fresh * input * (1 - input), dc * used * forget * (1 - forget),
                                 dc * input * (1 - fresh * fresh), up * cell * out * (1 - out)};
            for (int k = 0; k < 4; ++k) {
                g[k * n + j] = s.recurrent[k * n + j] = values[k];
                replace(s.step, k, j, values[k]);
            }
            s.dc[j] = used == before ? dc * forget : T{0};
        }
        std::fill_n(s.dh, rnn_.outputs(), T{0});
    }

    std::vector<T> before_projection(const Step &s, const RnnParameters<T> &parameters) const {
        const int n = rnn_.hidden;
        if (!rnn_.projects()) return std::vector<T>(s.dh, s.dh + n);
        std::vector<T> gradient(static_cast<size_t>(n));
        for (int k = 0; k < rnn_.projected; ++k) {
            reserve_.projected(pseudo_)[s.step * rnn_.projected + k] = to_element<E>(s.dh[k]);
            for (int j = 0; j < n; ++j) gradient[static_cast<size_t>(j)] += s.dh[k] * parameters.projection[static_cast<size_t>(k * n + j)];
        }
        return gradient;
    }

    void through_state(const std::vector<int> &active, const RnnParameters<T> &parameters, const std::vector<T> &recurrent, RnnState<T> &dh) const {
        const int64_t rows = static_cast<int64_t>(active.size()), gates = int64_t{rnn_.gates()} * rnn_.hidden, outputs = rnn_.outputs();
        std::vector<T> sums(static_cast<size_t>(rows * outputs));
        matmul<T>(rows, outputs, gates, {recurrent.data(), gates, 1}, {parameters.recurrent.data(), outputs, 1}, sums.data(), outputs, false);
        for (int64_t row = 0; row < rows; ++row) {
            T *to = dh.row(active[static_cast<size_t>(row)]);
            for (int64_t k = 0; k < outputs; ++k) to[k] += sums[static_cast<size_t>(row * outputs + k)];
        }
    }

    void through_input(const RnnParameters<T> &parameters, std::vector<T> &down) const {
        const int64_t steps = p_.batch.steps, gates = int64_t{rnn_.gates()} * rnn_.hidden, width = rnn_.width(layer_);
        if (rnn_.has_input_matrix(layer_)) {
            return matmul<T>(steps, width, gates, {gates_.data(), gates, 1}, {parameters.input.data(), width, 1}, down.data(), width, true);
        }
        for (int64_t i = 0; i < steps * gates; ++i) {
            down[static_cast<size_t>(i / gates * width + i % gates % rnn_.hidden)] += gates_[static_cast<size_t>(i)];
        }
    }

    const RnnProblem &p_;
    const cudnnRNNStruct &rnn_;
    const RnnBackward &m_;
    std::vector<RnnLayerLayout> layout_;
    RnnReserve<E> reserve_;
    std::vector<T> y_, gates_;
    int pseudo_ = 0, layer_ = 0, direction_ = 0;
};

}  // namespace

void rnn_backward_data(const RnnProblem &problem, const RnnBackward &memory) {
    visit_rnn_types(problem.rnn.type, [&](auto compute, auto element) {
        Backward<decltype(compute), decltype(element)>(problem, memory).run();
    });
}

}  // namespace fpsim
