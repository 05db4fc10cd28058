"""Starts a program in a bubblewrap jail. What the jail allows is written in `policy.py`."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.sandbox import policy, seccomp
from grader.sandbox.policy import JailKind


class JailError(Exception):
    """The jail cannot be started on this machine: nothing untrusted runs. `mend` says what to install or allow."""

    def __init__(self, message: str, mend: str) -> None:
        super().__init__(message)
        self.mend = mend


@dataclass(frozen=True, slots=True)
class Mount:
    """A file or folder of this machine that the jail sees, read-only."""

    source: Path
    target: str


@dataclass(frozen=True, slots=True)
class Box:
    """What to start, and what it sees beside the system directories.

    mounts and files: what it sees read-only; files by their path inside, with their content.
    descriptors: inherited by the program under the same numbers. cpu_s: processor seconds of one process.
    """

    kind: JailKind
    argv: Sequence[str]
    mounts: Sequence[Mount] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    """Symbolic links: path inside → where it leads."""
    environment: Mapping[str, str] = field(default_factory=dict)
    descriptors: Sequence[int] = ()
    cpu_s: int = 60
    slot: int = 0
    gpu: bool = False
    background: bool = False
    """At the lowest priority: whoever waits for a verdict goes first."""
    device: int = 0
    """Number of the GPU that it may use, where `gpu` is set."""
    group: Path | None = None
    """Directory of a cgroup to start in."""


def find_program(name: str, package: str) -> str:
    """Absolute path of a program that the jail is built from. Raises JailError naming the Debian package."""
    path = shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/usr/local/bin")
    if path is None:
        raise JailError(f"{name} is not installed", f"install it: apt-get install {package}")
    return path


def start(box: Box, *, stdout: int, stderr: int) -> subprocess.Popen[bytes]:
    """Starts the program; it dies with the thread that called this. Standard input is empty.

    stdout, stderr: descriptors to write to. Raises JailError where the jail cannot be built.
    """
    filter_program = _filter(box)
    made = [_memory_file(content) for content in (filter_program, *box.files.values())]
    try:
        return subprocess.Popen(
            [*_enter_group(box.group), *_priority(box), *command(box, made[0], made[1:])],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env={},
            close_fds=True,
            pass_fds=(*box.descriptors, *made),
        )
    finally:
        for descriptor in made:
            os.close(descriptor)


def _enter_group(group: Path | None) -> list[str]:
    """A shell that moves itself into the group and becomes the jail, so that nothing ever runs outside of it."""
    if group is None:
        return []
    return ["/bin/sh", "-c", 'echo 0 > "$0" && exec "$@"', str(group / "cgroup.procs")]


def _priority(box: Box) -> list[str]:
    return [find_program("nice", "coreutils"), "-n", "19"] if box.background else []


def command(box: Box, filter_descriptor: int, file_descriptors: Sequence[int]) -> list[str]:
    """The whole command line: bubblewrap, then what lowers privileges and limits, then the program."""
    arguments = [find_program("bwrap", "bubblewrap"), "--die-with-parent", "--new-session"]
    arguments += _namespaces() + _view(box, file_descriptors)
    for name, value in {**policy.ENVIRONMENT, **box.environment}.items():
        arguments += ["--setenv", name, value]
    arguments += ["--remount-ro", "/", "--chdir", "/", "--seccomp", str(filter_descriptor), "--"]
    return [*arguments, *_privileges(box), *_limits(box), *box.argv]


def _filter(box: Box) -> bytes:
    try:
        return seccomp.program("compile" if box.kind == "compile" else "start", gpu=box.gpu)
    except seccomp.SeccompError as error:
        raise JailError(str(error), "install it: apt-get install libseccomp2") from None


def _namespaces() -> list[str]:
    shared = ["--unshare-pid", "--unshare-ipc", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    shared += ["--hostname", "sandbox", "--cap-drop", "ALL"]
    if os.geteuid() != 0:
        uid = str(policy.UID)
        return [*shared, "--unshare-user", "--disable-userns", "--uid", uid, "--gid", uid]
    # Root builds the view, so that files below a private home can be bound; setpriv then gives up everything.
    for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
        shared += ["--cap-add", capability]
    return shared


def _privileges(box: Box) -> list[str]:
    if os.geteuid() != 0:
        return []
    try:
        uid = str(policy.user(box.slot))
    except ValueError as error:
        raise JailError(f"FP_FIRST_SLOT is not a number: {error}", "set it to 0 to 13, or not at all") from None
    setpriv = find_program("setpriv", "util-linux")
    identity = ["--reuid", uid, "--regid", uid, "--clear-groups"]
    return [setpriv, *identity, "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "--"]


def _limits(box: Box) -> list[str]:
    limits = policy.LIMITS[box.kind]
    values = {
        "core": 0,
        "cpu": box.cpu_s,
        "fsize": limits.file_mib << 20,
        "nofile": limits.open_files,
        "nproc": limits.processes,
        "stack": limits.stack_mib << 20,
        "memlock": 1 << 20,
        "msgqueue": 0,
        "sigpending": 256,
    }
    if box.gpu:
        del values["memlock"]
    return [find_program("prlimit", "util-linux"), *(f"--{name}={value}" for name, value in values.items()), "--"]


def _view(box: Box, file_descriptors: Sequence[int]) -> list[str]:
    view: list[str] = []
    for path in map(Path, policy.SYSTEM_DIRECTORIES):
        if path.is_symlink():
            view += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            view += ["--ro-bind", str(path), str(path)]
    view += ["--proc", "/proc", "--dir", "/dev"]
    devices = policy.COMPILE_DEVICES if box.kind == "compile" else policy.DEVICES
    for device in (*devices, *(policy.gpu_devices(box.device) if box.gpu else ())):
        view += ["--dev-bind", device, device]
    size = policy.LIMITS[box.kind].tmpfs_mib
    if size is not None:
        view += ["--size", str(size << 20), "--perms", "1777", "--tmpfs", policy.TEMPORARY]
    made: set[str] = set()
    for mount in box.mounts:
        view += [*_parents(mount.target, made), "--ro-bind", str(mount.source), mount.target]
    for target, descriptor in zip(box.files, file_descriptors, strict=True):
        view += [*_parents(target, made), "--perms", "0444", "--ro-bind-data", str(descriptor), target]
    for link, target in box.links.items():
        view += [*_parents(link, made), "--symlink", target, link]
    return view


def _parents(target: str, made: set[str]) -> list[str]:
    """Made by name, because bubblewrap gives parents that it makes itself the mode 0700 when it runs as root."""
    arguments: list[str] = []
    for parent in reversed(Path(target).parents):
        name = str(parent)
        if name != "/" and name not in made and f"/{parent.parts[1]}" not in policy.SYSTEM_DIRECTORIES:
            made.add(name)
            arguments += ["--dir", name]
    return arguments


def _memory_file(content: bytes) -> int:
    descriptor = os.memfd_create("fp", os.MFD_CLOEXEC)
    with os.fdopen(os.dup(descriptor), "wb") as stream:
        stream.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
