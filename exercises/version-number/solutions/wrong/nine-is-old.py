# verdict: wrong_answer
# case: first-of-9
# why: takes the new rule only above 90000, so that 9.0.0 becomes version 90


def decode_version(version, parts):
    scale = 10000 if version > 90000 else 1000
    parts[:] = version // scale, version % scale // 100, version % 100
