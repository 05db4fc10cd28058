"""The trace reader on good, damaged and hostile buffers."""

import json
import random
import struct

import pytest

from grader.checkers.trace_reader import HEADER_BYTES, MAX_CALLS, MAX_LINE_BYTES, read_trace

LINE = {"i": 0, "f": "cudnnDestroy", "a": {"handle": {"kind": "handle", "id": "handle#1"}}, "o": {}, "s": 0, "us": 1.5,
        "pc": 4660, "line": 3, "case": "one", "t": 1}  # fmt: skip


def buffer(*lines: bytes, flight: bytes = b"", written: int | None = None, dropped: int = 0) -> bytes:
    body = b"\n".join(lines) + b"\n"
    counters = struct.pack("<QQQI", len(body) if written is None else written, dropped, len(lines), len(flight))
    return (b"FPTRACE1" + counters + flight).ljust(HEADER_BYTES, b"\0") + body


def encode(**changed: object) -> bytes:
    return json.dumps(LINE | changed).encode()


def test_a_line_becomes_a_call() -> None:
    trace = read_trace(buffer(encode(), dropped=4))
    (call,) = trace.calls
    assert (call.index, call.name, call.status, call.status_name) == (0, "cudnnDestroy", 0, "CUDNN_STATUS_SUCCESS")
    assert (call.micros, call.line, call.case, call.thread) == (1.5, 3, "one", 1)
    assert (trace.offsets, trace.dropped) == ({0: [4660]}, 4)


def test_statuses_get_the_names_of_their_library() -> None:
    trace = read_trace(buffer(encode(s=2000), encode(i=1, f="cudaFree", s=700), encode(i=2, f="cudaFree", s=12345)))
    assert [call.status_name for call in trace.calls] == ["CUDNN_STATUS_BAD_PARAM", "cudaErrorIllegalAddress", "12345"]


def test_calls_are_sorted_and_notes_kept() -> None:
    trace = read_trace(buffer(encode(i=2), b'{"note":"leak","call":2}', encode(i=1)))
    assert [call.index for call in trace.calls] == [1, 2]
    assert trace.notes == [{"note": "leak", "call": 2}]


def test_a_call_in_flight_has_no_status_unless_it_returned_after_all() -> None:
    flight = encode(i=5) + b"\n" + encode(i=0)
    trace = read_trace(buffer(encode(), flight=flight))
    assert [(call.index, call.status) for call in trace.calls] == [(0, 0), (5, None)]


@pytest.mark.parametrize(
    "bad",
    [
        b"{",
        b"[]",
        b"nonsense",
        b'{"i":1}',
        encode(f="rm"),
        encode(i=-1),
        encode(i="1"),
        encode(s="0"),
        encode(s=None),
        encode(i=True),
        b'{"a":' * 5000,
        b"9" * 5000,
        b"\xff\xfe" * 20,
        b'{"x":"' + b"y" * MAX_LINE_BYTES + b'"}',
    ],
)
def test_damaged_lines_count_as_dropped(bad: bytes) -> None:
    trace = read_trace(buffer(bad, encode()))
    assert (len(trace.calls), trace.dropped) == (1, 1)


def test_a_line_whose_writer_was_killed_is_zeros_and_no_loss() -> None:
    assert read_trace(buffer(b"\0" * 80, encode())).dropped == 0


@pytest.mark.parametrize("data", [b"", b"FPTRACE1", b"x" * 5000, b"FPTRACE2".ljust(5000, b"\0")])
def test_what_is_no_trace_is_an_empty_one(data: bytes) -> None:
    trace = read_trace(data)
    assert (trace.calls, trace.notes, trace.dropped) == ([], [], 0)


def test_lengths_beyond_the_buffer_are_cut() -> None:
    assert len(read_trace(buffer(encode(), written=1 << 60)).calls) == 1
    assert read_trace(buffer(encode(), written=0)).calls == []
    head = b"FPTRACE1" + struct.pack("<QQQI", 0, 2**64 - 1, 0, 2**32 - 1)
    assert read_trace(head.ljust(HEADER_BYTES, b"\0")).dropped == 2**53


def test_content_stays_small_and_is_json() -> None:
    deep: object = "end"
    for _ in range(50):
        deep = {"x": deep}
    wild = {"text": "x" * 9999, "big": 10**300, "inf": float("inf"), "nan": float("nan"), "deep": deep,
            "list": list(range(3000)), "id": ["not", "a", "text"]}  # fmt: skip
    trace = read_trace(buffer(encode(a=wild, us=float("inf"), line="7", case=5, pc=-3)))
    (call,) = trace.calls
    text = json.dumps(call.args, allow_nan=False)
    assert len(text) < 10_000
    assert isinstance(call.args["id"], str)
    assert (call.micros, call.line, call.case, trace.offsets) == (0.0, 0, "", {})


def test_a_flood_of_calls_is_cut() -> None:
    trace = read_trace(buffer(*(encode(i=i) for i in range(MAX_CALLS + 10))))
    assert (len(trace.calls), trace.dropped) == (MAX_CALLS, 10)


@pytest.mark.parametrize("seed", range(50))
def test_random_damage_never_raises(seed: int) -> None:
    source = random.Random(seed)
    data = bytearray(buffer(*(encode(i=i) for i in range(20)), flight=encode(i=99)))
    for _ in range(200):
        data[source.randrange(8, len(data))] = source.randrange(256)
    trace = read_trace(bytes(data))
    json.dumps([call.args for call in trace.calls], allow_nan=False)


def test_gpu_times_belong_to_their_calls() -> None:
    lines = [b'{"gpu":1,"us":12.5}', b'{"gpu":-1,"us":1}', b'{"gpu":0,"us":"x"}', b'{"gpu":0,"us":-2}']
    trace = read_trace(buffer(encode(i=0), encode(i=1), *lines))
    assert [call.gpu_us for call in trace.calls] == [None, 12.5]
    assert trace.dropped == 3
