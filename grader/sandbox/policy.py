"""What code in the sandbox may see and do. This file is the whole policy; the other files of this folder apply it.

Two jails, both by bubblewrap with every namespace of their own:
- compile: g++ on the learner's source. May start processes and write to a small temporary directory.
- run: the learner's program. Nothing in it is writable, it may start threads but no process, and no other program.

A system call that is not listed fails with EPERM. Calls of another architecture's numbers kill the process.
"""

import os
from dataclasses import dataclass
from typing import Literal

JailKind = Literal["compile", "run"]

UID = 65534
"""Nobody: who a program is inside."""
MAX_SLOTS = 14
"""65520 to 65533 belong to no account on Linux distributions."""


def user(slot: int) -> int:
    """Who a slot's programs really are where the grader is root: another user for each, because limits are per user.

    `FP_FIRST_SLOT`, a number, is added, so that several graders of one machine do not share them either. Raises
    ValueError.
    """
    return UID - (int(os.environ.get("FP_FIRST_SLOT") or 0) + slot) % MAX_SLOTS


SYSTEM_DIRECTORIES = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Read-only; those that are symbolic links stay links. Nothing of /etc, /home, /root, /var, /sys."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/urandom", "/dev/random")
COMPILE_DEVICES = ("/dev/null",)
"""Without /dev/random and /dev/zero, `#include "/dev/zero"` finds nothing."""

TEMPORARY = "/tmp"  # noqa: S108
"""The jail's own: a small tmpfs that nobody else sees. Only the compile jail has it."""
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LC_ALL": "C.UTF-8",
    "HOME": "/nonexistent",
    "TMPDIR": TEMPORARY,
    # One thread: a course exercise gains nothing from more, and slots share the processors.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}


@dataclass(frozen=True, slots=True)
class JailLimits:
    """Limits that do not depend on the exercise. None: no temporary directory."""

    tmpfs_mib: int | None
    file_mib: int
    open_files: int
    processes: int
    stack_mib: int = 16


LIMITS: dict[JailKind, JailLimits] = {
    "compile": JailLimits(tmpfs_mib=192, file_mib=128, open_files=256, processes=32, stack_mib=64),
    "run": JailLimits(tmpfs_mib=None, file_mib=1024, open_files=128, processes=96),
}
COMPILE_MEMORY_MIB = 2048
CPU_BACKSTOP_S = 600
"""Processor time after which the kernel ends a sandbox even if the grader were frozen. Exercises limit wall time."""
MAX_DIAGNOSTIC_BYTES = 1024 * 1024

_MEMORY = "brk mmap munmap mprotect mremap madvise mincore msync mlock munlock membarrier"
_THREADS = """futex futex_waitv set_robust_list get_robust_list rseq set_tid_address arch_prctl prctl sched_yield
    sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min getcpu
    exit exit_group restart_syscall"""
_SIGNALS = """rt_sigaction rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigpending rt_sigtimedwait sigaltstack pause
    kill tkill tgkill alarm setitimer getitimer timer_create timer_settime timer_gettime timer_delete"""
_TIME = "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getrusage"
_FILES = """read write readv writev pread64 pwrite64 preadv pwritev lseek close close_range openat open stat fstat
    lstat newfstatat fstatat64 statx access faccessat faccessat2 readlink readlinkat getdents getdents64 getcwd
    statfs fstatfs dup dup2 dup3 pipe pipe2 poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl
    epoll_wait epoll_pwait eventfd eventfd2 fadvise64 umask"""
_IDENTITY = """getpid getppid gettid getuid geteuid getgid getegid getgroups getresuid getresgid getpgrp getpgid getsid
    capget uname sysinfo getrlimit prlimit64 getrandom getpriority"""

_START = """execve wait4 waitid memfd_create ftruncate seccomp setuid setgid setgroups setresuid setresgid setreuid
    setregid capset chdir fchdir setsid setrlimit"""
_COMPILE = """vfork fork mkdir mkdirat unlink unlinkat rmdir rename renameat renameat2 chmod fchmod fchmodat fallocate
    utimensat copy_file_range sendfile fsync setpgid sched_setaffinity"""

RUN_CALLS = tuple(" ".join((_MEMORY, _THREADS, _SIGNALS, _TIME, _FILES, _IDENTITY)).split())
"""What a learner's running program may call, beside CLONE_THREAD, FCNTL and IOCTL below."""

START_CALLS = (*RUN_CALLS, *_START.split())
"""Until the harness has loaded everything and seals itself, before the first line of the learner's code."""

COMPILE_CALLS = (*START_CALLS, *_COMPILE.split())

CLONE_THREAD = 0x00010000
CLONE_NAMESPACES = 0x7E020080
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET and NEWTIME."""

FCNTL_COMMANDS = (0, 1, 2, 3, 4, 1030, 1032, 1034)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_GET_SEALS: no locks, no leases."""
IOCTL_REQUESTS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX. A GPU needs its driver's as well."""

ABSENT_CALLS = ("clone3", "openat2", "io_uring_setup", "io_uring_enter", "io_uring_register")
"""These answer ENOSYS, so that libraries fall back to calls that the filter can judge."""

GPU_CALLS = ("mbind", "get_mempolicy", "set_mempolicy", "sched_setaffinity", "memfd_create", "ftruncate", "mlock2")
GPU_START_CALLS = ("socket", "bind", "listen", "unlink")
"""cuInit opens a local socket for debuggers: on an H200 (driver 580) it fails with 304 where one of these is refused.
Only until the process is sealed; the jail's network namespace is empty all the while."""
GPU_DEVICES = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools")
"""Beside the sandbox's one GPU. Never MPS, nvidia-caps, nvidia-modeset or /dev/dri."""


def gpu_devices(device: int) -> tuple[str, ...]:
    """Device nodes of a sandbox that uses GPU number `device`: no other GPU exists for it."""
    return (f"/dev/nvidia{device}", *GPU_DEVICES)
