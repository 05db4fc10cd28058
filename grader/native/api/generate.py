"""Writes headers and tables made from the API table: ``python -m grader.native.api.generate --out build/native``."""

import argparse
import sys
from pathlib import Path

from grader.contract.api import load_api
from grader.contract.problems import ContentError
from grader.native.api.headers import headers
from grader.native.api.tables import tables

HAND_WRITTEN = Path(__file__).parent.parent / "include_src"


def generate(out: Path) -> list[Path]:
    """Fills ``out/include`` and ``out/generated``; files whose text is unchanged keep their time. Returns all files.

    Raises ContentError where the table is wrong, OSError where `out` cannot be written.
    """
    api = load_api()
    written = [_write(out / "include" / name, text) for name, text in headers(api).items()]
    for source in sorted(HAND_WRITTEN.glob("*.h")):
        written.append(_write(out / "include" / source.name, source.read_text(encoding="utf-8")))
    written += [_write(out / "generated" / name, text) for name, text in tables(api).items()]
    return written


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    return path


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="grader.native.api.generate", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/native"), help="build folder (default: build/native)")
    options = parser.parse_args(arguments)
    try:
        files = generate(options.out)
    except ContentError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{len(files)} files below {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
