# verdict: wrong_answer
# case: photographs
# why: leaves in the added channels what was there before
def pad_channels(handle, x, padded, N, C, H, W):
    padded[..., :C] = x
