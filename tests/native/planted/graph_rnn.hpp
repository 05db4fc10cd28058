// A pointwise graph y = exp(x) on 1x8x4x4 floats, and a small LSTM, in parts that a program can leave out or get wrong.
#include "prelude.hpp"

using Node = cudnnBackendDescriptor_t;

struct Graph {
  cudnnHandle_t handle = nullptr;
  std::vector<Node> made;
  float *x = nullptr, *y = nullptr;
  Node graph = nullptr;
  std::vector<int64_t> ids{1, 2};

  Node create(cudnnBackendDescriptorType_t type) {
    Node node = nullptr;
    cudnnBackendCreateDescriptor(type, &node);
    made.push_back(node);
    return node;
  }
  template <class T>
  void put(Node node, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::vector<T> values) {
    cudnnBackendSetAttribute(node, name, type, static_cast<int64_t>(values.size()), values.data());
  }
  void put(Node node, cudnnBackendAttributeName_t name, Node child) {
    put<Node>(node, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, {child});
  }
  Node tensor(int64_t id, bool is_virtual = false, bool finalise = true) {
    Node node = create(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    put<int64_t>(node, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, {id});
    put<cudnnDataType_t>(node, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, {CUDNN_DATA_FLOAT});
    put<int64_t>(node, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, {16});
    put<int64_t>(node, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, {1, 8, 4, 4});
    put<int64_t>(node, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, {128, 16, 4, 1});
    put<char>(node, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, {is_virtual});
    if (finalise) cudnnBackendFinalize(node);
    return node;
  }
  void begin(bool unsupported = false) {
    cudnnCreate(&handle);
    cudaMalloc(&x, 512);
    cudaMalloc(&y, 512);
    cudaMemset(x, 0, 512);
    operation(tensor(1, unsupported), tensor(2));
  }
  void operation(Node from, Node to) {
    Node what = create(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    put<cudnnPointwiseMode_t>(what, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, {CUDNN_POINTWISE_EXP});
    put<cudnnDataType_t>(what, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, {CUDNN_DATA_FLOAT});
    cudnnBackendFinalize(what);
    Node exp = create(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    put(exp, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, what);
    put(exp, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, from);
    put(exp, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, to);
    if (cudnnBackendFinalize(exp) != CUDNN_STATUS_SUCCESS) return;
    graph = create(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    put<cudnnHandle_t>(graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, {handle});
    put(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, exp);
    cudnnBackendFinalize(graph);
  }
  Node engine() {
    Node node = create(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    put(node, CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph);
    put<int64_t>(node, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, {0});
    return node;
  }
  Node config(Node from) {
    Node node = create(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    put(node, CUDNN_ATTR_ENGINECFG_ENGINE, from);
    return node;
  }
  // The first of the list that the heuristics give, taken whether they gave any or not.
  Node first() {
    Node ask = create(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR), found = create(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    put(ask, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
    put<cudnnBackendHeurMode_t>(ask, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, {CUDNN_HEUR_MODE_A});
    cudnnBackendFinalize(ask);
    int64_t count = 0;
    cudnnBackendGetAttribute(ask, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count, &found);
    return found;
  }
  Node plan(Node config, bool finalise = true) {
    Node node = create(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    put<cudnnHandle_t>(node, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, {handle});
    put(node, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
    if (finalise) cudnnBackendFinalize(node);
    return node;
  }
  int64_t ask(Node plan) {
    int64_t bytes = 0, count = 0;
    cudnnBackendGetAttribute(plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &count, &bytes);
    return bytes;
  }
  void execute(Node plan, void *space = nullptr) {
    Node pack = create(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    put<int64_t>(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, ids);
    put<void *>(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, {x, y});
    put<void *>(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, {space});
    cudnnBackendFinalize(pack);
    cudnnBackendExecute(handle, plan, pack);
  }
  void destroy() {
    for (Node node : made) cudnnBackendDestroyDescriptor(node);
    cudaFree(x);
    cudaFree(y);
    cudnnDestroy(handle);
  }
};

// An LSTM of one layer, 4 inputs and 4 hidden values, over two sequences of three steps.
struct Recurrent {
  cudnnHandle_t handle = nullptr;
  cudnnDropoutDescriptor_t dropout = nullptr;
  cudnnRNNDescriptor_t rnn = nullptr;
  cudnnRNNDataDescriptor_t data = nullptr;
  cudnnTensorDescriptor_t state = nullptr, matrix = nullptr, bias = nullptr;
  size_t weight_bytes = 0, work_bytes = 0, reserve_bytes = 0;
  char *weights = nullptr, *gradient = nullptr, *work = nullptr, *reserve = nullptr;
  float *x = nullptr, *y = nullptr, *dy = nullptr, *dx = nullptr;
  cudnnForwardMode_t asked = CUDNN_FWD_MODE_TRAINING;
  static constexpr size_t kBytes = 2 * 3 * 4 * 4, kWeights = 4 * 4 * (4 + 4 + 2) * 4;

  void describe() {
    cudnnCreate(&handle);
    cudnnCreateDropoutDescriptor(&dropout);
    cudnnSetDropoutDescriptor(dropout, handle, 0, nullptr, 0, 0);
    cudnnCreateRNNDescriptor(&rnn);
    cudnnSetRNNDescriptor_v8(rnn, CUDNN_RNN_ALGO_STANDARD, CUDNN_LSTM, CUDNN_RNN_DOUBLE_BIAS, CUDNN_UNIDIRECTIONAL,
                             CUDNN_LINEAR_INPUT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DEFAULT_MATH, 4, 4, 4, 1,
                             dropout, CUDNN_RNN_PADDED_IO_ENABLED);
    cudnnCreateRNNDataDescriptor(&data);
    const int lengths[] = {3, 3};
    float zero = 0;
    cudnnSetRNNDataDescriptor(data, CUDNN_DATA_FLOAT, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED, 3, 2, 4, lengths, &zero);
    cudnnCreateTensorDescriptor(&state);
    const int dims[] = {1, 2, 4}, strides[] = {8, 4, 1};
    cudnnSetTensorNdDescriptor(state, CUDNN_DATA_FLOAT, 3, dims, strides);
    for (float **memory : {&x, &y, &dy, &dx}) {
      cudaMalloc(memory, kBytes);
      cudaMemset(*memory, 0, kBytes);
    }
  }
  void ask() {
    cudnnGetRNNWeightSpaceSize(handle, rnn, &weight_bytes);
    cudnnGetRNNTempSpaceSizes(handle, rnn, asked, data, &work_bytes, &reserve_bytes);
  }
  void allocate(bool clear = true) {
    cudaMalloc(&weights, weight_bytes);
    cudaMalloc(&gradient, weight_bytes);
    cudaMalloc(&work, work_bytes);
    if (reserve_bytes) cudaMalloc(&reserve, reserve_bytes);
    cudaMemset(weights, 0, weight_bytes);
    if (clear) cudaMemset(gradient, 0, weight_bytes);
  }
  void begin(bool clear = true) {
    describe();
    ask();
    allocate(clear);
  }
  // Copies ones to where the library says that each matrix and bias lies.
  void fill() {
    cudnnCreateTensorDescriptor(&matrix);
    cudnnCreateTensorDescriptor(&bias);
    const std::vector<float> ones(16, 1.0f);
    for (int id = 0; id < 8; ++id) {
      void *at[2] = {nullptr, nullptr};
      cudnnGetRNNWeightParams(handle, rnn, 0, weight_bytes, weights, id, matrix, &at[0], bias, &at[1]);
      cudaMemcpy(at[0], ones.data(), 64, cudaMemcpyHostToDevice);
      cudaMemcpy(at[1], ones.data(), 16, cudaMemcpyHostToDevice);
    }
    cudnnDestroyTensorDescriptor(matrix);
    cudnnDestroyTensorDescriptor(bias);
  }
  cudnnStatus_t forward(cudnnForwardMode_t mode = CUDNN_FWD_MODE_TRAINING) {
    return cudnnRNNForward(handle, rnn, mode, nullptr, data, x, data, y, state, nullptr, nullptr, state, nullptr,
                           nullptr, weight_bytes, weights, work_bytes, work, reserve_bytes, reserve);
  }
  cudnnStatus_t backward_data() {
    return cudnnRNNBackwardData_v8(handle, rnn, nullptr, data, y, dy, data, dx, state, nullptr, nullptr, nullptr, state,
                                   nullptr, nullptr, nullptr, weight_bytes, weights, work_bytes, work, reserve_bytes,
                                   reserve);
  }
  cudnnStatus_t backward_weights() {
    return cudnnRNNBackwardWeights_v8(handle, rnn, CUDNN_WGRAD_MODE_ADD, nullptr, data, x, state, nullptr, data, y,
                                      weight_bytes, gradient, work_bytes, work, reserve_bytes, reserve);
  }
  void destroy() {
    for (void *memory : {(void *)x, (void *)y, (void *)dy, (void *)dx, (void *)weights, (void *)gradient, (void *)work})
      cudaFree(memory);
    if (reserve) cudaFree(reserve);
    cudnnDestroyTensorDescriptor(state);
    cudnnDestroyRNNDataDescriptor(data);
    cudnnDestroyRNNDescriptor(rnn);
    cudnnDestroyDropoutDescriptor(dropout);
    cudnnDestroy(handle);
  }
};
