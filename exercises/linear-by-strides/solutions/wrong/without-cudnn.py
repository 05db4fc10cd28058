# verdict: api_misuse
# rule: not_called
# why: lets CuPy multiply
import cupy as cp


def linear(handle, x, w, y, M, I, O):
    y[...] = x @ w.T
