"""Memory limits by cgroup, where somebody has delegated one to the grader.

A group counts as delegated where `FP_CGROUP` names it, or where systemd marked the grader's own group with the
attribute `user.delegate` (``Delegate=yes``). The grader never touches a group that was not given to it.
"""

import itertools
import os
import time
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class Group:
    """A group of processes. version: 1 (the memory hierarchy) or 2."""

    path: Path
    version: int

    def child(self, name: str, memory_mib: int, processes: int) -> "Group":
        """A new group below this one with its limits set. Raises OSError."""
        group = Group(self.path / name, self.version)
        group.path.mkdir()
        group.limit(memory_mib)
        group._try("memory.swap.max", "0")
        group._try("memory.oom.group", "1")
        group._try("pids.max", str(processes))
        return group

    def limit(self, memory_mib: int) -> None:
        """Sets the largest amount of memory. Raises OSError."""
        limit = str(memory_mib << 20)
        if self.version == 2:
            self._write("memory.max", limit)
            return
        self._try("memory.memsw.limit_in_bytes", "-1")
        self._write("memory.limit_in_bytes", limit)
        self._try("memory.memsw.limit_in_bytes", limit)

    def killed_for_memory(self) -> bool:
        """Whether the kernel has ended a process of this group because of its limit."""
        name = "memory.oom_control" if self.version == 1 else "memory.events"
        words = dict(line.split() for line in self._read(name).splitlines() if len(line.split()) == 2)
        return int(words.get("oom_kill", "0")) > 0

    def peak_bytes(self) -> int:
        name = "memory.max_usage_in_bytes" if self.version == 1 else "memory.peak"
        return int(self._read(name).strip() or "0")

    def remove(self) -> None:
        """Removes the group; the kernel may need a moment after the last process has gone."""
        for pause in (0.0, 0.01, 0.05, 0.2):
            time.sleep(pause)
            try:
                self.path.rmdir()
                return
            except OSError:
                continue

    def _write(self, name: str, value: str) -> None:
        (self.path / name).write_text(value)

    def _try(self, name: str, value: str) -> None:
        if (self.path / name).exists():
            self._write(name, value)

    def _read(self, name: str) -> str:
        try:
            return (self.path / name).read_text()
        except OSError:
            return ""


def find_delegated() -> Group | None:
    """The group that the grader may divide; None where it was given none."""
    if named := os.environ.get("FP_CGROUP"):
        return _usable(Path(named))
    own = _own_group_v2()
    if own is None or not _marked(own):
        return None
    return _usable(own)


_numbers = itertools.count()


def new_group(memory_mib: int, processes: int) -> Group | None:
    """A group for one job; None where none can be made, and then a watchdog limits memory."""
    parent = find_delegated()
    if parent is None:
        return None
    try:
        return parent.child(f"fp-{os.getpid()}-{next(_numbers)}", memory_mib, processes)
    except OSError:
        return None


def _usable(path: Path) -> Group | None:
    if not os.access(path, os.W_OK):
        return None
    if (path / "memory.limit_in_bytes").exists():
        return Group(path, 1)
    controllers = path / "cgroup.subtree_control"
    if controllers.exists() and "memory" in controllers.read_text().split():
        return Group(path, 2)
    return None


def _own_group_v2() -> Path | None:
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        if line.startswith("0::"):
            return _ROOT / line[3:].strip().lstrip("/")
    return None


def _marked(path: Path) -> bool:
    for name in ("user.delegate", "trusted.delegate"):
        try:
            if os.getxattr(path, name) == b"1":
                return True
        except OSError:
            continue
    return False
