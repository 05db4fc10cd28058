"""The figures of lessons 180 to 210 are those of the recorded runs, in both languages."""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

LESSONS = Path(__file__).resolve().parents[3] / "lessons"
Record = dict[str, Any]


@cache
def record(name: str) -> Record:
    loaded: Record = json.loads((LESSONS / "records" / f"{name}.json").read_text())
    return loaded


def repeated(direction: str, algorithm: str, math: str = "DEFAULT", kind: str = "float") -> Record:
    """The row of 200 runs of one algorithm."""
    groups = record("h200-training-and-types")["repeatability"]
    rows = [row for g in groups if (g["math"], g["type"]) == (math, kind) for row in g["rows"]]
    return next(row for row in rows if (row["direction"], row["algo"]) == (direction, algorithm))


def precise(**wanted: str) -> Record:
    rows: list[Record] = record("h200-training-and-types")["precision"]
    return next(row for row in rows if all(row[key] == value for key, value in wanted.items()))


def precomp(kind: str, layout: str, math: str, compute: str = "float") -> Record:
    return precise(type=kind, layout=layout, math=math, compute=compute, algo="IMPLICIT_PRECOMP_GEMM")


def layout(kind: str, order: str, math: str) -> Record:
    rows: list[Record] = record("h200-training-and-types")["layouts"]["convolutions"]
    return next(row for row in rows if (row["type"], row["layout"], row["math"]) == (kind, order, math))


def channels(c: int, k: int) -> Record:
    rows: list[Record] = record("h200-training-and-types")["channels"]
    return next(row for row in rows if (row["c"], row["k"], row["math"]) == (c, k, "TENSOR_OP"))


def run_of(layer: str, algorithm: str) -> Record:
    layers: list[Record] = record("h200-cudnn-9.19")["layers"]
    first = next(entry for entry in layers if entry["layer"] == layer)
    return next(run for run in first["runs"] if run["algo"] == algorithm)


def ms(row: Record) -> str:
    return f"{row['device_ms']:.3f} ms"


def power(value: float) -> str:
    """As the lessons write it: 2.6·10⁻⁴."""
    digits, exponent = f"{value:.1e}".split("e")
    return f"{digits}·10⁻{str(abs(int(exponent))).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def relative(row: Record) -> str:
    key = "max|err| / max|y|" if "max|err| / max|y|" in row else "max_difference / max|y|"
    return power(row[key])


DETERMINISM = [
    ms(repeated("BackwardFilter", "ALGO_1")),
    ms(repeated("BackwardFilter", "ALGO_0")),
    ms(repeated("BackwardFilter", "ALGO_1", "FMA")),
    ms(repeated("BackwardFilter", "ALGO_0", "FMA")),
    relative(repeated("BackwardData", "ALGO_0")),
    relative(repeated("BackwardFilter", "ALGO_0", "TENSOR_OP", "half")),
    f"{repeated('BackwardFilter', 'ALGO_1')['workspace'] / 1e6:.1f} MB",
]
TYPES = [
    *(ms(precomp("float", "NCHW", math)) for math in ("DEFAULT", "FMA")),
    *(relative(precomp("float", "NCHW", math)) for math in ("DEFAULT", "FMA")),
    *(relative(precomp("half", "NHWC", "TENSOR_OP", compute)) for compute in ("float", "half")),
    relative(precomp("half", "NHWC", "DEFAULT", "half")),
    relative(precomp("bfloat16", "NHWC", "TENSOR_OP")),
    ms(precomp("int8", "NHWC", "DEFAULT", "int32")),
]
LAYOUTS = [
    *(f"{layout('half', order, 'DEFAULT')['device_ms']:.3f}" for order in ("NCHW", "NHWC")),
    *(f"{layout('half', order, 'TENSOR_OP')['device_ms']:.3f}" for order in ("NCHW", "NHWC")),
    *(f"| {channels(c, k)['device_ms']:.3f}" for c, k in ((56, 56), (64, 64), (63, 64), (64, 63), (3, 64), (8, 64))),
    f"**{channels(60, 60)['device_ms']:.3f}**",
]
AUTOTUNING = [
    *(ms(run_of("5x5", algorithm)) for algorithm in ("IMPLICIT_PRECOMP_GEMM", "FFT")),
    *(ms(run_of("mnist 2", algorithm)) for algorithm in ("IMPLICIT_PRECOMP_GEMM", "IMPLICIT_GEMM")),
    ms(run_of("3x3", "IMPLICIT_PRECOMP_GEMM")),
]


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize(
    ("lesson", "figures"),
    [
        ("180-determinism", DETERMINISM),
        ("190-data-types", TYPES),
        ("200-layouts-and-tensor-cores", LAYOUTS),
        ("210-autotuning", AUTOTUNING),
    ],
    ids=["determinism", "types", "layouts", "autotuning"],
)
def test_the_lesson_has_the_figures_of_the_record(lesson: str, figures: list[str], lang: str) -> None:
    text = (LESSONS / lesson / f"{lang}.md").read_text()
    assert [figure for figure in figures if figure not in text] == []


def test_every_algorithm_did_what_its_entry_says() -> None:
    """The lesson claims: one result where the entry says deterministic, 200 where it does not."""
    rows = [row for g in record("h200-training-and-types")["repeatability"] for row in g["rows"] if "distinct" in row]
    assert len(rows) >= 25
    for row in rows:
        assert row["distinct"] == (1 if set(row["determinism_find"]) == {1} else row["runs"])


def test_the_first_search_had_three_winners() -> None:
    processes: list[Record] = record("h200-training-and-types")["autotuning"]["fresh processes"]
    first, last = (Counter(process["3x3"]["winners"][at] for process in processes) for at in (0, -1))
    assert first == {"IMPLICIT_PRECOMP_GEMM": 6, "WINOGRAD_NONFUSED": 3, "FFT_TILING": 1}
    assert last["IMPLICIT_PRECOMP_GEMM"] == 9
