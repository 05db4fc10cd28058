# verdict: wrong_answer
# case: photographs
# why: fills the added channels with ones
def pad_channels(handle, x, padded, N, C, H, W):
    padded.fill(1)
    padded[..., :C] = x
