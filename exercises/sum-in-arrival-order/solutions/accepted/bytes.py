import struct


def r(v):
    return struct.unpack("f", struct.pack("f", v))[0]


def sum_twice(blocks, each, values, arrival, bits):
    parts = []
    for b in range(blocks):
        s = 0.0
        for i in range(each):
            s = r(s + float(values[b * each + i]))
        parts.append(s)
    for k, order in ((0, arrival), (1, range(blocks))):
        s = 0.0
        for b in order:
            s = r(s + parts[int(b)])
        bits[k] = struct.unpack("i", struct.pack("f", s))[0]
