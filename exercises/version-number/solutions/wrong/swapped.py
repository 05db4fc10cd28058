# verdict: wrong_answer
# case: current
# why: puts the patch where the minor version belongs
def decode_version(version, parts):
    scale = 10000 if version >= 90000 else 1000
    parts[0] = version // scale
    parts[2] = version % scale // 100
    parts[1] = version % 100
