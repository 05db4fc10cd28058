"""``python -m tests.native.parity [--calls N] [--seed S] [--real LIBRARY]``: exit status 0 when every call agrees."""

import argparse
import ctypes
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from tests.native.parity.scenarios import generate, is_cpu_side
from tests.native.parity.values import CANARY, FUNCTIONS

ROOT = Path(__file__).resolve().parents[3]
SIMULATED = ROOT / "build" / "native" / "lib" / "libcudnn.so.9"
WHEEL = "nvidia-cudnn-cu12==9.19.*"
REAL = ROOT / "build" / "parity" / "nvidia" / "cudnn" / "lib" / "libcudnn.so.9"


def install_real() -> Path:
    """The real library below build/parity, installed from its wheel where it is missing (it needs no GPU here)."""
    if REAL.is_file():
        return REAL
    target = REAL.parents[3]
    print(f"parity: installing {WHEEL} into {target} (716 MB)", flush=True)
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    install = [uv, "pip", "install"] if uv else [sys.executable, "-m", "pip", "install"]
    subprocess.run([*install, "--target", str(target), "--no-deps", WHEEL], check=True)
    return REAL


def answers(library: Path, calls: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """What `library` answers, in a process of its own; shorter than `calls` when the process died."""
    source, out = folder / "calls", folder / f"answers-{library.parent.parent.name}"
    source.write_text("".join(json.dumps(call) + "\n" for call in calls), encoding="utf-8")
    command = [sys.executable, "-m", "tests.native.parity.execute", str(library), str(source), str(out)]
    subprocess.run(command, cwd=ROOT, check=False, stderr=subprocess.DEVNULL)
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def real_answers(
    library: Path, count: int, seed: int, exported: set[str], folder: Path
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], set[str]]:
    """Calls, their answers, and the functions in which the real library crashes on a null pointer (left out)."""
    crashing: set[str] = set()
    while True:
        calls = generate(count, seed, exported, crashing)
        found = answers(library, calls, folder)
        if len(found) == len(calls):
            return calls, found, crashing
        fatal = calls[len(found)]
        if ["null"] not in fatal["a"] or fatal["f"] in crashing:
            raise SystemExit(f"parity: the real library died in call {len(found)}: {describe(fatal)}")
        crashing.add(fatal["f"])


def same_status(a: object, b: object) -> bool:
    """Statuses agree by category where the real library's detail differs between releases (2xxx, 3xxx)."""
    if isinstance(a, int) and isinstance(b, int) and a >= 2000 and b < 4000:
        return a // 1000 == b // 1000
    return a == b


def writes_past_the_request(call: dict[str, Any], real: dict[str, Any]) -> bool:
    """The real library writes dimA[1] of vectors of channels even where fewer than two dimensions were asked for."""
    dims = {"cudnnGetTensorNdDescriptor": 2, "cudnnGetFilterNdDescriptor": 3}.get(call["f"])
    return dims is not None and call["a"][1][1] < 2 and real["o"][dims][1] != CANARY


def needs_a_driver(call: dict[str, Any], real: dict[str, Any]) -> bool:
    """1008: the real library could not load its engines, which need the driver; it says so before it looks further."""
    return bool(real["s"] == 1008)


EXPLAINED = {
    needs_a_driver: "cannot load its engines without a driver",
    writes_past_the_request: "writes past the caller's array for a vectorised tensor; the simulator does not",
}
"""Differences that are wanted: they are named and left out of the count."""


def describe(call: dict[str, Any]) -> str:
    shown = [
        str(spec[1])
        if spec[0] in ("int", "double", "size", "float")
        else str(spec[1])[:60]
        if spec[0] == "array"
        else f"{spec[1].removeprefix('cudnn')}#{spec[2]}"
        if spec[0] == "slot"
        else spec[0]
        for spec in call["a"]
    ]
    return f"{call['f']}({', '.join(shown)})"


def compare(
    calls: list[dict[str, Any]], real: list[dict[str, Any]], simulated: list[dict[str, Any]], limit: int
) -> tuple[int, int]:
    """Prints the disagreements, at most `limit` a function; returns how many calls agree, of how many compared."""
    agreed, wrong, wanted = 0, Counter[str](), Counter[str]()
    for call, a, b in zip(calls, real, simulated, strict=False):
        if same_status(a["s"], b["s"]) and a["o"] == b["o"]:
            agreed += 1
            continue
        reason = next((text for applies, text in EXPLAINED.items() if applies(call, a)), None)
        if reason:
            wanted[f"the real library {reason}"] += 1
            continue
        wrong[call["f"]] += 1
        if wrong[call["f"]] <= limit:
            print(f"  {describe(call)}\n    real {a['s']} {a['o']}\n    sim  {b['s']} {b['o']}")
    for name, count in wrong.most_common():
        print(f"  {count:5d} disagreements in {name}")
    for text, count in wanted.items():
        print(f"parity: {count} differences are wanted and not counted: {text}")
    return agreed, len(calls) - wanted.total()


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.native.parity", description=__doc__)
    parser.add_argument("--calls", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", type=Path, help="libcudnn.so.9 to compare with (default: installed from the wheel)")
    parser.add_argument("--limit", type=int, default=3, help="disagreements of each function to print")
    options = parser.parse_args()
    real_library = options.real or install_real()
    simulator = ctypes.CDLL(str(SIMULATED))
    exported = {name for name in FUNCTIONS if hasattr(simulator, name)}
    missing = [
        n for n, f in FUNCTIONS.items() if f.taught and f.library == "cudnn" and n not in exported and is_cpu_side(f)
    ]
    with tempfile.TemporaryDirectory() as folder:
        calls, real, crashing = real_answers(real_library, options.calls, options.seed, exported, Path(folder))
        simulated = answers(SIMULATED, calls, Path(folder))
    if len(simulated) < len(calls):
        print(f"parity: the simulator died in call {len(simulated)}: {describe(calls[len(simulated)])}")
        return 1
    agreed, compared = compare(calls, real, simulated, options.limit)
    if missing:
        print(f"parity: taught but not simulated, so not compared: {', '.join(missing)}")
    if crashing:
        print(f"parity: the real library crashes on a null pointer, so not compared: {', '.join(sorted(crashing))}")
    print("parity: not compared: version numbers (the simulator is 9.19) and the wording of last-error texts")
    print(f"parity: {agreed} of {compared} calls agree")
    return 0 if agreed == compared else 1


if __name__ == "__main__":
    sys.exit(main())
