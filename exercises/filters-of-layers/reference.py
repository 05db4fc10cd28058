"""The sizes of a layer's filter: K, C of one group, R, S, the format's number, and the bytes of all elements."""

import numpy as np


def reference(inputs, parameters):
    p = parameters
    sizes = [p["outputs"], p["inputs"] // p["groups"], p["R"], p["S"]]
    bytes_ = int(np.prod(sizes)) * (2 if p["half"] else 4)
    return {"report": np.array([*sizes, p["channels_last"], bytes_], dtype=np.float64)}
