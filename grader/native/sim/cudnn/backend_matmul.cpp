// Matrix products in operation graphs: C[…, m, n] = A[…, m, k] * B[…, k, n], with leading dimensions broadcast.
#include "../kernels/gemm.h"
#include "backend.h"

namespace fpsim {
namespace {

struct Product {
    View a, b, c;
    int64_t rows() const { return a.dim[a.rank - 2]; }
    int64_t depth() const { return a.dim[a.rank - 1]; }
    int64_t columns() const { return b.dim[b.rank - 1]; }
};

Product product_of(const BackendNode &operation) {
    return {graph_tensor(*operation.node(CUDNN_ATTR_OPERATION_MATMUL_ADESC)).view,
            graph_tensor(*operation.node(CUDNN_ATTR_OPERATION_MATMUL_BDESC)).view,
            graph_tensor(*operation.node(CUDNN_ATTR_OPERATION_MATMUL_CDESC)).view};
}

// One matrix of a batch in the type of the sums, row-major.
template <typename T> std::vector<T> load(const View &view, const void *memory, int64_t offset) {
    View matrix = view;
    for (int d = 0; d + 2 < view.rank; ++d) matrix.dim[d] = 1;
    std::vector<T> values;
    values.reserve(static_cast<size_t>(matrix.elements()));
    visit_type(view.type, [&](auto element) {
        const auto *from = static_cast<const decltype(element) *>(memory) + offset;
        for_each_offset([&](int64_t at) { values.push_back(static_cast<T>(from[at])); }, matrix);
    });
    return values;
}

View leading(View view) {
    view.dim[view.rank - 1] = view.dim[view.rank - 2] = 1;
    return view;
}

template <typename T> void run(const Product &p, const void *a, const void *b, void *c) {
    std::vector<T> sums(static_cast<size_t>(p.rows() * p.columns()));
    for_each_offset([&](int64_t ci, int64_t ai, int64_t bi) {
        const std::vector<T> left = load<T>(p.a, a, ai), right = load<T>(p.b, b, bi);
        matmul<T>(p.rows(), p.columns(), p.depth(), {left.data(), p.depth(), 1}, {right.data(), p.columns(), 1}, sums.data(), p.columns(), false);
        View matrix = p.c;
        for (int d = 0; d + 2 < matrix.rank; ++d) matrix.dim[d] = 1;
        visit_type(p.c.type, [&](auto element) {
            using E = decltype(element);
            const T *from = sums.data();
            for_each_offset([&](int64_t at) { static_cast<E *>(c)[ci + at] = to_element<E>(*from++); }, matrix);
        });
    }, leading(p.c), leading(p.a), leading(p.b));
}

View tensor_of(const BackendNode &operation, cudnnBackendAttributeName_t name) {
    return operation.has(name) ? graph_tensor(*operation.node(name)).view : View{};
}

// A batch is that of the larger operand, of which the smaller one is a divisor.
bool batches_fit(int64_t a, int64_t b, int64_t c) {
    if (b == 0 || c != std::max(a, b)) return false;  // the real library divides by b
    return a == 0 || (c % a == 0 && c % b == 0);
}

}  // namespace

// Tensors that are not there have no dimensions.
Failure matmul_failure(const BackendNode &operation) {
    const View a = tensor_of(operation, CUDNN_ATTR_OPERATION_MATMUL_ADESC), b = tensor_of(operation, CUDNN_ATTR_OPERATION_MATMUL_BDESC),
               c = tensor_of(operation, CUDNN_ATTR_OPERATION_MATMUL_CDESC);
    if (a.rank != b.rank || a.rank != c.rank) return BackendFailure{CUDNN_STATUS_NOT_SUPPORTED, "the operands have different numbers of dimensions"};
    const int row = a.rank - 2, column = a.rank - 1;
    bool fits = row >= 0 && a.dim[column] == b.dim[row] && c.dim[row] == a.dim[row] && c.dim[column] == b.dim[column];
    for (int d = 0; d < row; ++d) fits = fits && batches_fit(a.dim[d], b.dim[d], c.dim[d]);
    return fits ? Failure{} : bad("the matrices cannot be multiplied");
}

bool matmul_supported(const BackendNode &operation) {
    const Product p = product_of(operation);
    if (p.a.rank < 2 || p.a.rank != p.b.rank || p.a.rank != p.c.rank) return false;
    const bool fits = p.b.dim[p.b.rank - 2] == p.depth() && p.c.dim[p.c.rank - 2] == p.rows() && p.c.dim[p.c.rank - 1] == p.columns();
    const bool known = is_elementwise_type(p.a.type) && is_elementwise_type(p.b.type) && element_size(p.c.type) != 0;
    return fits && known && broadcasts_to(leading(p.a), leading(p.c)) && broadcasts_to(leading(p.b), leading(p.c));
}

void execute_matmul(const BackendNode &operation, GraphMemory &memory) {
    const Product p = product_of(operation);
    const void *a = memory.of(graph_tensor(*operation.node(CUDNN_ATTR_OPERATION_MATMUL_ADESC)));
    const void *b = memory.of(graph_tensor(*operation.node(CUDNN_ATTR_OPERATION_MATMUL_BDESC)));
    void *c = memory.of(graph_tensor(*operation.node(CUDNN_ATTR_OPERATION_MATMUL_CDESC)));
    const bool wide = p.a.type == CUDNN_DATA_DOUBLE || p.a.type == CUDNN_DATA_INT8;
    wide ? run<double>(p, a, b, c) : run<float>(p, a, b, c);
}

}  // namespace fpsim
