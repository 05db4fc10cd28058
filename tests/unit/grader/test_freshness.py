"""A native build that does not fit its sources is refused with the command that mends it, not with a missing symbol."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.backends import BackendUnavailableError, find_backend
from grader.backends.simulated import NEEDED
from grader.environment import check_environment
from grader.native import freshness


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A build folder that has every file, made from the present sources."""
    for name in NEEDED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    freshness.record(tmp_path, freshness.sources_digest())
    monkeypatch.setenv("FP_NATIVE", str(tmp_path))
    freshness.why_stale.cache_clear()
    yield tmp_path
    freshness.why_stale.cache_clear()


def test_a_build_of_the_present_sources_is_taken(build: Path) -> None:
    assert find_backend("simulated").info.name == "simulated"


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda build: freshness.record(build, "0" * 64), "was built from other sources"),
        (lambda build: (build / freshness.RECORD).unlink(), "was built by an older version"),
    ],
)
def test_an_old_build_is_refused_with_its_mend(build: Path, damage: object, told: str) -> None:
    assert callable(damage)
    damage(build)
    with pytest.raises(BackendUnavailableError, match=told) as refused:
        find_backend("simulated")
    assert refused.value.mend == "run `make native`"
    simulator = next(check for check in check_environment() if check.name == "simulator")
    assert (simulator.ok, simulator.mend) == (False, "run `make native`")
    assert str(build) in simulator.detail


def test_every_source_counts_and_caches_do_not(tmp_path: Path) -> None:
    for folder in freshness.FOLDERS:
        (tmp_path / folder / "sub").mkdir(parents=True)
        (tmp_path / folder / "sub" / "a.cpp").write_text("int a;")
    before = freshness.sources_digest(tmp_path)
    (tmp_path / "native" / "__pycache__").mkdir()
    (tmp_path / "native" / "__pycache__" / "build.pyc").write_bytes(b"1")
    assert freshness.sources_digest(tmp_path) == before
    shutil.move(tmp_path / "inside" / "sub" / "a.cpp", tmp_path / "inside" / "sub" / "b.cpp")
    moved = freshness.sources_digest(tmp_path)
    (tmp_path / "native" / "sub" / "a.cpp").write_text("int b;")
    assert len({before, moved, freshness.sources_digest(tmp_path)}) == 3
