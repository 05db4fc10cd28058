"""What is taught can be called in the simulator and seen in the trace."""

import pytest

from tests.native.coverage import by_group, exported, rows


@pytest.mark.parametrize("library", [("libcudnn.so.9", "libcudart.so.12"), ("libfp_recorder.so",)])
def test_every_taught_function_is_simulated_and_traced(native_build: object, library: tuple[str, ...]) -> None:
    names = set().union(*map(exported, library))
    assert [f.name for functions in by_group().values() for f in functions if f.symbol not in names] == []


def test_the_sum_counts_every_taught_function(native_build: object) -> None:
    assert rows()[-1][1] == sum(map(len, by_group().values())) > 0
