"""Arrays that an exercise keeps in its folder as NumPy's `.npz`: named and measured here without reading them."""

import ast
import struct
import zipfile
from dataclasses import dataclass
from pathlib import Path

_MAGIC = b"\x93NUMPY"


@dataclass(frozen=True, slots=True)
class DataFill:
    """Start values from a file. draw: as many rows as the argument has, drawn afresh for each case and seed.

    Arrays with the same number of rows are drawn alike, so that images and their labels stay together.
    """

    file: str
    array: str
    draw: bool = False


def array_shapes(path: Path) -> dict[str, tuple[int, ...]]:
    """Shape of every array in an `.npz` file. Raises OSError or ValueError where it is none."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".npy")]
            return {name.removesuffix(".npy"): _shape(archive, name) for name in names}
    except (zipfile.BadZipFile, SyntaxError, KeyError, struct.error) as error:
        raise ValueError(f"not an .npz file: {error}") from None


def _shape(archive: zipfile.ZipFile, name: str) -> tuple[int, ...]:
    """From the header that begins an array: magic, version, length, a dictionary in Python's notation."""
    with archive.open(name) as stream:
        start = stream.read(8)
        if not start.startswith(_MAGIC):
            raise ValueError(f"{name} does not hold a NumPy array")
        width, form = (2, "<H") if start[6] == 1 else (4, "<I")
        (length,) = struct.unpack(form, stream.read(width))
        header = ast.literal_eval(stream.read(length).decode("latin-1"))
    return tuple(int(size) for size in header["shape"])
