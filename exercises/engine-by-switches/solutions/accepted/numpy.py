import numpy as np


def choose(count, status, time, deterministic_engine, tensor_core_engine, benchmark, deterministic, allow_tf32,
           benchmark_limit, chosen):
    keep = status == 0
    if deterministic:
        keep = keep & (deterministic_engine == 1)
    if not allow_tf32:
        keep = keep & (tensor_core_engine == 0)
    left = np.flatnonzero(keep)
    if benchmark and benchmark_limit:
        left = left[:benchmark_limit]
    if len(left) == 0:
        chosen[0] = -1
    elif benchmark:
        chosen[0] = left[np.argmin(time[left])]
    else:
        chosen[0] = left[0]
