"""What of the taught API the simulator exports and the recorder traces: ``python -m grader.native.api.coverage``.

Exit status 0 when every taught function is both simulated and traced, 1 when there are gaps, 2 when nothing is built.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from grader.contract.api import Api, load_api
from grader.contract.api_types import Function

SIMULATED = {"cudnn": "libcudnn.so.9", "cudart": "libcudart.so.12"}
RECORDER = "libfp_recorder.so"


@dataclass(frozen=True, slots=True)
class Coverage:
    """Functions of the table by what exists of each."""

    taught: list[Function]
    not_simulated: list[Function]
    not_traced: list[Function]
    unknown: list[str]
    """Symbols ``cudnn…`` or ``cuda…`` that a library exports and the table lacks."""

    @property
    def complete(self) -> bool:
        return not self.not_simulated and not self.not_traced


def exported(library: Path) -> set[str]:
    """Names that a shared library defines for others, without symbol versions. FileNotFoundError: not built."""
    if not library.is_file():
        raise FileNotFoundError(f"{library} is not built; run `make native`")
    command = ["nm", "--dynamic", "--defined-only", "--format=posix", str(library)]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {line.split()[0].split("@")[0] for line in listing.splitlines() if line}


def measure(api: Api, libraries: Path) -> Coverage:
    """Compares the table with the libraries in folder `libraries`. Raises FileNotFoundError where one is missing."""
    simulated = {name: exported(libraries / file) for name, file in SIMULATED.items()}
    traced = exported(libraries / RECORDER)
    taught = api.taught()
    known = {f.symbol for f in api.functions.values()} | {f.name for f in api.functions.values()}
    everything = traced.union(*simulated.values())
    return Coverage(
        taught,
        [f for f in taught if f.symbol not in simulated[f.library]],
        [f for f in taught if f.symbol not in traced],
        sorted(s for s in everything - known if s.startswith(("cudnn", "cuda"))),
    )


def report(coverage: Coverage) -> Iterable[str]:
    """Lines: a table by group, the gaps, and the totals last."""
    groups = list(dict.fromkeys(f.group for f in coverage.taught))
    yield f"{'group':<22}{'taught':>8}{'simulated':>11}{'traced':>8}"
    for group in groups:
        taught, missing, untraced = (
            sum(f.group == group for f in functions)
            for functions in (coverage.taught, coverage.not_simulated, coverage.not_traced)
        )
        yield f"{group:<22}{taught:>8}{taught - missing:>11}{taught - untraced:>8}"
    for title, names in (
        ("not simulated", [f.name for f in coverage.not_simulated]),
        ("not traced", [f.name for f in coverage.not_traced]),
        ("exported but not in the table", coverage.unknown),
    ):
        if names:
            yield f"{title}: {', '.join(names)}"
    total = len(coverage.taught)
    simulated, traced = total - len(coverage.not_simulated), total - len(coverage.not_traced)
    yield f"coverage: {total} taught, {simulated} simulated, {traced} traced"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="grader.native.api.coverage", description=__doc__)
    parser.add_argument("--build", type=Path, default=Path("build/native"), help="build folder (default: build/native)")
    options = parser.parse_args(arguments)
    try:
        coverage = measure(load_api(), options.build / "lib")
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(report(coverage)))
    return 0 if coverage.complete else 1


if __name__ == "__main__":
    sys.exit(main())
