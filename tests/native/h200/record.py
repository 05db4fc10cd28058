"""Runs every scenario, each in its own process, and stores what came back.

A call that ends the process or the device is stored as such, and the scenario runs again without it.

python -m tests.native.h200.record OUT.json [--cudnn PATH --cudart PATH] [--only NAME …]
"""

import argparse
import glob
import importlib
import json
import site
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.native.h200.session import Library, Session

ROOT = Path(__file__).resolve().parents[3]
TABLE = ROOT / "build/native/generated/api.json"
MODULES = tuple(sorted(path.stem.removeprefix("scenarios_") for path in Path(__file__).parent.glob("scenarios_*.py")))
MAX_RESTARTS = 30


def scenarios() -> dict[str, str]:
    """Name of each scenario → its module."""
    found = {}
    for module in MODULES:
        for function in importlib.import_module(f"tests.native.h200.scenarios_{module}").SCENARIOS:
            found[function.__name__] = module
    return found


def run_one(name: str, library: Library, log: Path, skip: frozenset[str]) -> None:
    """Runs a scenario in this process; every result is a line of `log`."""
    with log.open("w") as lines:
        session = Session(library, log=lines, skip=skip)
        getattr(importlib.import_module(f"tests.native.h200.scenarios_{scenarios()[name]}"), name)(session)
        session.put("last synchronise", int(library.cudaDeviceSynchronize()))


def record(name: str, cudnn: str, cudart: str, log: Path) -> dict[str, Any]:
    """All results of a scenario, by name."""
    ended: dict[str, Any] = {}
    results: dict[str, Any] = {}
    for _ in range(MAX_RESTARTS):
        command = [
            sys.executable,
            "-m",
            "tests.native.h200.record",
            str(log),
            "--one",
            name,
            "--cudnn",
            cudnn,
            "--cudart",
            cudart,
            "--skip",
            json.dumps(list(ended)),
        ]
        try:
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False)
        except subprocess.TimeoutExpired:
            return results | {"broke off": "timeout"}
        lines = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        results = {key: value for kind, key, value in lines if kind == "result"}
        if done.returncode == 0:
            break
        kind, key, value = lines[-1] if lines else ("", "", 0)
        if kind == "begin":
            ended[key] = f"exit {done.returncode}"
        elif kind == "fault":
            ended[key] = value
        else:
            return results | {"broke off": done.stderr[-1500:]}
    log.unlink(missing_ok=True)
    return results | {"ended": ended}


def find(pattern: str) -> str:
    for base in [*site.getsitepackages(), "/usr/local", "/opt"]:
        hits = glob.glob(f"{base}/**/{pattern}", recursive=True)
        if hits:
            return sorted(hits)[0]
    raise FileNotFoundError(f"{pattern} is in none of the usual folders; give --cudnn and --cudart")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--cudnn")
    parser.add_argument("--cudart")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--one", help="run this scenario in this process")
    parser.add_argument("--skip", default="[]", help="JSON list of calls to leave out")
    options = parser.parse_args()
    cudart, cudnn = options.cudart or find("libcudart.so.1[23]"), options.cudnn or find("libcudnn.so.9")
    if options.one:
        run_one(
            options.one, Library(Path(cudnn), Path(cudart), TABLE), options.out, frozenset(json.loads(options.skip))
        )
        return
    names = options.only or list(scenarios())
    with ThreadPoolExecutor(options.jobs) as pool:
        found = pool.map(
            lambda name: record(name, cudnn, cudart, options.out.with_name(f"{options.out.stem}.{name}.log")), names
        )
        results = dict(zip(names, found, strict=True))
    options.out.write_text(json.dumps(results))
    for name, result in results.items():
        print(name, len(result), result.get("ended", ""), result.get("broke off", ""))


if __name__ == "__main__":
    main()
