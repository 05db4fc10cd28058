"""The fastest entry that can run and fits, or IMPLICIT_GEMM (0)."""

import numpy as np


def reference(inputs, parameters):
    fits = (inputs["status"] == 0) & (inputs["memory"] <= parameters["budget"])
    times = np.where(fits, inputs["time"], np.inf)
    best = inputs["algo"][np.argmin(times)] if fits.any() else 0.0
    return {"chosen": np.array([best])}
