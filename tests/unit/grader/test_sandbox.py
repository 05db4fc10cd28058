"""The jail, its limits and its filter, on this machine."""

import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from grader.sandbox import cgroup, jail, policy, seccomp
from grader.sandbox.environment import check_environment
from grader.sandbox.jail import Box, JailError, Mount
from grader.sandbox.memory import descendants, held_bytes
from grader.sandbox.supervise import Budget, LimitHit, Supervised
from tests import descriptors

ROOT = Path(__file__).resolve().parents[3]
WHO = policy.user(0) if os.geteuid() == 0 else policy.UID
STREAMS = {"stdout": 10_000, "stderr": 10_000}


def run(script: str, kind: str = "run", budget: Budget | None = None, **changes: object) -> tuple[int, str]:
    """Runs a shell script in a jail: its status and what it printed."""
    box = Box(kind, ["/bin/bash", "-c", script], **changes)  # type: ignore[arg-type]
    with Supervised(box, budget or Budget(5, 200), STREAMS) as program:
        status = program.run()
        return status, program.received["stdout"].decode() + program.received["stderr"].decode()


SHOW = 'show() { while IFS= read -r line || [ -n "$line" ]; do echo "$line"; done < "$1"; }; '
"""A cat without a process of its own: in the run jail there can be none."""


def test_nothing_of_this_machine_is_seen() -> None:
    status, text = run(SHOW + "echo /* /dev/*; echo $HOME; echo $UID; echo $HOSTNAME; show /etc/passwd; true")
    names, *rest = text.splitlines()
    assert {"/etc", "/root", "/home", "/var", "/sys", "/tmp", "/dev/shm", "/dev/tty"}.isdisjoint(names.split())
    assert rest[:3] == ["/nonexistent", str(WHO), "sandbox"]
    assert "root:" not in text
    assert status == 0


def test_environment_of_the_launcher_does_not_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FP_TEST_SECRET", "do-not-tell")
    _, text = run("env; for f in /proc/*/environ; do tr '\\0' '\\n' < $f; done", "compile")
    assert "do-not-tell" not in text
    assert "PATH=" in text


def test_inherited_descriptors_are_closed() -> None:
    secret = os.open(__file__, os.O_RDONLY)
    os.set_inheritable(secret, True)
    try:
        _, text = run("exec ls -l /proc/self/fd")
    finally:
        os.close(secret)
    assert "test_sandbox" not in text


def test_nothing_can_be_written_in_the_run_jail() -> None:
    status, text = run("for d in / /usr /dev /proc/sys/kernel /fp; do echo x > $d/new && echo WRITTEN $d; done; true")
    assert "WRITTEN" not in text
    assert status == 0


def test_compile_jail_writes_only_to_its_small_temporary_directory() -> None:
    _, text = run("echo x > /tmp/x && cat /tmp/x; ls /dev; echo y > /x", "compile")
    assert text.startswith("x\nnull\n")
    assert "Read-only file system" in text


def test_temporary_directory_has_a_size() -> None:
    script = "for i in 1 2 3; do yes | head -c 100M > /tmp/$i || echo FULL; done"
    assert "No space left" in run(script, "compile", Budget(20, 1000))[1]


def test_files_and_mounts_are_readable_for_the_jails_user(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mounted")
    tmp_path.chmod(0o755)
    mounts, files = [Mount(tmp_path, "/deep/below/here")], {"/given/x": b"given"}
    _, text = run(SHOW + "show /deep/below/here/file; show /given/x; echo y > /given/x", mounts=mounts, files=files)
    assert text.startswith("mounted\ngiven\n")
    assert "Read-only file system" in text or "Permission denied" in text


@pytest.mark.parametrize(
    ("script", "status"),
    [("exit 7", 7), ("kill -SEGV $$", 139), ("kill -KILL $$", 137), ("kill -TERM 1; exit 3", 3), ("ulimit -c", 0)],
)
def test_exit_status(script: str, status: int) -> None:
    assert run(script)[0] == status


def test_limits_are_set() -> None:
    _, text = run("ulimit -c -n -u -s")
    values = [line.split()[-1] for line in text.splitlines()]
    limits = policy.LIMITS["run"]
    assert set(values) == {"0", str(limits.open_files), str(limits.processes), str(limits.stack_mib * 1024)}


def test_no_capabilities_and_no_new_privileges() -> None:
    _, text = run(SHOW + "show /proc/self/status")
    fields = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
    assert all(int(fields[name], 16) == 0 for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"))
    assert fields["NoNewPrivs"] == "1"
    assert fields["Seccomp"] == "2"


@pytest.mark.parametrize(("first", "slot"), [("", 3), ("7", 0), ("7", 4), ("13", 1)])
def test_slots_have_users_of_their_own(first: str, slot: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FP_FIRST_SLOT", first)
    expected = policy.UID - (int(first or 0) + slot) % policy.MAX_SLOTS if os.geteuid() == 0 else policy.UID
    assert run("echo $UID", slot=slot)[1] == f"{expected}\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_first_slot_that_is_no_number_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FP_FIRST_SLOT", "second")
    with pytest.raises(JailError, match="FP_FIRST_SLOT is not a number"):
        run("true")


def test_wall_time() -> None:
    started = time.monotonic()
    with pytest.raises(LimitHit) as hit:
        run("sleep 60", "compile", Budget(0.3, 200))
    assert (hit.value.name, hit.value.limit) == ("wall", 0.3)
    assert time.monotonic() - started < 2


def test_output() -> None:
    with pytest.raises(LimitHit) as hit:
        run("while true; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done")
    assert hit.value.name == "output"


def test_memory_of_all_processes_counts() -> None:
    script = "for i in 1 2 3; do (x=$(yes | head -c 100M | tr -d '\\n'); sleep 5) & done; wait"
    with pytest.raises(LimitHit) as hit:
        run(script, "compile", Budget(20, 100))
    assert hit.value.name == "memory"
    assert hit.value.value > 100


def test_cancel() -> None:
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    with pytest.raises(LimitHit) as hit:
        run("sleep 60", "compile", Budget(30, 200, cancel))
    assert hit.value.name == "cancelled"


def test_nothing_is_left_behind() -> None:
    before = descriptors.opened()
    with pytest.raises(LimitHit):
        run("setsid bash -c 'trap \"\" TERM; while true; do sleep 1; done' & sleep 60", "compile", Budget(0.5, 200))
    time.sleep(0.1)
    assert descendants(os.getpid()) == [os.getpid()]
    assert descriptors.opened() <= before


def alive(pid: int) -> bool:
    """Whether the process still runs; one that nobody has waited for yet is dead."""
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] not in "ZX"


def test_jail_dies_with_its_parent() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from grader.sandbox.jail import Box, start\n"
        "p = start(Box('compile', ['/bin/bash', '-c', 'echo; sleep 600']), stdout=1, stderr=2)\n"
        "print(p.pid, flush=True)\n"
        "input()\n"
    )
    command = [sys.executable, "-c", code, str(ROOT)]
    parent = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = next(int(line) for line in (parent.stdout.readline() for _ in range(2)) if line.strip())
    inside = descendants(child)
    deadline = time.monotonic() + 5
    while len(inside) < 3 and time.monotonic() < deadline:
        inside = descendants(child)
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 2
    while any(map(alive, inside)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(alive, inside))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_works_for_an_ordinary_user() -> None:
    python = shutil.which("python3", path="/usr/bin")
    if python is None:
        pytest.skip("no interpreter that other users can read")
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from grader.sandbox.jail import Box, start\n"
        "script = 'echo $UID; exec unshare -U true'\n"
        "sys.exit(start(Box('run', ['/bin/bash', '-c', script]), stdout=1, stderr=2).wait())\n"
    )
    command = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups", python, "-c", code, str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == f"{policy.UID}\n", done.stderr
    assert done.returncode != 0


def test_missing_bubblewrap_is_named_with_its_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jail.shutil, "which", lambda *_, **__: None)
    with pytest.raises(JailError) as error:
        run("true")
    assert "bwrap is not installed" in str(error.value)
    assert "bubblewrap" in error.value.mend


def test_filters_differ_by_stage() -> None:
    assert len({seccomp.program(stage) for stage in ("start", "run", "compile")}) == 3
    assert all(len(seccomp.program(stage)) % 8 == 0 for stage in ("start", "run", "compile"))


def test_missing_libseccomp_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr(seccomp.ctypes, "CDLL", missing)
    seccomp._library.cache_clear()
    try:
        with pytest.raises(seccomp.SeccompError, match="libseccomp2"):
            seccomp._library()
    finally:
        monkeypatch.undo()
        seccomp._library.cache_clear()


def test_run_policy_has_no_call_that_makes_processes_or_files() -> None:
    dangerous = "fork vfork execve execveat socket connect ptrace mount unshare setns bpf memfd_create mkdir unlink"
    assert set(dangerous.split()).isdisjoint(policy.RUN_CALLS)


def test_held_memory_of_this_process() -> None:
    before = held_bytes(os.getpid())
    block = bytearray(os.urandom(1)) * (64 << 20)
    assert held_bytes(os.getpid()) - before > 60 << 20
    assert len(block) == 64 << 20


def test_environment_check_says_what_to_mend() -> None:
    checks = check_environment()
    assert {"jail", "seccomp", "cgroup", "compiler", "objdump"} <= {check.name for check in checks}
    assert all(check.ok or check.mend for check in checks)
    assert all(check.ok for check in checks if check.needed)


@pytest.mark.parametrize(("version", "file"), [(1, "memory.limit_in_bytes"), (2, "cgroup.subtree_control")])
def test_environment_check_names_the_delegated_cgroup(
    version: int, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check() -> tuple[bool, str]:
        found = next(check for check in check_environment() if check.name == "cgroup")
        return found.ok, found.detail + found.mend

    monkeypatch.setenv("FP_CGROUP", str(tmp_path))
    assert check()[0] is False
    assert "FP_CGROUP" in check()[1]
    (tmp_path / file).write_text("cpu memory pids\n")
    ok, detail = check()
    assert ok
    assert f"version {version}" in detail
    assert str(tmp_path) in detail


@pytest.mark.parametrize(("version", "file"), [(1, "memory.limit_in_bytes"), (2, "memory.max")])
def test_cgroup_limits(version: int, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("memory.limit_in_bytes",) if version == 1 else ("cgroup.subtree_control",):
        (tmp_path / name).write_text("cpu memory pids\n")
    monkeypatch.setenv("FP_CGROUP", str(tmp_path))
    group = cgroup.new_group(100, 32)
    assert group is not None
    assert group.version == version
    assert (group.path / file).read_text() == str(100 << 20)
    group.limit(50)
    assert (group.path / file).read_text() == str(50 << 20)
    assert not group.killed_for_memory()
    events = "memory.oom_control" if version == 1 else "memory.events"
    (group.path / events).write_text("low 0\noom_kill 1\n")
    assert group.killed_for_memory()
    (group.path / file).unlink()
    (group.path / events).unlink()
    group.remove()
    assert not group.path.exists()


def test_cgroup_is_used_only_where_it_was_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FP_CGROUP", raising=False)
    monkeypatch.setattr(cgroup, "_marked", lambda _: False)
    assert cgroup.find_delegated() is None
    monkeypatch.setenv("FP_CGROUP", str(tmp_path / "nowhere"))
    assert cgroup.find_delegated() is None


def test_program_starts_inside_its_group(tmp_path: Path) -> None:
    (tmp_path / "cgroup.procs").write_text("")
    process = jail.start(Box("run", ["/usr/bin/true"], group=tmp_path), stdout=1, stderr=2)
    assert process.wait() == 0
    assert (tmp_path / "cgroup.procs").read_text() == "0\n"
