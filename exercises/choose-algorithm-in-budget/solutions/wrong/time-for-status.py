# verdict: wrong_answer
# case: old-times-and-gigabytes
# why: takes any time that is not -1 for a sign of success


def choose(count, algo, status, time, memory, budget, chosen):
    fitting = [i for i in range(count) if time[i] >= 0 and memory[i] <= budget]
    chosen[0] = algo[min(fitting, key=lambda i: time[i])] if fitting else 0
