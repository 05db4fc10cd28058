"""Turns at a GPU: jobs share it, except while times are reported, which one job takes alone.

Locks on files, so that slots of several graders on one machine take turns too. Whoever wants the device alone first
closes the gate, so that new jobs wait behind it and it cannot starve.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self


class Turn:
    """One job's place at one device. Use: `with Turn(folder, device) as turn: … with turn.alone(): …`."""

    def __init__(self, folder: Path, device: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._gate = os.open(folder / f"gpu{device}.gate", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        self._device = os.open(folder / f"gpu{device}.turn", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)

    def __enter__(self) -> Self:
        self._share()
        return self

    def _share(self) -> None:
        fcntl.flock(self._gate, fcntl.LOCK_SH)
        fcntl.flock(self._device, fcntl.LOCK_SH)
        fcntl.flock(self._gate, fcntl.LOCK_UN)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Gives up the shared place, waits until no other job is at the device, and shares again afterwards."""
        fcntl.flock(self._device, fcntl.LOCK_UN)
        fcntl.flock(self._gate, fcntl.LOCK_EX)
        try:
            fcntl.flock(self._device, fcntl.LOCK_EX)
            yield
        finally:
            fcntl.flock(self._device, fcntl.LOCK_UN)
            fcntl.flock(self._gate, fcntl.LOCK_UN)
            self._share()

    def __exit__(self, *_: object) -> None:
        os.close(self._gate)
        os.close(self._device)
