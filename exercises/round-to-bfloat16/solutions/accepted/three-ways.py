import struct


def to_bfloat16(count, values, bits):
    for i in range(count):
        (whole,) = struct.unpack("<I", struct.pack("<f", float(values[i])))
        kept, rest = divmod(whole, 1 << 16)
        if rest > 0x8000 or (rest == 0x8000 and kept % 2 == 1):
            kept += 1
        bits[i] = kept
