MASK = 0xFFFFFFFFFFFFFFFF


class SplitMix:
    def __init__(self, state):
        self.state = state & MASK

    def next(self):
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)


def order(count, seed, epoch, indices):
    random = SplitMix(SplitMix(seed).next() + epoch)
    for i in range(count):
        indices[i] = i
    for i in range(count - 1, 0, -1):
        j = random.next() % (i + 1)
        indices[i], indices[j] = indices[j], indices[i]
