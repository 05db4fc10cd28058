"""Inputs from an exercise's .npz file: declared, checked when loaded, and given to the cases."""

from pathlib import Path

import numpy as np
import pytest

from grader.contract.data_files import array_shapes
from grader.contract.exercise import load_exercise
from grader.contract.problems import ContentError
from grader.inputs import CaseInputs
from grader.reference import expected_outputs
from tests.unit.grader.exercise_files import YAML, write_exercise

EXERCISES = Path(__file__).resolve().parents[3] / "exercises"
FILL = "{name: x, kind: input, dtype: float32, shape: [N, C], fill: {file: data.npz, array: rows, draw: true}}"
PLAIN = "{name: x, kind: input, dtype: float32, shape: [N, C]}"
ROWS = np.arange(20, dtype=np.uint8).reshape(10, 2)


def write(root: Path, fill: str = FILL) -> Path:
    """The toy exercise with its x from data.npz: case `first` wants one row of two."""
    yaml = YAML.replace(PLAIN, fill).replace("{N: 2, C: 1,", "{N: 7, C: 2,")
    folder = write_exercise(root, yaml)
    np.savez_compressed(folder / "data.npz", rows=ROWS, whole=ROWS[:1], labels=ROWS[:, 0])
    return folder


def message(folder: Path) -> str:
    with pytest.raises(ContentError) as caught:
        load_exercise(folder)
    assert all(problem.file == folder / "exercise.yaml" and problem.mend for problem in caught.value.problems)
    return str(caught.value)


def test_shapes_are_read_from_the_headers(tmp_path: Path) -> None:
    arrays = {"a": np.zeros((3, 1, 8, 8), np.uint8), "b": np.zeros(4), "scalar": np.float32(1)}
    np.savez(tmp_path / "x.npz", **arrays)  # type: ignore[arg-type]
    assert array_shapes(tmp_path / "x.npz") == {name: value.shape for name, value in arrays.items()}


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x93NUMPY"])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.npz").write_bytes(content)
    with pytest.raises(ValueError, match=r"not an \.npz file"):
        array_shapes(tmp_path / "x.npz")


def test_drawn_rows_are_fresh_for_each_seed_and_alike_for_all_arrays(tmp_path: Path) -> None:
    labels = FILL.replace("name: x", "name: z").replace("[N, C]", "[N]").replace("rows", "labels")
    exercise = load_exercise(write(tmp_path, f"{FILL}\n    - {labels}"))
    drawn = [CaseInputs(exercise, exercise.cases[1], seed).arrays for seed in (1, 1, 2)]
    for arrays in drawn:
        assert arrays["x"].dtype == np.float32
        np.testing.assert_array_equal(arrays["x"][:, 0], arrays["z"])
        assert len({tuple(row) for row in arrays["x"]} & {tuple(row) for row in ROWS}) == 7
    np.testing.assert_array_equal(drawn[0]["x"], drawn[1]["x"])
    assert not np.array_equal(drawn[0]["x"], drawn[2]["x"])


def test_without_draw_the_array_is_given_whole(tmp_path: Path) -> None:
    fill = FILL.replace("[N, C]", "[10, 2]").replace(", draw: true", "")
    exercise = load_exercise(write(tmp_path, fill))
    np.testing.assert_array_equal(CaseInputs(exercise, exercise.cases[0], 1).arrays["x"], ROWS)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("data.npz", "other.npz", "cannot fill 'x' from other.npz"),
        ("data.npz", "../data.npz", "is not the name of an .npz file"),
        ("data.npz", "reference.py", "is not the name of an .npz file"),
        ("array: rows", "array: row", "use one of: labels, rows, whole"),
        ("array: rows, ", "", "lacks the key 'array'"),
        ("draw: true", "drawn: true", "unknown key 'drawn'"),
        (", draw: true", "", "fills 'x' of shape (1, 2) from 'rows' of shape (10, 2)"),
        ("array: rows", "array: whole", "fills 'x' of shape (7, 2) from 'whole' of shape (1, 2)"),
        ("[N, C]", "[N, C, 1]", "fills 'x' of shape (1, 2, 1)"),
    ],
)
def test_mistakes_are_named_when_the_exercise_is_loaded(old: str, new: str, expected: str, tmp_path: Path) -> None:
    assert old in FILL
    assert expected in message(write(tmp_path, FILL.replace(old, new)))


def test_an_output_takes_no_file(tmp_path: Path) -> None:
    fill = FILL.replace("kind: input", "kind: output")
    assert "pre-filled with NaN" in message(write(tmp_path, fill))


def test_the_capstone_reads_354_of_its_360_digits() -> None:
    exercise = load_exercise(EXERCISES / "digit-network")
    case = next(case for case in exercise.cases if case.parameters["N"] == 360)
    inputs = CaseInputs(exercise, case, 1)
    found = expected_outputs(exercise, inputs)
    assert found["right"] == 354
    most_probable = found["probabilities"].argmax(axis=1)
    assert (most_probable == inputs.arrays["labels"]).sum() == 354
