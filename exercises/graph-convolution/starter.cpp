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

void convolve(cudnnHandle_t handle, const float *x, const float *w, float *y, int N, int C, int H, int W, int K, int R,
              int pad, int stride, int channels_last) {
    const std::vector<int64_t> x_dims = {N, C, H, W};
    // These strides are right for NCHW only.
    const Node x_node = tensor(1, x_dims, {C * H * W, H * W, W, 1});

    // 1. Tensors for w and y, the convolution descriptor, the operation.  2. The graph.
    // 3. Heuristics, configuration, plan.  4. Variant pack, execute, synchronise.
    (void)handle, (void)x, (void)w, (void)y, (void)K, (void)R, (void)pad, (void)stride, (void)channels_last;
}
