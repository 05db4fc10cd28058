def order(count, seed, epoch, indices):
    # Not shuffled yet: every epoch sees the samples in the same order.
    for i in range(count):
        indices[i] = i
