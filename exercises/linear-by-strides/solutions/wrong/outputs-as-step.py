# verdict: wrong_answer
# case: small
# why: steps from output to output by O numbers; the rows of w are I long
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


def linear(handle, x, w, y, M, I, O):
    with Nodes() as nodes:
        a = nodes.tensor(1, [1, M, I], [M * I, I, 1])
        b = nodes.tensor(2, [1, I, O], [I * O, 1, O])
        c = nodes.tensor(3, [1, M, O], [M * O, O, 1])
        kind = nodes.make(cudnn.CUDNN_BACKEND_MATMUL_DESCRIPTOR,
                          (cudnn.CUDNN_ATTR_MATMUL_COMP_TYPE, cudnn.CUDNN_TYPE_DATA_TYPE, [cudnn.CUDNN_DATA_FLOAT]))
        op = nodes.make(cudnn.CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR,
                        (cudnn.CUDNN_ATTR_OPERATION_MATMUL_DESC, NODE, [kind]),
                        (cudnn.CUDNN_ATTR_OPERATION_MATMUL_CDESC, NODE, [c]),
                        (cudnn.CUDNN_ATTR_OPERATION_MATMUL_BDESC, NODE, [b]),
                        (cudnn.CUDNN_ATTR_OPERATION_MATMUL_ADESC, NODE, [a]))
        nodes.run(handle, [op], {3: y, 2: w, 1: x})
