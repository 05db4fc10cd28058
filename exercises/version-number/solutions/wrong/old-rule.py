# verdict: wrong_answer
# case: current
# why: divides by 1000 as was right up to version 8, so that 91900 becomes version 91
def decode_version(version, parts):
    scale = 1000
    parts[0] = version // scale
    parts[1] = version % scale // 100
    parts[2] = version % 100
