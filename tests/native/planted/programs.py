"""Planted bugs and clean programs in Python, as the learner writes them."""

SETUP = """
import numpy as np, cupy
L = libcudnn
h = L.cudnnCreate()
x, y = L.cudnnCreateTensorDescriptor(), L.cudnnCreateTensorDescriptor()
w, c = L.cudnnCreateFilterDescriptor(), L.cudnnCreateConvolutionDescriptor()
def describe(dtype=L.CUDNN_DATA_FLOAT, layout=L.CUDNN_TENSOR_NCHW, mode=L.CUDNN_CROSS_CORRELATION):
    L.cudnnSetTensor4dDescriptor(x, layout, dtype, 2, 3, 8, 8)
    L.cudnnSetFilter4dDescriptor(w, dtype, layout, 4, 3, 3, 3)
    L.cudnnSetConvolution2dDescriptor(c, 1, 1, 1, 1, 1, 1, mode, dtype)
    dims = L.cudnnGetConvolution2dForwardOutputDim(c, x, w)
    L.cudnnSetTensor4dDescriptor(y, layout, dtype, *dims)
def destroy():
    for d in (x, y): L.cudnnDestroyTensorDescriptor(d)
    L.cudnnDestroyFilterDescriptor(w); L.cudnnDestroyConvolutionDescriptor(c)
    try: L.cudnnDestroy(h)
    except L.CudnnError: pass  # after a fault of the device every call fails
dx, dw = cupy.ones((2, 3, 8, 8), dtype=cupy.float32), cupy.ones((4, 3, 3, 3), dtype=cupy.float32)
dy = cupy.zeros((2, 4, 8, 8), dtype=cupy.float32)
GEMM, FFT = L.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, L.CUDNN_CONVOLUTION_FWD_ALGO_FFT
def forward(algo=GEMM, space=None, size=0, alpha=1.0, beta=0.0):
    L.cudnnConvolutionForward(h, alpha, x, dx, w, dw, c, algo, space, size, beta, y, dy)
describe()
"""

BUGS: list[tuple[str, str]] = [
    ("leaks_descriptor", "forward(); L.cudnnCreateTensorDescriptor(); destroy()"),
    ("leaks_memory", "p = cuda.cudaMalloc(64); forward(); destroy()"),
    ("leaks_handle", "g = L.cudnnCreate(); forward(); destroy()"),
    ("double_destroy", "forward(); destroy()\ntry: L.cudnnDestroyTensorDescriptor(x)\nexcept L.CudnnError: pass"),
    ("use_after_destroy", "forward(); destroy()\ntry: L.cudnnGetTensorSizeInBytes(x)\nexcept L.CudnnError: pass"),
    ("host_pointer_given", "dx = np.ones((2, 3, 8, 8), np.float32); forward(); destroy()"),
    ("workspace_too_small", """
size = L.cudnnGetConvolutionForwardWorkspaceSize(h, x, w, c, y, FFT)
try: forward(FFT, cupy.empty(size // 2, cupy.uint8), size // 2)
except L.CudnnError: pass
destroy()"""),
    ("workspace_too_small", """
size = L.cudnnGetConvolutionForwardWorkspaceSize(h, x, w, c, y, FFT)
space = cupy.empty(size // 2, cupy.uint8)
forward(FFT, space, size); destroy()"""),
    ("fixed_workspace_size", "forward(FFT, cupy.empty(8 << 20, cupy.uint8), 8 << 20); destroy()"),
    ("scalar_wrong_type", "forward(alpha=np.float64(1), beta=np.float64(0)); destroy()"),
    ("integer_scalars", "forward(alpha=ctypes.c_int(1)); destroy()"),
    ("convolution_mode_flip", "describe(mode=L.CUDNN_CONVOLUTION); forward(); destroy()"),
    ("status_ignored", """
try: L.cudnnSetTensor4dDescriptor(x, 0, 0, 0, 3, 8, 8)
except L.CudnnError: pass
forward(); destroy()"""),
    ("buffer_too_small", "dy = cupy.zeros((2, 4, 4, 4), dtype=cupy.float32); forward(); destroy()"),
    ("view_described_as_packed", "dx = cupy.ones((2, 3, 8, 16), dtype=cupy.float32)[..., ::2]; forward(); destroy()"),
    ("find_in_hot_path", """
for _ in range(2): L.cudnnFindConvolutionForwardAlgorithm(h, x, w, c, y, 3)
forward(); destroy()"""),
]  # fmt: skip

CLEAN: list[str] = [
    "forward(); dy.get(); destroy()",
    "forward(); forward(beta=1.0); cupy.asnumpy(dy); destroy()",
    """
best = next(e for e in L.cudnnGetConvolutionForwardAlgorithm_v7(h, x, w, c, y, 8) if e.status == L.CUDNN_STATUS_SUCCESS)
L.cudnnSetConvolutionMathType(c, best.mathType)
space = cupy.empty(max(best.memory, 1), cupy.uint8)
forward(best.algo, space, best.memory); dy.get(); destroy()""",
    """
size = L.cudnnGetConvolutionForwardWorkspaceSize(h, x, w, c, y, FFT)
space = cupy.empty(size, cupy.uint8)
for _ in range(3): forward(FFT, space, size)
cupy.cuda.Device().synchronize(); destroy()""",
    """
with cupy.cuda.Stream() as stream:
    L.cudnnSetStream(h, stream)
    forward()
    stream.synchronize()
dy.get(); destroy()""",
    """
dx = cupy.ones((2, 3, 8, 16), dtype=cupy.float32)[..., ::2]
L.cudnnSetTensor4dDescriptorEx(x, L.CUDNN_DATA_FLOAT, 2, 3, 8, 8, *(step // 4 for step in dx.strides))
forward(); destroy()""",
    """
describe(layout=L.CUDNN_TENSOR_NHWC)
dx = cupy.ascontiguousarray(dx.transpose(0, 2, 3, 1))
forward(); destroy()""",
    """
for algo in L.cudnnConvolutionFwdAlgo_t:
    try:
        forward(algo)
        break
    except L.CudnnError:
        continue
dy.get(); destroy()""",
    """
p = cuda.cudaMalloc(2 * 4 * 8 * 8 * 4)
dy = p
forward()
out = np.empty((2, 4, 8, 8), np.float32)
cuda.cudaMemcpy(out, p, out.nbytes, cuda.cudaMemcpyDeviceToHost)
cuda.cudaFree(p); destroy()""",
]
