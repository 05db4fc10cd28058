"""``python -m tests.native.parity.gpu [--calls N] [--convolutions N] [--report FILE]``: the simulator against a GPU.

Generated API calls (as ``tests.native.parity``, but with a driver under the real library) and generated convolutions.
Exit status 0 where at least 99 % of the statuses are equal and every result lies within its tolerance.
"""

import argparse
import contextlib
import datetime
import io
import json
import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from grader.backends import BackendUnavailableError, nvidia
from tests.native.parity import convolutions
from tests.native.parity.__main__ import both, simulated_functions
from tests.native.parity.compare import compare
from tests.native.parity.generate import generate
from tests.native.parity.installed import ROOT, SIMULATED

SIMULATED_CUDART = SIMULATED.with_name("libcudart.so.12")
LEAST = 0.99


def convolution_answers(cudnn: Path, cudart: Path, count: int, seed: int, folder: Path) -> dict[str, Any]:
    out = folder / f"convolutions-{cudnn.parent.parent.name}"
    words = [str(cudnn), str(cudart), str(count), str(seed), str(out)]
    command = [sys.executable, "-m", "tests.native.parity.convolutions", *words]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "FP_SIM_MEMORY_MIB": "4096"})
    return dict(pickle.loads(out.read_bytes()))


def compare_calls(found: nvidia.Libraries, count: int, seed: int, folder: Path) -> dict[str, Any]:
    """How many generated calls agree; the differences as the comparison prints them."""
    drawn = generate(count, seed, simulated_functions())
    calls, real, simulated = both(found.cudnn, drawn, folder)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        agreed, compared = compare(calls, real, simulated, 3)
    equal = sum(a["s"] == b["s"] for a, b in zip(real, simulated, strict=False))
    return {
        "compared": compared,
        "agree": agreed,
        "equal statuses": equal,
        "of": len(calls),
        "left out, since the real library dies in them": len(drawn) - len(calls),
        "differences": printed.getvalue().splitlines(),
    }


def compare_convolutions(found: nvidia.Libraries, count: int, seed: int, folder: Path) -> dict[str, Any]:
    real = convolution_answers(found.cudnn, found.cudart, count, seed, folder)
    simulated = convolution_answers(SIMULATED, SIMULATED_CUDART, count, seed, folder)
    result = convolutions.compare(convolutions.problems(count, seed), real["answers"], simulated["answers"])
    names, tolerance = convolutions.NAMES, convolutions.TOLERANCE
    return {
        "problems": count,
        "results": result.convolutions,
        "within tolerance": result.within,
        "tolerance (largest difference / largest |result|)": {
            **{names[dtype]: value for dtype, value in tolerance.items()},
            "float FMA": convolutions.FLOAT_FMA,
            "WINOGRAD_NONFUSED": convolutions.WINOGRAD,
            "half sums": convolutions.HALF_SUMS,
            "half sums in order": 0.0,
        },
        "largest difference / largest |result|": result.worst,
        "statuses": result.statuses,
        "equal statuses": result.same_statuses,
        "workspaces": result.workspaces,
        "equal workspaces": result.same_workspaces,
        "dims": result.dims,
        "equal dims": result.same_dims,
        "status differences": dict(result.status_differences.most_common()),
        "differences": result.differences[:60],
    }


def facts(found: nvidia.Libraries) -> dict[str, Any]:
    return {
        "device": nvidia.device_name(),
        "driver": nvidia.driver_version(),
        "cudnn": nvidia.check_versions(found),
        "date": datetime.date.today().isoformat(),
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.native.parity.gpu", description=__doc__)
    parser.add_argument("--calls", type=int, default=4000)
    parser.add_argument("--convolutions", type=int, default=450)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, help="write the whole comparison here, as JSON")
    options = parser.parse_args()
    try:
        nvidia.nodes()
        found = nvidia.libraries()
        report = facts(found)
    except BackendUnavailableError as error:
        print(f"parity: {error}; {error.mend}")
        return 1
    os.environ["LD_LIBRARY_PATH"] = ":".join(map(str, found.search))
    with tempfile.TemporaryDirectory() as folder:
        report["calls"] = calls = compare_calls(found, options.calls, options.seed, Path(folder))
        report["convolutions"] = convs = compare_convolutions(found, options.convolutions, options.seed, Path(folder))
    if options.report:
        options.report.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print("\n".join(calls["differences"]))
    for line, times in convs["status differences"].items():
        print(f"  {times:5d} × {line}")
    print(f"parity: {convs['within tolerance']} of {convs['results']} results within tolerance; worst: ", end="")
    print(convs["largest difference / largest |result|"])
    print(f"parity: {convs['equal workspaces']} of {convs['workspaces']} workspaces equal")
    statuses, equal = calls["of"] + convs["statuses"], calls["equal statuses"] + convs["equal statuses"]
    print(f"parity: {equal} of {statuses} statuses equal ({equal / statuses:.2%})")
    print(f"parity: {calls['agree']} of {calls['compared']} calls agree")
    good = equal / statuses >= LEAST and convs["within tolerance"] == convs["results"]
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
