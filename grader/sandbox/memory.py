"""How much memory a jail's processes hold, read from /proc (no cgroup needed)."""

from pathlib import Path

_PROC = Path("/proc")


def descendants(pid: int) -> list[int]:
    """`pid` and every process below it. Processes that end meanwhile are left out."""
    found = [pid]
    for parent in found:
        for task in _list(_PROC / str(parent) / "task"):
            found += [int(child) for child in _read(_PROC / str(parent) / "task" / task / "children").split()]
    return found


def held_bytes(pid: int) -> int:
    """Anonymous and shared memory of one process; pages of read-only files are not counted. 0 where it has ended."""
    total = 0
    for line in _read(_PROC / str(pid) / "status").splitlines():
        if line.startswith(("RssAnon:", "RssShmem:", "VmSwap:")):
            total += int(line.split()[1]) * 1024
    return total


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


def _list(path: Path) -> list[str]:
    try:
        return [entry.name for entry in path.iterdir()]
    except OSError:
        return []
