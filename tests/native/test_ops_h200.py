"""What the simulator answers, call by call, against what cuDNN 9.19 answered on an H200 (tests/native/h200)."""

import re
from pathlib import Path

import pytest

from tests.native.h200 import record
from tests.native.h200.differences import EXPLAINED, NOT_TAUGHT, RECORDED, differences

NAMES = [name for name in RECORDED if name not in NOT_TAUGHT]


@pytest.fixture(scope="module")
def libraries(native_build: Path) -> tuple[str, str]:
    return str(native_build / "lib/libcudnn.so.9"), str(native_build / "lib/libcudart.so.12")


@pytest.mark.parametrize("scenario", NAMES)
def test_scenario_answers_as_on_an_h200(scenario: str, libraries: tuple[str, str], tmp_path: Path) -> None:
    found = record.record(scenario, *libraries, tmp_path / "results.log")
    assert "broke off" not in found
    faults = {key: end for key, end in found["ended"].items() if not isinstance(end, list)}
    assert faults == {}, "a call of this scenario ended the simulator"
    compared, wrong = differences(scenario, RECORDED[scenario], found)
    assert compared > 0
    assert not wrong, f"{len(wrong)} of {compared} results differ:\n" + "\n".join(wrong[:20])


def test_every_explanation_is_of_a_recorded_result() -> None:
    for scenario, patterns in EXPLAINED.items():
        for pattern in patterns:
            assert any(re.search(pattern, key) for key in RECORDED[scenario]), f"{scenario}: {pattern}"


def test_scenarios_left_out_use_functions_that_are_not_taught() -> None:
    known = record.scenarios()
    for scenario, functions in NOT_TAUGHT.items():
        source = (Path(record.__file__).parent / f"scenarios_{known[scenario]}.py").read_text("utf-8")
        assert functions in source, scenario


def test_a_difference_is_seen() -> None:
    expected = {key: value for key, value in RECORDED["pooling_forward"].items() if not key.endswith("→")}
    key = next(name for name, value in expected.items() if value == 0)
    assert differences("pooling_forward", expected, expected)[1] == []
    assert differences("pooling_forward", expected, expected | {key: 2000})[1] == [f"{key}: 0 ≠ 2000"]
