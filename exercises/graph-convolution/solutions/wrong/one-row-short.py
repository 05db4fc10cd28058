# verdict: runtime_error
# case: three-by-three
# why: forgets the + 1 of the output's size
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


def strides_of(a, b, c, d, last):
    return [b * c * d, 1, b * d, b] if last else [b * c * d, c * d, d, 1]


def convolve(handle, x, w, y, N, C, H, W, K, R, pad, stride, channels_last):
    P, Q = (H + 2 * pad - R) // stride, 1 + (W + 2 * pad - R) // stride
    with Nodes() as n:
        xn = n.tensor(10, [N, C, H, W], strides_of(N, C, H, W, channels_last))
        wn = n.tensor(20, [K, C, R, R], strides_of(K, C, R, R, channels_last))
        yn = n.tensor(30, [N, K, P, Q], strides_of(N, K, P, Q, channels_last))
        conv = n.make(cudnn.CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR,
                      (cudnn.CUDNN_ATTR_CONVOLUTION_COMP_TYPE, cudnn.CUDNN_TYPE_DATA_TYPE, [cudnn.CUDNN_DATA_FLOAT]),
                      (cudnn.CUDNN_ATTR_CONVOLUTION_CONV_MODE, cudnn.CUDNN_TYPE_CONVOLUTION_MODE, [cudnn.CUDNN_CROSS_CORRELATION]),
                      (cudnn.CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, INT64, [2]),
                      (cudnn.CUDNN_ATTR_CONVOLUTION_DILATIONS, INT64, [1, 1]),
                      (cudnn.CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, INT64, [stride] * 2),
                      (cudnn.CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, INT64, [pad] * 2),
                      (cudnn.CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, INT64, [pad] * 2))
        op = n.make(cudnn.CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
                    (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, NODE, [conv]),
                    (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, NODE, [xn]),
                    (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, NODE, [wn]),
                    (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, NODE, [yn]),
                    (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, cudnn.CUDNN_TYPE_FLOAT, [1.0]),
                    (cudnn.CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, cudnn.CUDNN_TYPE_FLOAT, [0.0]))
        graph = n.make(cudnn.CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR,
                       (cudnn.CUDNN_ATTR_OPERATIONGRAPH_OPS, NODE, [op]),
                       (cudnn.CUDNN_ATTR_OPERATIONGRAPH_HANDLE, cudnn.CUDNN_TYPE_HANDLE, [handle]))
        heur = n.make(cudnn.CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR,
                      (cudnn.CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, NODE, [graph]),
                      (cudnn.CUDNN_ATTR_ENGINEHEUR_MODE, cudnn.CUDNN_TYPE_HEUR_MODE, [cudnn.CUDNN_HEUR_MODE_INSTANT]))
        (count,) = [len(cudnn.cudnnBackendGetAttribute(heur, cudnn.CUDNN_ATTR_ENGINEHEUR_RESULTS, NODE, 16,
                    cfgs := [n.create(cudnn.CUDNN_BACKEND_ENGINECFG_DESCRIPTOR) for _ in range(16)]))]
        for cfg in cfgs[:count]:
            try:
                plan = n.make(cudnn.CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR,
                              (cudnn.CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, NODE, [cfg]),
                              (cudnn.CUDNN_ATTR_EXECUTION_PLAN_HANDLE, cudnn.CUDNN_TYPE_HANDLE, [handle]))
            except cudnn.CudnnError:
                continue
            size = cudnn.cudnnBackendGetAttribute(plan, cudnn.CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, INT64, 1)[0]
            ws = cp.zeros(max(1, size), cp.uint8)
            pack = n.make(cudnn.CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR,
                          (cudnn.CUDNN_ATTR_VARIANT_PACK_WORKSPACE, cudnn.CUDNN_TYPE_VOID_PTR, [ws]),
                          (cudnn.CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, INT64, [30, 10, 20]),
                          (cudnn.CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, cudnn.CUDNN_TYPE_VOID_PTR, [y, x, w]))
            cudnn.cudnnBackendExecute(handle, plan, pack)
            return
        raise RuntimeError("none")
