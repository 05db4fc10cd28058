def decode_version(version, parts):
    scale = 10000 if version >= 90000 else 1000
    parts[0] = version // scale
    parts[1] = version % scale // 100
    parts[2] = version % 100
