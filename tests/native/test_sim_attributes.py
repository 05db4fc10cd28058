"""The graph API's attributes: what cuDNN 9.19 answered to every way of setting, reading and finalising."""

import ctypes
from collections.abc import Callable

import pytest

from tests.native.parity import attributes
from tests.native.parity.attributes import DIED, SWEEPS, answer, recorded, text
from tests.native.parity.installed import SIMULATED
from tests.native.parity.nodes import Library
from tests.native.simulator import Simulator

EVERY = {"set": 97, "get": 97, "other": 1}
"""One in so many questions about attributes that the descriptor does not have is asked, all others are."""


@pytest.fixture(scope="module")
def library(native_build: object) -> Library:
    return Library(Simulator().dnn)


@pytest.mark.parametrize("sweep", SWEEPS)
def test_attributes_are_answered_as_by_the_real_library(library: Library, sweep: str) -> None:
    questions, answers = recorded(sweep)
    wrong, asked = [], 0
    for place, ((own, question), expected) in enumerate(zip(questions, answers, strict=True)):
        if not own and place % EVERY[sweep]:
            continue
        asked += 1
        found = answer(library, question)
        if expected not in (DIED, found):
            wrong.append(f"{text(question)}: {expected} ≠ {found}")
    assert asked > 1000
    assert not wrong, f"{len(wrong)} of {asked} answers differ:\n" + "\n".join(wrong[:20])


def wrong(asks: Callable[[], attributes.Answer], monkeypatch: pytest.MonkeyPatch) -> list[attributes.Answer]:
    monkeypatch.setitem(attributes.ASKED, "wrong", lambda _library: asks())
    return attributes.answers(SIMULATED, [("create", 0, True), ("wrong",), ("create", 0, True)])


def test_a_death_of_the_library_ends_no_other_question(native_build: object, monkeypatch: pytest.MonkeyPatch) -> None:
    first, died, last = wrong(lambda: ctypes.string_at(0).hex(), monkeypatch)
    assert died == DIED
    assert first == last != DIED


def test_a_mistake_in_the_asking_is_no_death(native_build: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would pass for questions that the real library does not survive, which are left out."""
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        wrong(lambda: [1 // 0], monkeypatch)
