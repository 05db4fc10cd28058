// Pointwise operations in operation graphs.
#include <numbers>

#include "backend.h"

namespace fpsim {
namespace {

// What an operation computes of each element. The numbers are those of the descriptor.
struct Pointwise {
    cudnnPointwiseMode_t mode;
    double lower, upper, slope;  // of RELU
    double elu_alpha, softplus_beta, swish_beta;
    bool propagate;

    explicit Pointwise(const BackendNode &d)
        : mode(d.get<cudnnPointwiseMode_t>(CUDNN_ATTR_POINTWISE_MODE)), lower(d.get<double>(CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP, 0)),
          upper(d.get<double>(CUDNN_ATTR_POINTWISE_RELU_UPPER_CLIP, std::numeric_limits<double>::infinity())),
          slope(d.get<double>(CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP_SLOPE, 0)), elu_alpha(d.get<double>(CUDNN_ATTR_POINTWISE_ELU_ALPHA, 1)),
          softplus_beta(d.get<double>(CUDNN_ATTR_POINTWISE_SOFTPLUS_BETA, 1)), swish_beta(d.get<double>(CUDNN_ATTR_POINTWISE_SWISH_BETA, 1)),
          propagate(d.get<int>(CUDNN_ATTR_POINTWISE_NAN_PROPAGATION, 0) == CUDNN_PROPAGATE_NAN) {}

    double relu(double x) const {
        if (std::isnan(x)) return propagate ? x : lower;
        return x < lower ? lower + slope * (x - lower) : std::min(x, upper);
    }
    double gelu_tanh(double x) const { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x))); }
    double gelu(double x) const { return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2)); }
};

double activation(const Pointwise &p, double x) {
    switch (p.mode) {
        case CUDNN_POINTWISE_RELU_FWD: return p.relu(x);
        case CUDNN_POINTWISE_TANH_FWD: return std::tanh(x);
        case CUDNN_POINTWISE_SIGMOID_FWD: return sigmoid(x);
        case CUDNN_POINTWISE_ELU_FWD: return x < 0 ? p.elu_alpha * std::expm1(x) : x;
        case CUDNN_POINTWISE_GELU_FWD: return p.gelu(x);
        case CUDNN_POINTWISE_SOFTPLUS_FWD: return std::log1p(std::exp(p.softplus_beta * x)) / p.softplus_beta;
        case CUDNN_POINTWISE_SWISH_FWD: return x * sigmoid(p.swish_beta * x);
        default: return p.gelu_tanh(x);
    }
}

// The gradient of an activation: dy times its slope at x.
double gradient(const Pointwise &p, double x, double dy) {
    switch (p.mode) {
        case CUDNN_POINTWISE_RELU_BWD: return dy * (x < p.lower ? p.slope : x < p.upper ? 1 : 0);
        case CUDNN_POINTWISE_TANH_BWD: return dy * (1 - std::tanh(x) * std::tanh(x));
        case CUDNN_POINTWISE_SIGMOID_BWD: return dy * sigmoid(x) * (1 - sigmoid(x));
        case CUDNN_POINTWISE_ELU_BWD: return dy * (x < 0 ? p.elu_alpha * std::exp(x) : 1);
        case CUDNN_POINTWISE_SOFTPLUS_BWD: return dy * sigmoid(p.softplus_beta * x);
        case CUDNN_POINTWISE_SWISH_BWD: {
            const double s = sigmoid(p.swish_beta * x);
            return dy * (s + p.swish_beta * x * s * (1 - s));
        }
        case CUDNN_POINTWISE_GELU_BWD: {
            const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
            return dy * (0.5 * (1 + std::erf(x / std::numbers::sqrt2)) + x * density);
        }
        default: {
            const double c = std::sqrt(2 / std::numbers::pi), t = std::tanh(c * (x + 0.044715 * x * x * x));
            return dy * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * c * (1 + 3 * 0.044715 * x * x));
        }
    }
}

double unary(cudnnPointwiseMode_t mode, double x) {
    switch (mode) {
        case CUDNN_POINTWISE_ABS: return std::fabs(x);
        case CUDNN_POINTWISE_CEIL: return std::ceil(x);
        case CUDNN_POINTWISE_COS: return std::cos(x);
        case CUDNN_POINTWISE_EXP: return std::exp(x);
        case CUDNN_POINTWISE_FLOOR: return std::floor(x);
        case CUDNN_POINTWISE_LOG: return std::log(x);
        case CUDNN_POINTWISE_NEG: return -x;
        case CUDNN_POINTWISE_RSQRT: return 1 / std::sqrt(x);
        case CUDNN_POINTWISE_SIN: return std::sin(x);
        case CUDNN_POINTWISE_SQRT: return std::sqrt(x);
        case CUDNN_POINTWISE_TAN: return std::tan(x);
        case CUDNN_POINTWISE_ERF: return std::erf(x);
        case CUDNN_POINTWISE_RECIPROCAL: return 1 / x;
        case CUDNN_POINTWISE_LOGICAL_NOT: return x == 0 ? 1 : 0;
        default: return x;
    }
}

double binary(cudnnPointwiseMode_t mode, double x, double b) {
    switch (mode) {
        case CUDNN_POINTWISE_ADD: return x + b;
        case CUDNN_POINTWISE_ADD_SQUARE: return x + b * b;
        case CUDNN_POINTWISE_DIV: return x / b;
        case CUDNN_POINTWISE_MAX: return std::fmax(x, b);
        case CUDNN_POINTWISE_MIN: return std::fmin(x, b);
        case CUDNN_POINTWISE_MOD: return std::fmod(x, b);
        case CUDNN_POINTWISE_MUL: return x * b;
        case CUDNN_POINTWISE_POW: return std::pow(x, b);
        case CUDNN_POINTWISE_SUB: return x - b;
        case CUDNN_POINTWISE_ATAN2: return std::atan2(x, b);
        case CUDNN_POINTWISE_CMP_EQ: return x == b;
        case CUDNN_POINTWISE_CMP_NEQ: return x != b;
        case CUDNN_POINTWISE_CMP_GT: return x > b;
        case CUDNN_POINTWISE_CMP_GE: return x >= b;
        case CUDNN_POINTWISE_CMP_LT: return x < b;
        case CUDNN_POINTWISE_CMP_LE: return x <= b;
        case CUDNN_POINTWISE_LOGICAL_AND: return x != 0 && b != 0;
        default: return x != 0 || b != 0;  // LOGICAL_OR
    }
}

enum class Arity { none, one, two, activation, gradient, select };

Arity arity_of(cudnnPointwiseMode_t mode) {
    if (mode == CUDNN_POINTWISE_BINARY_SELECT) return Arity::select;
    if (mode >= CUDNN_POINTWISE_RELU_FWD && mode <= CUDNN_POINTWISE_GELU_APPROX_TANH_FWD) return Arity::activation;
    if (mode >= CUDNN_POINTWISE_RELU_BWD && mode <= CUDNN_POINTWISE_GELU_APPROX_TANH_BWD) return Arity::gradient;
    if (mode == CUDNN_POINTWISE_GEN_INDEX) return Arity::none;
    const bool single = mode == CUDNN_POINTWISE_SQRT || mode == CUDNN_POINTWISE_LOGICAL_NOT ||
                        (mode >= CUDNN_POINTWISE_ABS && mode <= CUDNN_POINTWISE_RECIPROCAL);
    return single ? Arity::one : Arity::two;
}

bool is_mode(int mode) {
    const EnumInfo info = enum_info(CUDNN_POINTWISE_ADD);
    return std::any_of(info.values, info.values + info.count, [&](const EnumValue &known) { return known.value == mode; });
}

Pointwise pointwise_of(const BackendNode &operation) { return Pointwise(*operation.node(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR)); }

// The elements of a tensor, broadcast to the output and in its row-major order.
std::vector<double> load(const BackendNode &operation, cudnnBackendAttributeName_t name, const View &out, GraphMemory &memory) {
    const GraphTensor tensor = graph_tensor(*operation.node(name));
    const void *from = memory.of(tensor);
    std::vector<double> values;
    values.reserve(static_cast<size_t>(out.elements()));
    visit_type(tensor.view.type, [&](auto element) {
        const auto *data = static_cast<const decltype(element) *>(from);
        for_each_offset([&](int64_t, int64_t at) { values.push_back(static_cast<double>(data[at])); }, out, tensor.view);
    });
    return values;
}

int64_t rank_of(const BackendNode &operation, cudnnBackendAttributeName_t name) {
    return operation.has(name) ? operation.node(name)->count(CUDNN_ATTR_TENSOR_DIMENSIONS) : 0;
}

// The tensors of an operation, which have the same number of dimensions.
std::vector<cudnnBackendAttributeName_t> tensors_of(const BackendNode &operation, Arity arity) {
    switch (arity) {
        case Arity::two: return {CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, CUDNN_ATTR_OPERATION_POINTWISE_YDESC};
        case Arity::select:
            return {CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, CUDNN_ATTR_OPERATION_POINTWISE_YDESC,
                    CUDNN_ATTR_OPERATION_POINTWISE_TDESC};
        case Arity::gradient: {
            const bool has_t = operation.has(CUDNN_ATTR_OPERATION_POINTWISE_TDESC);
            return {has_t ? CUDNN_ATTR_OPERATION_POINTWISE_TDESC : CUDNN_ATTR_OPERATION_POINTWISE_XDESC,
                    CUDNN_ATTR_OPERATION_POINTWISE_DXDESC, CUDNN_ATTR_OPERATION_POINTWISE_DYDESC};
        }
        default: return {CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_ATTR_OPERATION_POINTWISE_YDESC};
    }
}

}  // namespace

// Finalising compares the numbers of dimensions, not the dimensions; a tensor that is not there has none. A selection
// needs all its tensors, an index an axis. Without settings the mode is an addition; with one that does not exist,
// nothing is compared.
Failure pointwise_failure(const BackendNode &operation) {
    const BackendNode *settings = operation.node(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
    const int mode = settings ? settings->get<int>(CUDNN_ATTR_POINTWISE_MODE, CUDNN_POINTWISE_ADD) : CUDNN_POINTWISE_ADD;
    if (!is_mode(mode)) return {};
    const Arity arity = arity_of(static_cast<cudnnPointwiseMode_t>(mode));
    const auto tensors = tensors_of(operation, arity);
    const int64_t rank = rank_of(operation, tensors.front());
    bool fits = arity != Arity::select || rank > 0;
    for (const auto name : tensors) fits = fits && rank_of(operation, name) == rank;
    if (arity == Arity::none) {
        const auto axis = settings->get<int64_t>(CUDNN_ATTR_POINTWISE_AXIS, -1);
        fits = fits && axis >= 0 && axis < rank;
    }
    return fits ? Failure{} : bad("the tensors that the mode needs are not there or differ in their number of dimensions");
}

bool pointwise_supported(const BackendNode &operation) {
    const auto output = operation_output(operation);
    if (!operation.has(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR) || !operation.has(output)) return false;
    const auto mode = operation.node(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR)->get<int>(CUDNN_ATTR_POINTWISE_MODE);
    const Arity arity = is_mode(mode) ? arity_of(static_cast<cudnnPointwiseMode_t>(mode)) : Arity::none;
    if (arity == Arity::none || !operation.has(CUDNN_ATTR_OPERATION_POINTWISE_XDESC)) return false;
    const bool second = arity == Arity::two || arity == Arity::select;
    if (second && !operation.has(CUDNN_ATTR_OPERATION_POINTWISE_BDESC)) return false;
    if (arity == Arity::gradient && !operation.has(CUDNN_ATTR_OPERATION_POINTWISE_DYDESC)) return false;
    if (arity == Arity::select && !operation.has(CUDNN_ATTR_OPERATION_POINTWISE_TDESC)) return false;
    const View out = graph_tensor(*operation.node(output)).view;
    for (const auto name : operation_inputs(operation)) {
        if (operation.has(name) && !broadcasts_to(graph_tensor(*operation.node(name)).view, out)) return false;
    }
    return true;
}

void execute_pointwise(const BackendNode &operation, GraphMemory &memory) {
    const Pointwise p = pointwise_of(operation);
    const Arity arity = arity_of(p.mode);
    const GraphTensor out = graph_tensor(*operation.node(operation_output(operation)));
    const double alpha1 = operation.number(CUDNN_ATTR_OPERATION_POINTWISE_ALPHA1, 1);
    const double alpha2 = operation.number(CUDNN_ATTR_OPERATION_POINTWISE_ALPHA2, 1);
    std::vector<double> x = load(operation, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, out.view, memory), b, t;
    if (arity == Arity::gradient) b = load(operation, CUDNN_ATTR_OPERATION_POINTWISE_DYDESC, out.view, memory);
    if (arity == Arity::two || arity == Arity::select) b = load(operation, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, out.view, memory);
    if (arity == Arity::select) t = load(operation, CUDNN_ATTR_OPERATION_POINTWISE_TDESC, out.view, memory);
    parallel_for(static_cast<int64_t>(x.size()), kElementGrain / 4, [&](int64_t begin, int64_t end) {
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
            const double value = alpha1 * x[i];
            switch (arity) {
                case Arity::activation: x[i] = activation(p, value); break;
                case Arity::gradient: x[i] = gradient(p, value, alpha2 * b[i]); break;
                case Arity::select: x[i] = t[i] != 0 ? value : alpha2 * b[i]; break;
                case Arity::two: x[i] = binary(p.mode, value, alpha2 * b[i]); break;
                default: x[i] = unary(p.mode, value);
            }
        }
    });
    void *to = memory.of(out);
    visit_type(out.view.type, [&](auto element) {
        using E = decltype(element);
        const double *from = x.data();
        for_each_offset([&](int64_t at) { static_cast<E *>(to)[at] = to_element<E>(*from++); }, out.view);
    });
}

}  // namespace fpsim
