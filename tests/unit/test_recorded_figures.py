"""Figures in the lessons on PyTorch, reproducibility and fusion are those of the records, in both languages."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from grader.paths import ROOT

LESSONS = ROOT / "lessons"


def record(name: str) -> Any:
    return json.loads((LESSONS / "records" / f"{name}.json").read_text("utf-8"))


def of_switches() -> Iterator[str]:
    pytorch = record("h200-pytorch")
    for row in pytorch["first calls"]:
        yield f"{row['forward, first calls'][0]:,.0f} ms"
        yield f"{row['forward']:.3f} ms"
    for call in pytorch["each call"]["conv, benchmark=True"]:
        yield f"{call['ms']:.1f}" if call["ms"] > 1 else f"{call['ms']:.2f}"
    for network in pytorch["price of determinism"]:
        yield f"| {network['deterministic / benchmark']:.2f} |"
    for layer in record("h200-cudnn-9.19")["layers"]:
        wanted = [("5x5", "DEFAULT"), ("3x3", "FMA"), ("mnist 2", "DEFAULT")]
        if (layer["layer"], layer["math"]) not in wanted:
            continue
        times = {run["algo"]: run["device_ms"] for run in layer["runs"] if run.get("status") == 0}
        first = times[next(entry["algo"] for entry in layer["heuristic"] if entry["status"] == 0)]
        yield f"{first:.3f} ms"
        yield f"{min(times.values()):.3f} ms"
        yield f"{100 * (first / min(times.values()) - 1):.0f}%"


def of_reproducibility() -> Iterator[str]:
    repeated = record("h200-training-and-types")["repeatability"]
    rows = [row for layer in repeated if layer["math"] == "DEFAULT" for row in layer["rows"]]
    atomic = next(row for row in rows if (row["direction"], row["algo"]) == ("BackwardFilter", "ALGO_0"))
    yield str(atomic["distinct"])
    yield f"{100 * atomic['elements_that_differ'] / atomic['elements']:.0f}%"
    yield f"{atomic['max_difference / max|y|']:.8f}"
    tf32 = record("h200-pytorch")["which decimal"]["TF32 on against off"]
    yield f"{100 * tf32['share that differs']:.2f}%"
    yield f"{tf32['max|difference| / max|y|']:.5f}"


def of_fusion() -> Iterator[str]:
    pytorch = record("h200-pytorch")
    fusion, attention = pytorch["fusion"], pytorch["attention"]
    for key in ("legacy calls_ms", "BiasActivationForward_ms", "graph_ms"):
        yield f"{fusion[key]:.4f} ms"
    legacy, joined = (round(1000 * fusion[key], 1) for key in ("legacy calls_ms", "BiasActivationForward_ms"))
    yield f"{legacy - joined:.1f} µs"
    yield f"{100 * fusion['graph against three calls']['share that differs']:.0f}%"
    yield str(fusion["graph against three calls"]["max|difference|"])
    for kind in ("fused", "parts"):
        yield f"{attention[kind]['device_ms']:.3f}"
        yield f"{attention[kind]['peak_extra_bytes'] / 1e6:.1f}"


FIGURES = {
    "220-pytorch-switches": of_switches,
    "230-reproducibility": of_reproducibility,
    "250-fusion-and-attention": of_fusion,
}


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("lesson", FIGURES)
def test_a_lesson_tells_the_recorded_figures(lesson: str, language: str) -> None:
    text = (LESSONS / lesson / f"{language}.md").read_text("utf-8")
    figures = list(FIGURES[lesson]())
    assert len(figures) > 4
    assert [figure for figure in figures if figure not in text] == []
