# verdict: wrong_answer
# case: three-by-three-30-mb
# why: ignores the status, so that an entry that did not run wins with its time of -1
import libcudnn as cudnn


def choose(count, algo, status, time, memory, budget, chosen):
    best = None
    for i in range(count):
        if memory[i] > budget:
            continue
        if best is None or time[i] < time[best]:
            best = i
    chosen[0] = cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM if best is None else algo[best]
