"""Trains the capstone's digit network with NumPy and writes its weights next to the images.

    .venv/bin/python scripts/train_capstone.py            # weights.npz from digits.npz, in seconds
    .venv/bin/python scripts/train_capstone.py --export   # first digits.npz, from scikit-learn (no dependency)

Images: "Optical Recognition of Handwritten Digits", E. Alpaydin and C. Kaynak, UCI Machine Learning Repository,
https://doi.org/10.24432/C50P49, CC BY 4.0; the 1,797 images of 8x8 pixels, 0 to 16, that scikit-learn bundles.
The network is in the text of the lesson capstone-inference. Convolutions and their gradients are `grader.references`.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grader.references import (  # noqa: E402  (found through the line above)
    convolution_backward_bias,
    convolution_backward_data,
    convolution_backward_filter,
    convolution_forward,
    pooling_backward,
    pooling_forward,
)

FOLDER = ROOT / "exercises" / "digit-network"
SEED, EPOCHS, BATCH, RATE, DECAY, TEST = 7, 60, 32, 5e-3, 0.02, 360
PIXEL = 16.0
SHAPES = {"conv1": (8, 1, 3, 3), "conv2": (16, 8, 3, 3), "dense": (10, 16, 2, 2)}
PADDING = {"conv1": (1, 1), "conv2": (1, 1), "dense": (0, 0)}

Floats = NDArray[np.float64]
Arrays = dict[str, Floats]


def export() -> None:
    """digits.npz: images [n, 1, 8, 8] and labels [n], uint8, split at random into train_* and test (no prefix)."""
    from sklearn.datasets import load_digits  # type: ignore[import-not-found]  # only here, and only where asked for

    images, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(SEED).permutation(len(images))
    images, labels = images[order].astype(np.uint8).reshape(-1, 1, 8, 8), labels[order].astype(np.uint8)
    np.savez_compressed(
        FOLDER / "digits.npz",
        images=images[:TEST],
        labels=labels[:TEST],
        train_images=images[TEST:],
        train_labels=labels[TEST:],
    )


def fresh(random: np.random.Generator) -> Arrays:
    """He's initialisation: deviation √(2 / inputs of one output)."""
    weights = {name: random.normal(0, np.sqrt(2 / np.prod(shape[1:])), shape) for name, shape in SHAPES.items()}
    return weights | {f"{name}_bias": np.zeros(shape[0]) for name, shape in SHAPES.items()}


def layer(x: Floats, weights: Arrays, name: str) -> Floats:
    y = convolution_forward(x, weights[name], padding=PADDING[name])
    return y + weights[f"{name}_bias"].reshape(1, -1, 1, 1)


def pool(x: Floats) -> Floats:
    return pooling_forward(x, (2, 2))


def forward(x: Floats, weights: Arrays) -> list[Floats]:
    """[x, a1, p1, a2, p2, scores]: a after ReLU, p after pooling, scores [n, 10, 1, 1]."""
    a1 = np.maximum(layer(x, weights, "conv1"), 0)
    p1 = pool(a1)
    a2 = np.maximum(layer(p1, weights, "conv2"), 0)
    p2 = pool(a2)
    return [x, a1, p1, a2, p2, layer(p2, weights, "dense")]


def gradients(values: list[Floats], labels: NDArray[np.int64], weights: Arrays) -> Arrays:
    """Of the mean cross entropy."""
    x, a1, p1, a2, p2, scores = values
    dy = np.exp(scores - scores.max(1, keepdims=True))
    dy /= dy.sum(1, keepdims=True)
    dy[np.arange(len(labels)), labels] -= 1
    dy /= len(labels)
    found: Arrays = {}
    for name, given, pooled in (("dense", p2, None), ("conv2", p1, a2), ("conv1", x, a1)):
        if pooled is not None:
            dy = pooling_backward(pooled, dy, (2, 2)) * (pooled > 0)
        found[name] = convolution_backward_filter(given, dy, SHAPES[name], padding=PADDING[name])
        found[f"{name}_bias"] = convolution_backward_bias(dy).ravel()
        dy = convolution_backward_data(dy, weights[name], given.shape, padding=PADDING[name])
    return found


class Adam:
    """Adam with decoupled weight decay and a rate that falls to zero along a cosine."""

    def __init__(self, weights: Arrays, steps: int) -> None:
        self.weights, self.steps, self.step = weights, steps, 0
        self.mean, self.square = ({k: np.zeros_like(v) for k, v in weights.items()} for _ in range(2))

    def update(self, found: Arrays) -> None:
        self.step += 1
        rate = RATE * (1 + np.cos(np.pi * self.step / self.steps)) / 2
        for name, gradient in found.items():
            self.mean[name] += 0.1 * (gradient - self.mean[name])
            self.square[name] += 0.001 * (gradient**2 - self.square[name])
            mean = self.mean[name] / (1 - 0.9**self.step)
            square = self.square[name] / (1 - 0.999**self.step)
            self.weights[name] -= rate * (mean / (np.sqrt(square) + 1e-8) + DECAY * self.weights[name])


def train(images: Floats, labels: NDArray[np.int64]) -> Arrays:
    random = np.random.default_rng(SEED)
    weights = fresh(random)
    batches = -(-len(images) // BATCH)
    adam = Adam(weights, EPOCHS * batches)
    for epoch in range(EPOCHS):
        order = random.permutation(len(images))
        for rows in np.array_split(order, batches):
            adam.update(gradients(forward(images[rows], weights), labels[rows], weights))
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1}: {right(images, labels, weights)} of {len(images)} training images right")
    return weights


def right(images: Floats, labels: NDArray[np.int64], weights: Arrays) -> int:
    scores = forward(images, weights)[-1]
    return int((scores.reshape(len(images), -1).argmax(1) == labels).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--export", action="store_true", help="make digits.npz from scikit-learn first")
    if parser.parse_args().export:
        export()
    with np.load(FOLDER / "digits.npz") as data:
        digits = {name: data[name].astype(np.int64) for name in data.files}
    weights = train(digits["train_images"] / PIXEL, digits["train_labels"])
    weights["conv1"] = weights["conv1"] / PIXEL  # so that the network takes pixels from 0 to 16 as they are
    rounded = {name: value.astype(np.float32) for name, value in weights.items()}
    np.savez(FOLDER / "weights.npz", **rounded)
    score = right(digits["images"].astype(float), digits["labels"], {k: v.astype(float) for k, v in rounded.items()})
    print(f"{score} of {len(digits['images'])} test images right ({score / len(digits['images']):.1%})")


if __name__ == "__main__":
    main()
