# verdict: wrong_answer
# case: three-by-three-30-mb
# why: takes the first entry that fits although the list is not sorted
import libcudnn as cudnn


def choose(count, algo, status, time, memory, budget, chosen):
    best = None
    for i in range(count):
        if status[i] != cudnn.CUDNN_STATUS_SUCCESS or memory[i] > budget:
            continue
        if best is None:
            best = i
    chosen[0] = cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM if best is None else algo[best]
