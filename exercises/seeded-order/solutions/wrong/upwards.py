# verdict: wrong_answer
# case: five-samples
# why: swaps from the front, where the order demands from the back
import numpy as np

MASK = np.uint64(0xFFFFFFFFFFFFFFFF)


def order(count, seed, epoch, indices):
    golden, a, b = (np.uint64(v) for v in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))

    def mix(z):
        z = (z ^ (z >> np.uint64(30))) * a
        z = (z ^ (z >> np.uint64(27))) * b
        return z ^ (z >> np.uint64(31))

    with np.errstate(over="ignore"):
        h = mix(np.uint64(seed) + golden)
        start = h + np.uint64(epoch)
        draws = mix(start + golden * np.arange(1, count + 1, dtype=np.uint64))
    perm = list(range(count))
    for n, i in enumerate(range(1, count)):
        j = int(draws[n]) % (i + 1)
        perm[i], perm[j] = perm[j], perm[i]
    indices[:] = perm
