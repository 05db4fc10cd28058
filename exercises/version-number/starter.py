# 91900 → 9, 19, 0;  8902 → 8, 9, 2
def decode_version(version, parts):
    parts[0] = version
    parts[1] = 0
    parts[2] = 0
