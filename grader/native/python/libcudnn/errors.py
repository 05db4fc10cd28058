"""What a failed call raises: the status is the exception."""

from enum import IntEnum


class StatusError(RuntimeError):
    """A call that returned a status other than success.

    status: the code (an enumerator where the table has it). name: e.g. "CUDNN_STATUS_BAD_PARAM".
    function: the function that returned it. message: the library's own text, often empty.
    """

    def __init__(self, status: int, function: str, message: str = "") -> None:
        self.status = status
        self.name = status.name if isinstance(status, IntEnum) else str(int(status))
        self.function = function
        self.message = message
        text = f"{function}: {self.name} ({int(status)})"
        super().__init__(f"{text}: {message}" if message else text)


class CudnnError(StatusError):
    """A cuDNN function failed."""


class CudaError(StatusError):
    """A CUDA runtime function failed."""
