def choose(count, algo, status, time, memory, budget, chosen):
    # Takes the first entry, which may be slow, too large, or unable to run.
    chosen[0] = algo[0]
