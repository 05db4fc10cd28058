"""Two libraries' answers to the same calls, side by side."""

from collections import Counter
from typing import Any

from tests.native.parity.values import CANARY


def same_status(a: object, b: object) -> bool:
    """Statuses agree by category where the real library's detail differs between releases (2xxx, 3xxx)."""
    if isinstance(a, int) and isinstance(b, int) and a >= 2000 and b < 4000:
        return a // 1000 == b // 1000
    return a == b


def writes_past_the_request(call: dict[str, Any], real: dict[str, Any]) -> bool:
    """The real library writes dimA[1] of vectors of channels even where fewer than two dimensions were asked for."""
    place = {"cudnnGetTensorNdDescriptor": 4, "cudnnGetFilterNdDescriptor": 5}.get(call["f"])
    if place is None or call["a"][1][0] != "int" or call["a"][1][1] >= 2 or call["a"][place] == ["null"]:
        return False
    outputs = [i for i, spec in enumerate(call["a"]) if spec[0] == "out"]
    return bool(real["o"][outputs.index(place)][1] != CANARY)


def needs_a_driver(call: dict[str, Any], real: dict[str, Any]) -> bool:
    """1008: the real library could not load its engines, which need the driver; it says so before it looks further."""
    return bool(real["s"] == 1008)


EXPLAINED = {
    needs_a_driver: "cannot load its engines without a driver",
    writes_past_the_request: "writes past the caller's array for a vectorised tensor; the simulator does not",
}
"""Differences that are wanted: they are named and left out of the count."""


def explanation(call: dict[str, Any], real: dict[str, Any]) -> str | None:
    return next((text for applies, text in EXPLAINED.items() if applies(call, real)), None)


def agrees(real: dict[str, Any], simulated: dict[str, Any]) -> bool:
    """Outputs are compared as texts, so that a NaN equals a NaN."""
    return same_status(real["s"], simulated["s"]) and str(real["o"]) == str(simulated["o"])


def describe(call: dict[str, Any]) -> str:
    return f"{call['f']}({', '.join(map(short, call['a']))})"


def short(spec: list[Any]) -> str:
    if spec[0] in ("int", "double", "size", "float", "long"):
        return str(spec[1])
    if spec[0] == "elements":
        return str(spec[2])[:60]
    if spec[0] == "slot":
        return f"{spec[1].removeprefix('cudnn')}#{spec[2]}"
    return str(spec[1])[:60] if spec[0] == "array" else str(spec[0])


def compare(
    calls: list[dict[str, Any]], real: list[dict[str, Any]], simulated: list[dict[str, Any]], limit: int
) -> tuple[int, int]:
    """Prints the disagreements, at most `limit` a function; returns how many calls agree, of how many compared."""
    agreed, wrong, wanted = 0, Counter[str](), Counter[str]()
    for call, a, b in zip(calls, real, simulated, strict=False):
        if agrees(a, b):
            agreed += 1
        elif reason := explanation(call, a):
            wanted[reason] += 1
        else:
            wrong[call["f"]] += 1
            if wrong[call["f"]] <= limit:
                print(f"  {describe(call)}\n    real {a['s']} {a['o']}\n    sim  {b['s']} {b['o']}")
    for name, count in wrong.most_common():
        print(f"  {count:5d} disagreements in {name}")
    for text, count in wanted.items():
        print(f"parity: {count} differences are wanted and not counted: the real library {text}")
    return agreed, len(calls) - wanted.total()
