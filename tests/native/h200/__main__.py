"""``python -m tests.native.h200 store RESULTS.json`` keeps what ``record`` wrote on a GPU as digests;
``python -m tests.native.h200 compare`` prints how far the simulator agrees with them, and each difference."""

import argparse
import gzip
import json
import tempfile
from pathlib import Path
from typing import Any

from tests.native.h200 import record
from tests.native.h200.compare import digest
from tests.native.h200.differences import EXPLAINED, NOT_TAUGHT, RECORDED, STORE, differences, explained

LIBRARIES = record.ROOT / "build/native/lib"


def store(results: Path) -> None:
    """Replaces the recorded answers of the scenarios in `results`."""
    found: dict[str, dict[str, Any]] = json.loads(results.read_text("utf-8"))
    digests = {name: {key: digest(key, value) for key, value in given.items()} for name, given in found.items()}
    text = json.dumps(RECORDED | digests, separators=(",", ":"))
    STORE.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"stored: {', '.join(digests)}")


def compare() -> bool:
    """Runs every taught scenario in the simulator; whether all results agree or have an explanation."""
    agreed = total = allowed = 0
    for name in (name for name in RECORDED if name not in NOT_TAUGHT):
        with tempfile.TemporaryDirectory() as folder:
            cudnn, cudart = str(LIBRARIES / "libcudnn.so.9"), str(LIBRARIES / "libcudart.so.12")
            found = record.record(name, cudnn, cudart, Path(folder) / "log")
        compared, wrong = differences(name, RECORDED[name], found)
        allowed += sum(explained(name, key) for key in RECORDED[name])
        total, agreed = total + compared, agreed + compared - len(wrong)
        for line in wrong:
            print(f"{name}: {line}")
    for name, patterns in EXPLAINED.items():
        for pattern, reason in patterns.items():
            print(f"not compared: {name}, {pattern}: {reason}")
    print(f"h200: {agreed} of {total} results agree; {allowed} not compared, for the reasons above")
    return agreed == total


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.native.h200", description=__doc__)
    parser.add_argument("action", choices=("store", "compare"))
    parser.add_argument("results", type=Path, nargs="?", help="what record wrote")
    options = parser.parse_args()
    if options.action == "compare":
        return 0 if compare() else 1
    if options.results is None:
        parser.error("store needs the file that record wrote")
    store(options.results)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
