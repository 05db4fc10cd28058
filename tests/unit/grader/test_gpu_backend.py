"""What the finder of the GPU backend says where something is missing or does not fit; no GPU is needed."""

import ctypes
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader import selftest
from grader.backends import BackendUnavailableError, gpu, nvidia, why_not_gpu
from grader.backends.base import Backend
from grader.contract.verdict import BackendInfo
from grader.launch import HarnessError, device_of


class Function:
    """Stands for a function of a C library."""

    def __init__(self, work: Callable[..., int]) -> None:
        self.work = work
        self.restype: Any = None

    def __call__(self, *arguments: Any) -> int:
        return self.work(*arguments)


def writes(value: int) -> Function:
    def work(pointer: Any) -> int:
        pointer._obj.value = value
        return 0

    return Function(work)


def libraries(folder: Path, without: str = "") -> nvidia.Libraries:
    for name in ("", *(f"_{name}" for name in nvidia.SUBLIBRARIES)):
        if name != without:
            (folder / f"libcudnn{name}.so.9").touch()
    return nvidia.Libraries(folder / "libcudnn.so.9", folder / "libcudart.so.12", (folder,), (folder,), (), folder)


def check(
    monkeypatch: pytest.MonkeyPatch,
    found: nvidia.Libraries,
    *,
    driver: int = 12080,
    runtime: int = 12080,
    built: int = 12080,
    version: int = 91900,
    sublibrary: int = 0,
) -> int:
    monkeypatch.setattr(nvidia, "driver", lambda: SimpleNamespace(cuDriverGetVersion=writes(driver)))
    cudnn = SimpleNamespace(
        cudnnGetVersion=Function(lambda: version),
        cudnnGetCudartVersion=Function(lambda: built),
        cudnnOpsVersionCheck=Function(lambda: sublibrary),
    )
    cudart = SimpleNamespace(cudaRuntimeGetVersion=writes(runtime))
    loaded: dict[str, Any] = {str(found.cudnn): cudnn, str(found.cudart): cudart}
    return nvidia.check_versions(found, loaded.__getitem__)


def test_libraries_that_fit_give_the_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert check(monkeypatch, libraries(tmp_path)) == 91900


CASES: dict[str, tuple[dict[str, int], str]] = {
    "driver too old": ({"driver": 12040, "runtime": 13000, "built": 13000}, "driver is too old: it supports CUDA 12.4"),
    "two CUDA versions": ({"driver": 13000, "built": 13000}, "mixed versions: cuDNN is built for CUDA 13"),
    "two cuDNN versions": ({"sublibrary": 1002}, "mixed versions: cudnnOpsVersionCheck"),
    "cuDNN 8": ({"version": 8907}, "cuDNN 8907 is too old"),
}


@pytest.mark.parametrize("name", CASES)
def test_versions_that_do_not_fit_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    numbers, message = CASES[name]
    with pytest.raises(BackendUnavailableError, match=message) as caught:
        check(monkeypatch, libraries(tmp_path), **numbers)
    assert caught.value.mend


def test_a_missing_part_of_cudnn_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(BackendUnavailableError, match=r"libcudnn_cnn\.so\.9 is missing"):
        check(monkeypatch, libraries(tmp_path, without="_cnn"))


def test_a_library_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "libcudnn.so.9").write_bytes(b"no library")
    found = nvidia.Libraries(tmp_path / "libcudnn.so.9", tmp_path / "libcudart.so.12", (), (), (), tmp_path)
    with pytest.raises(BackendUnavailableError, match="cannot be loaded"):
        nvidia.check_versions(found, ctypes.CDLL)


def test_a_full_gpu_is_named() -> None:
    with pytest.raises(BackendUnavailableError, match="no memory left on the GPU: 200 MiB are free"):
        gpu.check_memory([100 << 20, 200 << 20])
    gpu.check_memory([100 << 20, 80_000 << 20])
    gpu.check_memory([])


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Backend:
    backend = Backend(BackendInfo("gpu", 91900, "GPU"), "", "", (), (), gpu=True, devices=(0, 2))
    monkeypatch.setattr(gpu, "_found", backend)
    monkeypatch.setattr(gpu, "_refused", None)
    return backend


def test_slots_take_the_gpus_in_turn(found: Backend) -> None:
    assert [device_of(found, slot) for slot in range(5)] == [0, 2, 0, 2, 0]


def test_a_gpu_that_fails_in_the_sandbox_is_refused_from_then_on(
    monkeypatch: pytest.MonkeyPatch, found: Backend
) -> None:
    def launch(*_: object, **__: object) -> None:
        raise HarnessError("the cpp harness did not come up: cudnnCreate failed with 1001")

    assert why_not_gpu() == ""
    monkeypatch.setattr(selftest, "launch", launch)
    with pytest.raises(BackendUnavailableError, match="inside the sandbox.*cudnnCreate failed") as caught:  # noqa: RUF043
        selftest.prove_gpu.__wrapped__()
    assert "nvidia-smi" in caught.value.mend
    assert why_not_gpu().startswith("the GPU does not work inside the sandbox")
