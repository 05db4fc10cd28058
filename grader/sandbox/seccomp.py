"""System call filters of `policy.py` as BPF programs, made by libseccomp (through ctypes: no Python package needed)."""

import ctypes
import errno
import functools
import os
from typing import Literal

from grader.sandbox import policy

Stage = Literal["start", "run", "compile"]

_ALLOW = 0x7FFF0000
_KILL_PROCESS = 0x80000000
_ERRNO = 0x00050000
_ATTRIBUTE_BAD_ARCHITECTURE = 2
_ATTRIBUTE_OPTIMIZE = 8
_EQUAL, _MASKED_EQUAL = 4, 7


class SeccompError(OSError):
    """libseccomp is missing, or refuses the policy."""


class _Comparison(ctypes.Structure):
    _fields_ = (("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64))


@functools.cache
def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    except OSError:
        raise SeccompError("libseccomp.so.2 is missing; install the package libseccomp2") from None
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    library.seccomp_attr_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32]
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.c_void_p,
    ]
    library.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
    library.seccomp_release.argtypes = [ctypes.c_void_p]
    return library


class _Filter:
    def __init__(self) -> None:
        self.library = _library()
        self.context = self.library.seccomp_init(_ERRNO | errno.EPERM)
        if not self.context:
            raise SeccompError("libseccomp could not start a filter")
        self.library.seccomp_attr_set(self.context, _ATTRIBUTE_BAD_ARCHITECTURE, _KILL_PROCESS)
        self.library.seccomp_attr_set(self.context, _ATTRIBUTE_OPTIMIZE, 2)

    def rule(self, action: int, name: str, *comparisons: _Comparison) -> None:
        """Adds a rule. A call that this architecture does not have is left out: it cannot be made either."""
        number = self.library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:
            return
        array = (_Comparison * len(comparisons))(*comparisons)
        result = self.library.seccomp_rule_add_array(self.context, action, number, len(comparisons), array)
        if result < 0:
            raise SeccompError(f"libseccomp refuses the rule for {name}: {os.strerror(-result)}")

    def program(self) -> bytes:
        memory = os.memfd_create("filter")
        try:
            if self.library.seccomp_export_bpf(self.context, memory) < 0:
                raise SeccompError("libseccomp could not export the filter")
            return os.pread(memory, os.fstat(memory).st_size, 0)
        finally:
            os.close(memory)
            self.library.seccomp_release(self.context)


def _gpu_calls(stage: Stage) -> tuple[str, ...]:
    return (*policy.GPU_CALLS, *(policy.GPU_START_CALLS if stage == "start" else ()))


@functools.cache
def program(stage: Stage, *, gpu: bool = False) -> bytes:
    """BPF instructions (``struct sock_filter[]``) of one stage. Raises SeccompError."""
    calls = {"start": policy.START_CALLS, "run": policy.RUN_CALLS, "compile": policy.COMPILE_CALLS}[stage]
    filter_ = _Filter()
    for name in (*calls, *(_gpu_calls(stage) if gpu else ())):
        filter_.rule(_ALLOW, name)
    for name in policy.ABSENT_CALLS:
        filter_.rule(_ERRNO | errno.ENOSYS, name)
    threads_only = 0 if stage == "compile" else policy.CLONE_THREAD
    mask = policy.CLONE_NAMESPACES | threads_only
    filter_.rule(_ALLOW, "clone", _Comparison(0, _MASKED_EQUAL, mask, threads_only))
    for command in policy.FCNTL_COMMANDS:
        filter_.rule(_ALLOW, "fcntl", _Comparison(1, _EQUAL, command, 0))
    if gpu:
        filter_.rule(_ALLOW, "ioctl")
    for request in () if gpu else policy.IOCTL_REQUESTS:
        filter_.rule(_ALLOW, "ioctl", _Comparison(1, _EQUAL, request, 0))
    return filter_.program()
