// verdict: runtime_error
// rule: backend_not_finalised
// case: three-by-three
// why: does not finalise the graph, so that the heuristics cannot use it
#include <array>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#include <cuda_runtime.h>
#include <cudnn.h>

// Turns a status other than success into an exception that names the call.
#define CHECK(call)                                                                              \
    do {                                                                                         \
        const cudnnStatus_t status_ = (call);                                                    \
        if (status_ != CUDNN_STATUS_SUCCESS)                                                     \
            throw std::runtime_error(std::string(#call) + ": " + cudnnGetErrorString(status_));  \
    } while (0)

// A descriptor of the graph API: set, finalise, use; it destroys itself.
class Node {
public:
    explicit Node(cudnnBackendDescriptorType_t type) { CHECK(cudnnBackendCreateDescriptor(type, &raw)); }
    Node(Node &&other) noexcept : raw(std::exchange(other.raw, nullptr)) {}
    ~Node() {
        if (raw) cudnnBackendDestroyDescriptor(raw);
    }

    template <typename T>
    Node &set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::initializer_list<T> values) {
        CHECK(cudnnBackendSetAttribute(raw, name, type, static_cast<int64_t>(values.size()), values.begin()));
        return *this;
    }
    Node &set(cudnnBackendAttributeName_t name, const std::vector<int64_t> &values) {
        const auto count = static_cast<int64_t>(values.size());
        CHECK(cudnnBackendSetAttribute(raw, name, CUDNN_TYPE_INT64, count, values.data()));
        return *this;
    }
    Node &set(cudnnBackendAttributeName_t name, const Node &other) {
        return set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, {other.raw});
    }
    Node &finalize() {
        CHECK(cudnnBackendFinalize(raw));
        return *this;
    }

    cudnnBackendDescriptor_t raw = nullptr;
};

// A float tensor of a graph. A virtual one has no memory of its own.
static Node tensor(int64_t id, const std::vector<int64_t> &dims, const std::vector<int64_t> &strides,
                   bool is_virtual = false) {
    Node node(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    node.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, {id});
    node.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, {CUDNN_DATA_FLOAT});
    node.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, {int64_t{16}});
    node.set(CUDNN_ATTR_TENSOR_DIMENSIONS, dims).set(CUDNN_ATTR_TENSOR_STRIDES, strides);
    node.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, {is_virtual});
    node.finalize();
    return node;
}

// Runs a finalised graph: the first configuration of the heuristics whose plan can be made.
static void run(cudnnHandle_t handle, const Node &graph, const std::vector<int64_t> &ids,
                const std::vector<void *> &memory) {
    for (const auto mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
        Node heuristic(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
        heuristic.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
        heuristic.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, {mode}).finalize();
        std::vector<Node> configs;
        std::vector<cudnnBackendDescriptor_t> raw;
        for (int i = 0; i < 8; ++i) raw.push_back(configs.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR).raw);
        int64_t count = 0;
        CHECK(cudnnBackendGetAttribute(heuristic.raw, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 8,
                                       &count, raw.data()));
        for (int64_t i = 0; i < count; ++i) {
            Node plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
            plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, {handle});
            plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configs[i]);
            if (cudnnBackendFinalize(plan.raw) != CUDNN_STATUS_SUCCESS) continue;
            int64_t bytes = 0, got = 0;
            CHECK(cudnnBackendGetAttribute(plan.raw, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1,
                                           &got, &bytes));
            void *workspace = nullptr;
            if (bytes > 0 && cudaMalloc(&workspace, bytes) != cudaSuccess) continue;
            Node pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
            pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, ids);
            CHECK(cudnnBackendSetAttribute(pack.raw, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
                                           static_cast<int64_t>(memory.size()), memory.data()));
            pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, {workspace}).finalize();
            const cudnnStatus_t status = cudnnBackendExecute(handle, plan.raw, pack.raw);
            cudaDeviceSynchronize();
            cudaFree(workspace);
            CHECK(status);
            return;
        }
    }
    throw std::runtime_error("no engine can run this graph");
}

// Strides of the dimensions (n, c, h, w), packed in NCHW or in NHWC order.
static std::vector<int64_t> strides_of(const std::vector<int64_t> &d, bool last) {
    if (last) return {d[1] * d[2] * d[3], 1, d[3] * d[1], d[1]};
    return {d[1] * d[2] * d[3], d[2] * d[3], d[3], 1};
}

void convolve(cudnnHandle_t handle, const float *x, const float *w, float *y, int N, int C, int H, int W, int K, int R,
              int pad, int stride, int channels_last) {
    const int64_t P = (H + 2 * pad - R) / stride + 1, Q = (W + 2 * pad - R) / stride + 1;
    const std::vector<int64_t> x_dims = {N, C, H, W}, w_dims = {K, C, R, R}, y_dims = {N, K, P, Q};
    const Node x_node = tensor(1, x_dims, strides_of(x_dims, channels_last));
    const Node w_node = tensor(2, w_dims, strides_of(w_dims, channels_last));
    const Node y_node = tensor(3, y_dims, strides_of(y_dims, channels_last));

    Node conv(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    conv.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, {int64_t{2}});
    conv.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, {CUDNN_DATA_FLOAT});
    conv.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, {CUDNN_CROSS_CORRELATION});
    conv.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, std::vector<int64_t>{pad, pad});
    conv.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, std::vector<int64_t>{pad, pad});
    conv.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, std::vector<int64_t>{stride, stride});
    conv.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, std::vector<int64_t>{1, 1}).finalize();

    Node operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, x_node);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, w_node);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, y_node);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, conv);
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, {1.0f});
    operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, {0.0f}).finalize();

    Node graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, {handle});
    graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
    run(handle, graph, {1, 2, 3}, {const_cast<float *>(x), const_cast<float *>(w), y});
}
