"""Both sums with every addition rounded to float, as bits."""

import numpy as np


def add_up(numbers):
    total = np.float32(0)
    for number in numbers:
        total = np.float32(total + number)
    return total


def reference(inputs, parameters):
    values = inputs["values"].astype(np.float32).reshape(parameters["B"], parameters["E"])
    partial = np.array([add_up(block) for block in values])
    sums = np.array([add_up(partial[inputs["arrival"].astype(int)]), add_up(partial)])
    return {"bits": sums.view(np.int32).astype(np.float64)}


def mistakes(inputs, parameters):
    partial = inputs["values"].reshape(parameters["B"], parameters["E"])
    sums = [sum(float(sum(block)) for block in partial[order]) for order in (inputs["arrival"].astype(int), slice(None))]
    return {"summed_in_double": {"bits": np.array(sums, np.float32).view(np.int32).astype(np.float64)}}
