import libcudnn as cudnn


def choose(count, algo, status, time, memory, budget, chosen):
    fits = [i for i in range(count) if status[i] == cudnn.CUDNN_STATUS_SUCCESS and memory[i] <= budget]
    best = min(fits, key=lambda i: time[i], default=None)
    chosen[0] = cudnn.CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM if best is None else algo[best]
