"""`python -m bench [name…]`: runs the named benchmarks, or all of them, one after the other."""

import runpy
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def names() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))


def main(wanted: list[str]) -> int:
    known = names()
    if unknown := [name for name in wanted if name not in known]:
        print(f"bench: no benchmark {unknown[0]!r}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    for name in wanted or known:
        print(f"\n== {name}", flush=True)
        runpy.run_module(f"bench.{name}", run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
