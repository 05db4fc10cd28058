"""`python -m grader env` on machines whose GPU cannot be used, with libraries that stand for NVIDIA's."""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from grader.backends.nvidia import SUBLIBRARIES
from grader.paths import ROOT

SOURCE = Path(__file__).with_name("fake_nvidia.c")
SITE = """
from pathlib import Path
from grader.backends import nvidia
from grader.sandbox import policy
nvidia.DEVICES = Path({devices!r})
if {bare}:
    policy.gpu_devices = lambda device: ()
"""
"""A machine with device nodes cannot be made here: the nodes are looked for elsewhere, and `bare` shows none inside."""


@cache
def library(answers: tuple[tuple[str, int], ...]) -> bytes:
    """A shared library that answers so."""
    with tempfile.NamedTemporaryFile(suffix=".so") as file:
        macros = [f"-D{name}={value}" for name, value in answers]
        subprocess.run(["gcc", "-shared", "-fPIC", "-w", *macros, str(SOURCE), "-o", file.name, "-ldl"], check=True)
        return Path(file.name).read_bytes()


def build(file: Path, **answers: int) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(library(tuple(answers.items())))


@dataclass
class Machine:
    """A folder with a driver, the wheels and device nodes of a machine that works, until a test breaks it."""

    folder: Path
    devices: tuple[str, ...] = ("nvidia0", "nvidiactl", "nvidia-uvm")
    bare: bool = True
    driver: dict[str, int] = field(default_factory=lambda: {"DRIVER": 12080, "INIT": 0})
    runtime: int = 12080
    cudnn: dict[str, int] = field(default_factory=lambda: {"CUDNN": 91900, "BUILT": 12080, "CREATE": 0})
    free_mib: int = 80_000
    parts: dict[Path, int] = field(default_factory=dict)
    """libcudnn_ops.so.9 that lie outside the wheel, by folder, with their version."""

    @property
    def wheel(self) -> Path:
        return self.folder / "site" / "nvidia" / "cudnn" / "lib"

    def make(self) -> "Machine":
        for name in self.devices:
            (self.folder / "dev").mkdir(exist_ok=True)
            (self.folder / "dev" / name).touch()
        if self.driver:
            build(self.folder / "driver" / "libcuda.so.1", **self.driver)
        build(self.folder / "driver" / "libnvidia-ml.so.1", FREE_MIB=self.free_mib)
        build(self.folder / "site/nvidia/cuda_runtime/lib/libcudart.so.12", RUNTIME=self.runtime)
        build(self.wheel / "libcudnn.so.9", **self.cudnn)
        for name in SUBLIBRARIES:
            build(self.wheel / f"libcudnn_{name}.so.9", PART=self.cudnn["CUDNN"])
        for folder, version in self.parts.items():
            build(folder / "libcudnn_ops.so.9", PART=version)
        (self.folder / "site" / "cupy").mkdir()
        (self.folder / "site" / "cupy" / "__init__.py").touch()
        text = SITE.format(devices=str(self.folder / "dev"), bare=self.bare)
        (self.folder / "site" / "sitecustomize.py").write_text(text)
        return self

    def report(self) -> str:
        """What `python -m grader env` says of the GPU: the finding and the mend."""
        search = [str(folder) for folder in (*self.parts, self.folder / "driver", self.wheel)]
        environment = os.environ | {"PYTHONPATH": str(self.folder / "site"), "LD_LIBRARY_PATH": ":".join(search)}
        done = subprocess.run([sys.executable, "-m", "grader", "env"], cwd=ROOT, env=environment, capture_output=True,
                              text=True, timeout=120, check=False)  # fmt: skip
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
        return done.stdout[done.stdout.index("\ngpu ") :].split("\nfiles")[0]


@pytest.fixture
def machine(native_build: Path, tmp_path: Path) -> Machine:
    tmp_path.chmod(0o755)
    return Machine(tmp_path)


def test_a_machine_where_all_fits_is_found_to_work(machine: Machine) -> None:
    assert machine.make().report().split() == ["gpu", "ok", "Stand-in,", "cuDNN", "91900"]


def test_without_device_nodes(native_build: Path) -> None:
    if Path("/dev/nvidiactl").exists():
        pytest.skip("this machine has a GPU")
    done = subprocess.run([sys.executable, "-m", "grader", "env"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "no NVIDIA GPU: /dev/nvidiactl is missing" in done.stdout
    assert "mend: install the NVIDIA driver, or give the container its GPU (docker run --gpus all)" in done.stdout


def test_without_the_node_of_unified_memory(machine: Machine) -> None:
    machine.devices = ("nvidia0", "nvidiactl")
    assert f"{machine.folder}/dev/nvidia-uvm is missing" in machine.make().report()


def test_without_a_driver(machine: Machine) -> None:
    machine.driver = {}
    report = machine.make().report()
    assert "the driver's libcuda.so.1: " in report
    assert "mend: install the NVIDIA driver; in a container, the NVIDIA Container Toolkit brings it in" in report


@pytest.mark.parametrize(
    ("status", "reason", "mend"),
    [
        (100, "the driver sees no GPU: cuInit failed with 100", "CUDA_VISIBLE_DEVICES"),
        (803, "libcuda.so.1 and the kernel module are of different versions: cuInit failed with 803", "reboot"),
        (2, "no memory left on the GPU: cuInit failed with 2", "nvidia-smi"),
        (999, "cuInit failed with 999", "reload the driver"),
    ],
)
def test_a_driver_that_does_not_start(status: int, reason: str, mend: str, machine: Machine) -> None:
    machine.driver["INIT"] = status
    report = machine.make().report()
    assert reason in report
    assert mend in report.split("mend:")[1]


def test_a_driver_too_old_for_the_libraries(machine: Machine) -> None:
    machine.driver["DRIVER"], machine.runtime, machine.cudnn["BUILT"] = 12040, 13000, 13000
    report = machine.make().report()
    assert "the driver is too old: it supports CUDA 12.4, the libraries are CUDA 13" in report
    assert "mend: update the driver, or install the libraries for CUDA 12" in report


def test_case_41_a_part_of_cudnn_is_missing(machine: Machine) -> None:
    machine.make()
    (machine.wheel / "libcudnn_cnn.so.9").unlink()
    report = machine.report()
    assert f"libcudnn_cnn.so.9 is missing beside {machine.wheel}/libcudnn.so.9" in report
    assert "mend: reinstall it" in report


def test_cudnn_without_a_runtime(machine: Machine) -> None:
    machine.make()
    runtime = machine.folder / "site/nvidia/cuda_runtime/lib"
    (runtime / "libcudart.so.12").unlink()
    assert f"{runtime}/libcudart.so.1* is missing" in machine.report()


@pytest.mark.parametrize("case", ["case-42-part-of-a-distribution", "case-43-part-of-a-bundle"])
def test_cudnn_of_mixed_versions(case: str, machine: Machine) -> None:
    """The loader finds a part of another version first: an older one (42, the distribution's) or a newer one (43)."""
    folder = machine.folder / case
    machine.parts = {folder: 90100 if "42" in case else 92200}
    report = machine.make().report()
    assert f"mixed versions: cudnnOpsVersionCheck of {machine.wheel}/libcudnn.so.9 answers 1002" in report
    assert f"loaded from elsewhere: {folder}/libcudnn_ops.so.9" in report
    assert "mend: remove all cuDNN packages and install one" in report


def test_cudnn_for_another_cuda(machine: Machine) -> None:
    machine.cudnn["BUILT"], machine.driver["DRIVER"] = 13000, 13000
    report = machine.make().report()
    assert "mixed versions: cuDNN is built for CUDA 13, the runtime" in report
    assert "mend: keep one of them" in report


def test_without_room_on_the_gpu(machine: Machine) -> None:
    machine.free_mib = 300
    report = machine.make().report()
    assert "no memory left on the GPU: 300 MiB are free, a sandbox needs 1536" in report
    assert "mend: end what else uses the GPU (nvidia-smi lists it)" in report


def test_no_device_nodes_in_the_sandbox(machine: Machine) -> None:
    """Outside there are some, where the driver looks; the sandbox wants those of /dev."""
    if Path("/dev/nvidia0").exists():
        pytest.skip("this machine has a GPU")
    machine.bare = False
    report = machine.make().report()
    assert "the GPU does not work inside the sandbox: " in report
    assert "/dev/nvidia0" in report
    assert "mend: make the device nodes (nvidia-modprobe -u -c=0), or give the container its GPU" in report


def test_case_40_no_room_for_a_handle_in_the_sandbox(machine: Machine) -> None:
    machine.cudnn["CREATE"] = 1001
    report = machine.make().report()
    assert "inside the sandbox: " in report
    assert "cudnnCreate failed with 1001" in report
    assert "mend: the sandbox cannot start cuDNN: look for free GPU memory with nvidia-smi" in report


@pytest.mark.parametrize("target", ["verify", "parity"])
def test_make_for_a_gpu_fails_at_once_and_says_why(target: str, native_build: Path) -> None:
    if Path("/dev/nvidiactl").exists():
        pytest.skip("this machine has a GPU")
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    words = ["make", "--no-print-directory", "-n", target, "BACKEND=gpu"]
    planned = subprocess.run(words, cwd=ROOT, env=outside, capture_output=True, text=True, check=True)
    program, *words = planned.stdout.splitlines()[-1].split()
    assert program == ".venv/bin/python"
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    said = (done.stdout + done.stderr).splitlines()
    assert done.returncode == 1
    assert said == [
        f"{target}: no NVIDIA GPU: /dev/nvidiactl is missing; "
        "install the NVIDIA driver, or give the container its GPU (docker run --gpus all)"
    ]
