"""The device."""

from typing import Any

from cupy.cuda import runtime


class Device:
    """A device by number; None is the current one. As a context manager it becomes the current device."""

    def __init__(self, device: int | None = None) -> None:
        self.id = runtime.getDevice() if device is None else int(device)
        self._before: list[int] = []

    def __int__(self) -> int:
        return self.id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<CUDA Device {self.id}>"

    def __enter__(self) -> "Device":
        self._before.append(runtime.getDevice())
        self.use()
        return self

    def __exit__(self, *exception: object) -> None:
        runtime.setDevice(self._before.pop())

    def use(self) -> None:
        runtime.setDevice(self.id)

    def synchronize(self) -> None:
        """Waits for all work of the device; an error of a kernel appears here."""
        runtime.deviceSynchronize()

    @property
    def mem_info(self) -> tuple[int, int]:
        """Free and total bytes."""
        return runtime.memGetInfo()

    @property
    def compute_capability(self) -> str:
        properties = runtime.getDeviceProperties(self.id)
        return f"{properties['major']}{properties['minor']}"

    @property
    def attributes(self) -> dict[str, Any]:
        return {k: v for k, v in runtime.getDeviceProperties(self.id).items() if isinstance(v, int)}


def get_device_id() -> int:
    return runtime.getDevice()
