import libcudnn as cudnn


def diagnose(N, C, H, W, K, filter_c, R, S, pad, stride, report):
    x, w = cudnn.cudnnCreateTensorDescriptor(), cudnn.cudnnCreateFilterDescriptor()
    conv = cudnn.cudnnCreateConvolutionDescriptor()

    # 1. cudnnSetTensor4dDescriptor      2. cudnnSetFilter4dDescriptor
    # 3. cudnnSetConvolution2dDescriptor 4. cudnnGetConvolution2dForwardOutputDim
    # Stop at the first that fails (CudnnError). report = (number of that call, its status, 0, 0, 0, 0);
    # where none fails, report = (0, 0, n, k, p, q).
    report[:] = 0

    cudnn.cudnnDestroyConvolutionDescriptor(conv)
    cudnn.cudnnDestroyFilterDescriptor(w)
    cudnn.cudnnDestroyTensorDescriptor(x)
