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
        """A plan on the first of all engines that can run the graph."""
        count = cudnn.CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT
        (engines,) = cudnn.cudnnBackendGetAttribute(graph, count, INT64, 1)
        for index in range(engines):
            try:
                engine = self.make(cudnn.CUDNN_BACKEND_ENGINE_DESCRIPTOR,
                                   (cudnn.CUDNN_ATTR_ENGINE_OPERATION_GRAPH, NODE, [graph]),
                                   (cudnn.CUDNN_ATTR_ENGINE_GLOBAL_INDEX, INT64, [index]))
                notes = cudnn.cudnnBackendGetAttribute(engine, cudnn.CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                                                       cudnn.CUDNN_TYPE_NUMERICAL_NOTE, 16)
                if cudnn.CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS in notes:  # would round float inputs
                    continue
                config = self.make(cudnn.CUDNN_BACKEND_ENGINECFG_DESCRIPTOR,
                                   (cudnn.CUDNN_ATTR_ENGINECFG_ENGINE, NODE, [engine]))
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


def strides_of(dims, last):
    """Strides of the dimensions (n, c, h, w), packed in NCHW or in NHWC order."""
    _, c, h, w = dims
    return [c * h * w, 1, w * c, c] if last else [c * h * w, h * w, w, 1]


def convolve(handle, x, w, y, N, C, H, W, K, R, pad, stride, channels_last):
    x_dims, w_dims = [N, C, H, W], [K, C, R, R]
    y_dims = [N, K, (H + 2 * pad - R) // stride + 1, (W + 2 * pad - R) // stride + 1]
    with Nodes() as nodes:
        x_node, w_node, y_node = (nodes.tensor(uid, dims, strides_of(dims, channels_last))
                                  for uid, dims in ((1, x_dims), (2, w_dims), (3, y_dims)))
        mode = cudnn.CUDNN_TYPE_CONVOLUTION_MODE
        conv = nodes.make(cudnn.CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR,
                          (cudnn.CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, INT64, [2]),
                          (cudnn.CUDNN_ATTR_CONVOLUTION_COMP_TYPE, cudnn.CUDNN_TYPE_DATA_TYPE, [cudnn.CUDNN_DATA_FLOAT]),
                          (cudnn.CUDNN_ATTR_CONVOLUTION_CONV_MODE, mode, [cudnn.CUDNN_CROSS_CORRELATION]),
                          (cudnn.CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, INT64, [pad, pad]),
                          (cudnn.CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, INT64, [pad, pad]),
                          (cudnn.CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, INT64, [stride, stride]),
                          (cudnn.CUDNN_ATTR_CONVOLUTION_DILATIONS, INT64, [1, 1]))
        operation = nodes.make(cudnn.CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
                               (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, NODE, [x_node]),
                               (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, NODE, [w_node]),
                               (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, NODE, [y_node]),
                               (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, NODE, [conv]),
                               (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, cudnn.CUDNN_TYPE_FLOAT, [1.0]),
                               (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, cudnn.CUDNN_TYPE_FLOAT, [0.0]))
        nodes.run(handle, [operation], {1: x, 2: w, 3: y})
