# verdict: wrong_answer
# case: version-8
# why: divides by 10000 always, so that version 8 becomes version 0
def decode_version(version, parts):
    scale = 10000
    parts[0] = version // scale
    parts[1] = version % scale // 100
    parts[2] = version % 100
