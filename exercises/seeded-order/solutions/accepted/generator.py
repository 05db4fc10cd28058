def numbers(state):
    """Endless numbers of SplitMix64."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        yield z ^ z >> 31


def order(count, seed, epoch, indices):
    random = numbers(next(numbers(seed)) + epoch)
    shuffled = list(range(count))
    for i in reversed(range(1, count)):
        j = next(random) % (i + 1)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    indices[:] = shuffled
