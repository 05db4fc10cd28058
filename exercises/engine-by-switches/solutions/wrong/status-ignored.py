# verdict: wrong_answer
# case: benchmark-only
# why: lets an engine that cannot run win with its time of -1
import libcudnn as cudnn


def choose(count, status, time, deterministic_engine, tensor_core_engine, benchmark, deterministic, allow_tf32,
           benchmark_limit, chosen):
    left = []
    for i in range(count):
        if deterministic and not deterministic_engine[i]:
            continue
        if not allow_tf32 and tensor_core_engine[i]:
            continue
        left.append(i)
    if benchmark:
        timed = left[:benchmark_limit] if benchmark_limit else left
        left = sorted(timed, key=lambda i: time[i])
    chosen[0] = left[0] if left else -1
