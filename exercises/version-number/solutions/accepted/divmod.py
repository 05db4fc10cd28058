def decode_version(version, parts):
    major, rest = divmod(version, 10000 if version >= 90000 else 1000)
    parts[:] = (major, *divmod(rest, 100))
