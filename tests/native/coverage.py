"""``python -m tests.native.coverage``: how many functions of the API table are taught, simulated and traced."""

import subprocess
from collections import defaultdict

from grader.contract.api import load_api
from grader.contract.api_types import Function
from tests.native.simulator import LIBRARIES


def exported(library: str) -> set[str]:
    """Names that a built library defines, without versions."""
    command = ["nm", "--dynamic", "--defined-only", "--format=posix", str(LIBRARIES / library)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[0].split("@")[0] for line in lines if line}


def by_group() -> dict[str, list[Function]]:
    groups: dict[str, list[Function]] = defaultdict(list)
    for function in load_api().functions.values():
        if function.taught:
            groups[function.group].append(function)
    return groups


def rows() -> list[tuple[str, int, int, int]]:
    """Group, and of its functions how many are taught, simulated and traced; the sum last."""
    simulated = exported("libcudnn.so.9") | exported("libcudart.so.12")
    traced = exported("libfp_recorder.so")
    found = [
        (group, len(taught), *(sum(f.symbol in names for f in taught) for names in (simulated, traced)))
        for group, taught in sorted(by_group().items())
    ]
    return [*found, ("all", sum(r[1] for r in found), sum(r[2] for r in found), sum(r[3] for r in found))]


def main() -> None:
    print("| group | taught | simulated | traced |\n|---|---:|---:|---:|")
    for row in rows():
        print("| " + " | ".join(map(str, row)) + " |")


if __name__ == "__main__":
    main()
