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


def convolve(handle, x, w, y, N, C, H, W, K, R, pad, stride, channels_last):
    with Nodes() as nodes:
        # These strides are right for NCHW only.
        x_node = nodes.tensor(1, [N, C, H, W], [C * H * W, H * W, W, 1])

        # 1. Tensors for w and y, the convolution descriptor, the operation.  2. The graph.
        # 3. Heuristics, configuration, plan.  4. Variant pack, execute, synchronise.
