"""What programs could leave behind on this machine: processes, files, shared memory, descriptors."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.sandbox import policy
from grader.sandbox.memory import descendants

PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue")
USERS = range(policy.UID - policy.MAX_SLOTS, policy.UID + 1)
"""Users that programs run as where the grader is root; else they are the grader's own user, whose files are not told
apart."""


def _files() -> Iterator[str]:
    """Files of the sandbox's users in places where everybody may write."""
    for place in map(Path, PLACES):
        for folder, _, names in os.walk(place):
            for name in names:
                path = Path(folder) / name
                if path.is_symlink() or path.exists():
                    try:
                        owner = path.lstat().st_uid
                    except OSError:
                        continue
                    if owner in USERS:
                        yield str(path)


def _shared_memory() -> Iterator[str]:
    """System V shared memory, semaphores and message queues of the sandbox's users."""
    for table in ("shm", "sem", "msg"):
        path = Path("/proc/sysvipc") / table
        rows = path.read_text().splitlines() if path.exists() else []
        head = rows[0].split() if rows else []
        for row in rows[1:]:
            fields = dict(zip(head, row.split(), strict=False))
            if int(fields.get("uid", "-1")) in USERS:
                yield f"{table} {row.split()[1]}"


def descriptors(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def resident_mib(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


@dataclass(frozen=True, slots=True)
class State:
    processes: frozenset[int]
    things: frozenset[str]

    def since(self, before: "State") -> list[str]:
        """What is there now and was not there before."""
        processes = [f"process {pid}" for pid in sorted(self.processes - before.processes)]
        return processes + sorted(self.things - before.things)


def look(pid: int) -> State:
    """Processes below `pid`, and what the sandbox's users own."""
    return State(frozenset(descendants(pid)), frozenset((*_files(), *_shared_memory())))
