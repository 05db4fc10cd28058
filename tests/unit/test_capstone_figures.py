"""What the capstone lesson tells of its network (right answers, mistakes, TF32) is what its weights give in float64."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.paths import ROOT
from grader.references import convolution_forward, pooling_forward, softmax

EXERCISE = ROOT / "exercises" / "digit-network"
LESSON = ROOT / "lessons" / "160-capstone-inference"
Array = np.ndarray[Any, np.dtype[Any]]


def stored(file: str) -> dict[str, Array]:
    with np.load(Path(EXERCISE / file)) as arrays:
        return {name: arrays[name].astype(np.float64) for name in arrays}


WEIGHTS, DIGITS = stored("weights.npz"), stored("digits.npz")


def same(x: Array) -> Array:
    return x


def tf32(x: Array) -> Array:
    """Rounded to ten stored bits of mantissa, ties to even."""
    mantissa, exponent = np.frexp(x)
    return np.ldexp(np.rint(mantissa * 2.0**11), exponent - 11)


def averages(x: Array) -> Array:
    n, c, h, w = x.shape
    return x.reshape(n, c, h // 2, 2, w // 2, 2).mean(axis=(3, 5))


@dataclass(frozen=True)
class Network:
    flip: bool = False
    biases: float = 1
    activation: Callable[[Array], Array] = lambda x: np.maximum(x, 0)
    last: Callable[[Array], Array] = same
    pool: Callable[[Array], Array] = lambda x: pooling_forward(x, (2, 2))
    rounded: Callable[[Array], Array] = same

    def layer(self, x: Array, name: str, pad: int) -> Array:
        w = self.rounded(WEIGHTS[name])
        y: Array = convolution_forward(self.rounded(x), w, padding=(pad, pad), flip=self.flip)
        return y + self.biases * WEIGHTS[f"{name}_bias"].reshape(1, -1, 1, 1)

    def scores(self, x: Array) -> Array:
        for name in ("conv1", "conv2"):
            x = self.pool(self.activation(self.layer(x, name, 1)))
        return self.last(self.layer(x, "dense", 0))[:, :, 0, 0]


def right(network: Network, images: Array, labels: Array) -> int:
    return int((network.scores(images).argmax(axis=1) == labels.ravel()).sum())


IMAGES, LABELS = DIGITS["images"], DIGITS["labels"]
MISTAKES = {
    "none": right(Network(), IMAGES, LABELS),
    "ReLU on the scores as well": right(Network(last=lambda s: np.maximum(s, 0)), IMAGES, LABELS),
    "all biases left out": right(Network(biases=0), IMAGES, LABELS),
    "no ReLU": right(Network(activation=same), IMAGES, LABELS),
    "average instead of maximum": right(Network(pool=averages), IMAGES, LABELS),
    "`CUDNN_CONVOLUTION`: filters flipped": right(Network(flip=True), IMAGES, LABELS),
    "images transposed": right(Network(), IMAGES.transpose(0, 1, 3, 2), LABELS),
    "pixels divided by 16 once more": right(Network(), IMAGES / 16, LABELS),
}


def test_the_table_of_mistakes_is_what_they_give() -> None:
    text = (LESSON / "en.md").read_text("utf-8").replace("**", "")
    assert [name for name, count in MISTAKES.items() if f"| {name} | {count} |" not in text] == []


def test_both_languages_have_the_same_counts() -> None:
    korean = (LESSON / "ko.md").read_text("utf-8").replace("**", "")
    assert [count for count in MISTAKES.values() if f"| {count} |" not in korean] == []


def test_all_digits_of_the_training_are_right() -> None:
    assert right(Network(), DIGITS["train_images"], DIGITS["train_labels"]) == len(DIGITS["train_labels"]) == 1437


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_rounding_to_tf32_moves_scores_and_probabilities_by_what_the_lesson_says(lang: str) -> None:
    exact, coarse = Network().scores(IMAGES), Network(rounded=tf32).scores(IMAGES)
    best = np.sort(exact, axis=1)
    probabilities = [softmax(scores[:, :, None, None]) for scores in (exact, coarse)]
    text = (LESSON / f"{lang}.md").read_text("utf-8")
    for figure in (
        f"{np.abs(probabilities[0] - probabilities[1]).max():.3f}",
        f"{(best[:, -1] - best[:, -2]).min():.2f}",
        f"{np.abs(exact - coarse).max():.3f}",
    ):
        assert figure in text
    assert (exact.argmax(axis=1) == coarse.argmax(axis=1)).all()
