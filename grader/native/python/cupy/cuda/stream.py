"""Streams and events."""

import threading
from typing import Any

from cupy.cuda import runtime

_current = threading.local()


class Event:
    """A point in a stream. block, disable_timing, interprocess: flags of cudaEventCreateWithFlags."""

    def __init__(self, block: bool = False, disable_timing: bool = False, interprocess: bool = False) -> None:
        self.ptr = 0
        self.ptr = runtime.eventCreateWithFlags(block * 1 | disable_timing * 2 | interprocess * 4)

    def __del__(self) -> None:
        if self.ptr:
            runtime.eventDestroy(self.ptr)

    @property
    def done(self) -> bool:
        return runtime.eventQuery(self.ptr) == 0

    def record(self, stream: Any = None) -> None:
        runtime.eventRecord(self.ptr, (stream or get_current_stream()).ptr)

    def synchronize(self) -> None:
        runtime.eventSynchronize(self.ptr)


def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    """Milliseconds between two events that have happened."""
    return runtime.eventElapsedTime(start_event.ptr, end_event.ptr)


class BaseStream:
    """What every stream can do. As a context manager it becomes the thread's current stream."""

    def __init__(self, ptr: int) -> None:
        self.ptr = ptr
        self._before: list[BaseStream] = []

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BaseStream) and self.ptr == other.ptr

    def __hash__(self) -> int:
        return hash(self.ptr)

    def __enter__(self) -> "BaseStream":
        self._before.append(get_current_stream())
        _current.stream = self
        return self

    def __exit__(self, *exception: object) -> None:
        _current.stream = self._before.pop()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.ptr}>"

    def use(self) -> "BaseStream":
        _current.stream = self
        return self

    @property
    def done(self) -> bool:
        return runtime.streamQuery(self.ptr) == 0

    def synchronize(self) -> None:
        """Waits for all work on the stream; an error of a kernel appears here."""
        runtime.streamSynchronize(self.ptr)

    def record(self, event: Event | None = None) -> Event:
        event = event or Event()
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        runtime.streamWaitEvent(self.ptr, event.ptr)


class Stream(BaseStream):
    """A stream of its own; null=True is the default stream."""

    null: "Stream"

    def __init__(self, null: bool = False, non_blocking: bool = False, ptds: bool = False) -> None:
        self._owned = False
        super().__init__(0 if null else 2 if ptds else runtime.streamCreateWithFlags(int(non_blocking)))
        self._owned = not (null or ptds)

    def __del__(self) -> None:
        if self._owned:
            runtime.streamDestroy(self.ptr)


class ExternalStream(BaseStream):
    """A stream that something else created and will destroy."""


Stream.null = Stream(null=True)


def get_current_stream() -> BaseStream:
    return getattr(_current, "stream", Stream.null)
