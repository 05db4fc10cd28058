import libcudnn as cudnn


def global_average(handle, x, y, N, C, H, W):
    # Describe x and y, and a pooling whose window covers one channel of one image.
    # Then call cudnnPoolingForward and give everything back.
    pass
