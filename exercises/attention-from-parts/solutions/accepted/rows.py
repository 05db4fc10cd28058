from contextlib import ExitStack

import cupy as cp
import libcudnn as cudnn

NODE, INT64 = cudnn.CUDNN_TYPE_BACKEND_DESCRIPTOR, cudnn.CUDNN_TYPE_INT64


class Nodes(ExitStack):
    """Descriptors of the graph API; all are destroyed at the end of the with statement."""

    def create(self, kind):
        node = cudnn.cudnnBackendCreateDescriptor(kind)
        self.callback(cudnn.cudnnBackendDestroyDescriptor, node)
        return node

    def make(self, kind, *attributes):
        """A finalised descriptor; each attribute is (name, type, values)."""
        node = self.create(kind)
        for name, type_, values in attributes:
            cudnn.cudnnBackendSetAttribute(node, name, type_, len(values), values)
        cudnn.cudnnBackendFinalize(node)
        return node

    def tensor(self, uid, dims, strides, virtual=False):
        """A float tensor of a graph. A virtual one has no memory of its own."""
        return self.make(cudnn.CUDNN_BACKEND_TENSOR_DESCRIPTOR,
                         (cudnn.CUDNN_ATTR_TENSOR_UNIQUE_ID, INT64, [uid]),
                         (cudnn.CUDNN_ATTR_TENSOR_DATA_TYPE, cudnn.CUDNN_TYPE_DATA_TYPE, [cudnn.CUDNN_DATA_FLOAT]),
                         (cudnn.CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, INT64, [16]),
                         (cudnn.CUDNN_ATTR_TENSOR_DIMENSIONS, INT64, dims),
                         (cudnn.CUDNN_ATTR_TENSOR_STRIDES, INT64, strides),
                         (cudnn.CUDNN_ATTR_TENSOR_IS_VIRTUAL, cudnn.CUDNN_TYPE_BOOLEAN, [virtual]))

    def plan(self, handle, graph):
        """The first plan that can be made of the configurations that the heuristics propose."""
        for mode in (cudnn.CUDNN_HEUR_MODE_A, cudnn.CUDNN_HEUR_MODE_FALLBACK):
            heuristic = self.make(cudnn.CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR,
                                  (cudnn.CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, NODE, [graph]),
                                  (cudnn.CUDNN_ATTR_ENGINEHEUR_MODE, cudnn.CUDNN_TYPE_HEUR_MODE, [mode]))
            configs = [self.create(cudnn.CUDNN_BACKEND_ENGINECFG_DESCRIPTOR) for _ in range(8)]
            results = cudnn.CUDNN_ATTR_ENGINEHEUR_RESULTS
            for config in cudnn.cudnnBackendGetAttribute(heuristic, results, NODE, 8, configs):
                try:
                    return self.make(cudnn.CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR,
                                     (cudnn.CUDNN_ATTR_EXECUTION_PLAN_HANDLE, cudnn.CUDNN_TYPE_HANDLE, [handle]),
                                     (cudnn.CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, NODE, [config]))
                except cudnn.CudnnError:
                    continue
        raise RuntimeError("no engine can run this graph")

    def run(self, handle, operations, memory):
        """Makes a graph of the operations and runs it; memory: unique id → array."""
        graph = self.make(cudnn.CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR,
                          (cudnn.CUDNN_ATTR_OPERATIONGRAPH_HANDLE, cudnn.CUDNN_TYPE_HANDLE, [handle]),
                          (cudnn.CUDNN_ATTR_OPERATIONGRAPH_OPS, NODE, operations))
        plan = self.plan(handle, graph)
        (size,) = cudnn.cudnnBackendGetAttribute(plan, cudnn.CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, INT64, 1)
        workspace = cp.empty(size, dtype=cp.uint8) if size else None
        pointer = cudnn.CUDNN_TYPE_VOID_PTR
        pack = self.make(cudnn.CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR,
                         (cudnn.CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, INT64, list(memory)),
                         (cudnn.CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, pointer, list(memory.values())),
                         (cudnn.CUDNN_ATTR_VARIANT_PACK_WORKSPACE, pointer, [workspace]))
        cudnn.cudnnBackendExecute(handle, plan, pack)
        cp.cuda.runtime.deviceSynchronize()


def multiply(handle, a, b, c, left, right, out):
    """out = left · right; a, b, c: (dimensions, strides) of the three."""
    with Nodes() as nodes:
        tensors = [nodes.tensor(uid, *layout) for uid, layout in ((1, a), (2, b), (3, c))]
        product = nodes.make(cudnn.CUDNN_BACKEND_MATMUL_DESCRIPTOR,
                             (cudnn.CUDNN_ATTR_MATMUL_COMP_TYPE, cudnn.CUDNN_TYPE_DATA_TYPE, [cudnn.CUDNN_DATA_FLOAT]))
        operation = nodes.make(cudnn.CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR,
                               (cudnn.CUDNN_ATTR_OPERATION_MATMUL_ADESC, NODE, tensors[:1]),
                               (cudnn.CUDNN_ATTR_OPERATION_MATMUL_BDESC, NODE, tensors[1:2]),
                               (cudnn.CUDNN_ATTR_OPERATION_MATMUL_CDESC, NODE, tensors[2:]),
                               (cudnn.CUDNN_ATTR_OPERATION_MATMUL_DESC, NODE, [product]))
        nodes.run(handle, [operation], {1: left, 2: right, 3: out})


def attention(handle, q, k, v, o, B, T, S, D):
    scores = cp.empty((B, T, S), dtype=cp.float32)
    rows = ([B, T, S], [T * S, S, 1])
    multiply(handle, ([B, T, D], [T * D, D, 1]), ([B, D, S], [S * D, 1, D]), rows, q, k, scores)

    desc = cudnn.cudnnCreateTensorDescriptor()
    cudnn.cudnnSetTensor4dDescriptor(desc, cudnn.CUDNN_TENSOR_NCHW, cudnn.CUDNN_DATA_FLOAT, B * T, S, 1, 1)
    cudnn.cudnnScaleTensor(handle, desc, scores, D**-0.5)
    cudnn.cudnnSoftmaxForward(handle, cudnn.CUDNN_SOFTMAX_ACCURATE, cudnn.CUDNN_SOFTMAX_MODE_INSTANCE,
                              1.0, desc, scores, 0.0, desc, scores)
    cudnn.cudnnDestroyTensorDescriptor(desc)

    multiply(handle, rows, ([B, S, D], [S * D, D, 1]), ([B, T, D], [T * D, D, 1]), scores, v, o)
    cp.cuda.runtime.deviceSynchronize()
