import numpy as np


def compare(count, a, b, report):
    # Compares the numbers, not their bits, and does not measure how far apart they are.
    report[0], report[1], report[2] = np.count_nonzero(a != b), -1, 0
