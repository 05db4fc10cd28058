# verdict: wrong_answer
# case: photographs
# why: puts the zeros before the channels
def pad_channels(handle, x, padded, N, C, H, W):
    padded.fill(0)
    padded[..., -C:] = x
