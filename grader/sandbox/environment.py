"""What this machine can enforce, and what to do where it cannot."""

import os
import platform
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

from grader.sandbox import policy, seccomp
from grader.sandbox.cgroup import find_delegated
from grader.sandbox.jail import Box, JailError, start


@dataclass(frozen=True, slots=True)
class Check:
    """needed: without it nothing untrusted runs. mend is empty where `ok`."""

    name: str
    ok: bool
    needed: bool
    detail: str
    mend: str = ""


def _jail() -> Check:
    try:
        done = start(Box("run", ["/usr/bin/true"]), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        _, errors = done.communicate(timeout=10)
    except JailError as error:
        return Check("jail", False, True, str(error), error.mend)
    except subprocess.TimeoutExpired:
        done.kill()
        return Check("jail", False, True, "bubblewrap does not end", "see the kernel's log")
    if done.returncode != 0:
        text = errors.decode("utf-8", "replace").strip()
        mend = (
            "as an ordinary user: allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, "
            "user.max_user_namespaces>0, kernel.apparmor_restrict_unprivileged_userns=0); in a container: "
            "run it with --cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
            "--security-opt systempaths=unconfined"
        )
        return Check("jail", False, True, text or f"bubblewrap ended with {done.returncode}", mend)
    who = f"user {os.geteuid()}, in a user namespace"
    if os.geteuid() == 0:
        who = f"root, dropped to {policy.user(0)} inside"
    version = subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=False).stdout.strip()
    return Check("jail", True, True, f"{version}; started as {who}")


def _seccomp() -> Check:
    try:
        size = len(seccomp.program("run")) // 8
    except seccomp.SeccompError as error:
        return Check("seccomp", False, True, str(error), "apt-get install libseccomp2")
    return Check("seccomp", True, True, f"filter of {size} instructions, {platform.machine()}")


def _compiler() -> Check:
    path = shutil.which("g++", path="/usr/bin:/usr/local/bin")
    if path is None:
        return Check("compiler", False, False, "no g++: C++ submissions cannot be graded", "apt-get install g++")
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    return Check("compiler", True, False, version)


def _tool(name: str, package: str, why: str) -> Callable[[], Check]:
    def check() -> Check:
        path = shutil.which(name, path="/usr/bin:/bin")
        mend = "" if path else f"apt-get install {package}"
        return Check(name, path is not None, False, path or why, mend)

    return check


def _cgroup() -> Check:
    root = find_delegated()
    if root is not None:
        return Check("cgroup", True, False, f"version {root.version}: memory is limited below {root.path}")
    detail = (
        "none is delegated: a watchdog that reads /proc every 20 ms limits memory, and can be overshot for a moment"
    )
    mend = (
        "under systemd: Delegate=yes in the grader's unit; else make a group with the memory controller that the "
        "grader's user may write to, and name it in FP_CGROUP"
    )
    return Check("cgroup", False, False, detail, mend)


CHECKS: tuple[Callable[[], Check], ...] = (
    _jail,
    _seccomp,
    _cgroup,
    _compiler,
    _tool("objdump", "binutils", "no objdump: C++ submissions cannot be graded"),
    _tool("mold", "mold", "g++ links with ld, about 0.1 s slower"),
)


def check_environment() -> list[Check]:
    return [check() for check in CHECKS]
