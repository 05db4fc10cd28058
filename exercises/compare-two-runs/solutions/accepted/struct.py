import struct


def bits_of(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def key(bits):
    size = bits & 0x7FFFFFFF
    return -size if bits >> 31 else size


def compare(count, a, b, report):
    report[0], report[1], report[2] = 0, -1, 0
    for i in range(count):
        left, right = bits_of(a[i]), bits_of(b[i])
        if left == right:
            continue
        if report[0] == 0:
            report[1] = i
        report[0] += 1
        report[2] = max(report[2], abs(key(left) - key(right)))
