"""``python -m tests.native.parity [--calls N] [--seed S] [--real LIBRARY]``: exit status 0 when every call agrees."""

import argparse
import ctypes
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.native.parity import attributes
from tests.native.parity.compare import compare, describe
from tests.native.parity.execute import DIED
from tests.native.parity.generate import generate
from tests.native.parity.installed import ROOT, SIMULATED, install_real
from tests.native.parity.values import FUNCTIONS


def simulated_functions() -> set[str]:
    """The functions of the API table that the simulated libcudnn exports."""
    simulator = ctypes.CDLL(str(SIMULATED))
    return {name for name, f in FUNCTIONS.items() if f.library == "cudnn" and hasattr(simulator, name)}


def answers(library: Path, calls: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """What `library` answers, in a process of its own, which must live to the end."""
    source, out = folder / "calls", folder / f"answers-{library.parent.parent.name}"
    source.write_text("".join(json.dumps(call) + "\n" for call in calls), encoding="utf-8")
    command = [sys.executable, "-m", "tests.native.parity.execute", str(library), str(source), str(out)]
    subprocess.run(command, cwd=ROOT, check=False, stderr=subprocess.DEVNULL)
    found = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    if len(found) < len(calls):
        raise SystemExit(f"parity: {library} died in call {len(found)}: {describe(calls[len(found)])}")
    return found


def both(
    real_library: Path, calls: list[dict[str, Any]], folder: Path
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
    """The calls that the real library survives, its answers and the simulator's; says which ones it does not."""
    found = answers(real_library, calls, folder)
    lived = [place for place, answer in enumerate(found) if answer["s"] != DIED]
    if len(lived) < len(calls):
        names = sorted({call["f"] for call, answer in zip(calls, found, strict=True) if answer["s"] == DIED})
        print(f"parity: {len(calls) - len(lived)} calls are left out, since the real library dies in them: a null")
        print(f"parity: pointer or an extreme number that it follows, in {len(names)} functions")
    kept = [calls[place] for place in lived]
    simulated = answers(SIMULATED, kept, folder)
    for call, answer in zip(kept, simulated, strict=True):
        if answer["s"] == DIED:
            raise SystemExit(f"parity: the simulator dies in {describe(call)}")
    return kept, [found[place] for place in lived], simulated


def coverage(calls: list[dict[str, Any]], real: list[dict[str, Any]], exported: set[str]) -> str:
    """How many of the simulated functions were called, how many were accepted and refused at least once."""
    compared = [(call["f"], answer["s"]) for call, answer in zip(calls, real, strict=True)]
    drawn = {name for name, _ in compared}
    accepted = {name for name, status in compared if status == 0}
    refused = {name for name, status in compared if status != 0}
    missing = f"; not drawn: {', '.join(sorted(exported - drawn))}" if exported - drawn else ""
    return (
        f"parity: {len(drawn & exported)} of {len(exported)} simulated functions were drawn, {len(accepted)} of them "
        f"were accepted and {len(refused)} refused at least once{missing}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.native.parity", description=__doc__)
    parser.add_argument("--calls", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", type=Path, help="libcudnn.so.9 to compare with (default: installed from the wheel)")
    parser.add_argument("--limit", type=int, default=3, help="disagreements of each function to print")
    parser.add_argument(
        "--attributes", type=int, default=1500, help="questions of each sweep of the graph API's attributes; -1: all"
    )
    parser.add_argument("--only", nargs="*", default=[], help="functions to draw, with what sets their descriptors")
    options = parser.parse_args()
    real_library = options.real or install_real()
    exported = simulated_functions()
    calls = generate(options.calls, options.seed, exported, set(options.only))
    with tempfile.TemporaryDirectory() as folder:
        calls, real, simulated = both(real_library, calls, Path(folder))
    agreed, compared = compare(calls, real, simulated, options.limit)
    asked = attributes.sample(options.seed, options.attributes) if not options.only else []
    more = attributes.compare(real_library, SIMULATED, asked, options.limit)
    agreed, compared = agreed + more[0], compared + more[1]
    print("parity: not compared: the wording of last-error texts")
    print(coverage(calls, real, exported))
    print(f"parity: {agreed} of {compared} calls agree")
    return 0 if agreed == compared else 1


if __name__ == "__main__":
    sys.exit(main())
