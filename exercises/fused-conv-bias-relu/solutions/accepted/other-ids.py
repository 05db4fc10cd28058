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

    def convolution(self, x, w, y, pad):
        """The convolution x, w -> y as an operation."""
        descriptor = self.make(
            cudnn.CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR,
            (cudnn.CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, INT64, [2]),
            (cudnn.CUDNN_ATTR_CONVOLUTION_COMP_TYPE, cudnn.CUDNN_TYPE_DATA_TYPE, [cudnn.CUDNN_DATA_FLOAT]),
            (cudnn.CUDNN_ATTR_CONVOLUTION_CONV_MODE, cudnn.CUDNN_TYPE_CONVOLUTION_MODE,
             [cudnn.CUDNN_CROSS_CORRELATION]),
            (cudnn.CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, INT64, [pad, pad]),
            (cudnn.CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, INT64, [pad, pad]),
            (cudnn.CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, INT64, [1, 1]),
            (cudnn.CUDNN_ATTR_CONVOLUTION_DILATIONS, INT64, [1, 1]))
        return self.make(cudnn.CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
                         (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, NODE, [x]),
                         (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, NODE, [w]),
                         (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, NODE, [y]),
                         (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, NODE, [descriptor]),
                         (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, cudnn.CUDNN_TYPE_FLOAT, [1.0]),
                         (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, cudnn.CUDNN_TYPE_FLOAT, [0.0]))


def fused(handle, x, w, bias, y, N, C, H, W, K, R):
    def pointwise(nodes, mode, src, dst, other=None):
        op = nodes.make(cudnn.CUDNN_BACKEND_POINTWISE_DESCRIPTOR,
                        (cudnn.CUDNN_ATTR_POINTWISE_MODE, cudnn.CUDNN_TYPE_POINTWISE_MODE, [mode]),
                        (cudnn.CUDNN_ATTR_POINTWISE_MATH_PREC, cudnn.CUDNN_TYPE_DATA_TYPE, [cudnn.CUDNN_DATA_FLOAT]))
        extra = [] if other is None else [(cudnn.CUDNN_ATTR_OPERATION_POINTWISE_BDESC, NODE, [other])]
        return nodes.make(cudnn.CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR,
                          (cudnn.CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, NODE, [op]), *extra,
                          (cudnn.CUDNN_ATTR_OPERATION_POINTWISE_YDESC, NODE, [dst]),
                          (cudnn.CUDNN_ATTR_OPERATION_POINTWISE_XDESC, NODE, [src]))

    dims, strides = (N, K, H, W), (K * H * W, H * W, W, 1)
    with Nodes() as nodes:
        y_node = nodes.tensor(ord("y"), dims, strides)
        a = nodes.tensor(ord("a"), dims, strides, True)
        b = nodes.tensor(ord("b"), (1, K, 1, 1), (K, 1, 1, 1))
        s = nodes.tensor(ord("s"), dims, strides, True)
        ops = [pointwise(nodes, cudnn.CUDNN_POINTWISE_RELU_FWD, s, y_node),
               pointwise(nodes, cudnn.CUDNN_POINTWISE_ADD, a, s, b),
               nodes.convolution(nodes.tensor(ord("x"), x.shape, [C * H * W, H * W, W, 1]),
                                 nodes.tensor(ord("w"), w.shape, [C * R * R, R * R, R, 1]), a, (R - 1) // 2)]
        nodes.run(handle, ops[::-1], {ord("y"): y, ord("b"): bias, ord("w"): w, ord("x"): x})
