"""Which axis of an output is the image, the channel, the row, the column: by the letters of the exercise's shape."""

from collections.abc import Sequence
from typing import Literal

Role = Literal["image", "channel", "row", "column"]
Axes = dict[Role, int]

_LETTERS: dict[str, Role] = {
    **dict.fromkeys(("N", "M", "total"), "image"),
    **dict.fromkeys(("C", "K", "wide"), "channel"),
    **dict.fromkeys(("H", "P"), "row"),
    **dict.fromkeys(("W", "Q"), "column"),
}


def axes_of(shape: Sequence[str]) -> Axes:
    """Role → axis for the shape of images: [N, K, P, Q], [N, H, W, C], [K, P, Q], [H, W].

    Empty for all others. A state [B, H], a sequence [T, B, H], a filter [K, C, R, S] and a matrix [M, O] have no image
    rows and columns, although some of their letters are those of images.
    """
    roles = [_LETTERS.get(size.strip()) for size in shape]
    found: Axes = {role: axis for axis, role in enumerate(roles) if role is not None}
    images = len(found) == len(shape) and {"row", "column"} <= set(found)
    return found if images else {}
