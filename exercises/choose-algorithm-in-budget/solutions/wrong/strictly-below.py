# verdict: wrong_answer
# case: five-by-five-exact
# why: demands less than the budget where equal still fits
import libcudnn as cudnn


def choose(count, algo, status, time, memory, budget, chosen):
    best = None
    for i in range(count):
        if status[i] != cudnn.CUDNN_STATUS_SUCCESS or memory[i] >= budget > 0:
            continue
        if best is None or time[i] < time[best]:
            best = i
    chosen[0] = cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM if best is None else algo[best]
