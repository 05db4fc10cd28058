"""Descriptors of the graph API, described as data and made in a library."""

import ctypes
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from tests.native.parity.execute import ELEMENTS
from tests.native.parity.values import ENUMS


def by_name(enum: str, prefix: str, suffix: str = "") -> dict[str, int]:
    values = {v.name.removeprefix(prefix).removesuffix(suffix): v.value for v in ENUMS[enum].values}
    return {name: value for name, value in values.items() if isinstance(value, int)}


KINDS = by_name("cudnnBackendDescriptorType_t", "CUDNN_BACKEND_", "_DESCRIPTOR")
NAMES = by_name("cudnnBackendAttributeName_t", "CUDNN_ATTR_")
TYPES = by_name("cudnnBackendAttributeType_t", "CUDNN_TYPE_")
MODES = by_name("cudnnPointwiseMode_t", "CUDNN_POINTWISE_")
NODE, POINTER, INT64 = "BACKEND_DESCRIPTOR", "VOID_PTR", "INT64"
READ_AS = {"CONVOLUTION_CONV_MODE": "DATA_TYPE"}
"""What the real library tells only to who asks for another type."""
TOLD = 8
"""Elements that are asked for of a list."""
Values = Sequence[Any]
"""Numbers; of a NODE, a `Spec` or None."""


@dataclass(frozen=True)
class Given:
    """Elements for an attribute; `count` where another number is told than there are."""

    type: str
    values: Values
    count: int | None = None


@dataclass(frozen=True)
class Spec:
    """A descriptor and when it is finalised: before another names it, never, after that, or only then set at all."""

    kind: str
    given: dict[str, Given] = field(default_factory=dict)
    state: Literal["finalised", "raw", "later", "filled later"] = "finalised"

    def __str__(self) -> str:
        """Its kind, and its attributes without what they all begin with."""
        alike = itertools.takewhile(lambda letters: len(set(letters)) == 1, zip(*self.given, strict=False))
        start = "".join(letters[0] for letters in alike) if len(self.given) > 1 else ""
        parts = [
            f"{name[len(start) :]}={', '.join(map(str, given.values))}"
            f"{'' if given.count is None else f' (told: {given.count})'}"
            for name, given in self.given.items()
        ]
        return f"{self.kind}[{'; '.join(parts)}]{'' if self.state == 'finalised' else f' ({self.state})'}"

    def but(self, name: str, *values: Any, count: int | None = None) -> "Spec":
        kind = self.given[name].type if name in self.given else TYPE_OF[name]
        return replace(self, given=self.given | {name: Given(kind, values, count)})

    def without(self, *names: str) -> "Spec":
        return replace(self, given={name: value for name, value in self.given.items() if name not in names})

    def when(self, state: Literal["raw", "later", "filled later"]) -> "Spec":
        return replace(self, state=state)


TYPE_OF = {"TENSOR_VECTOR_COUNT": INT64, "TENSOR_VECTORIZED_DIMENSION": INT64, "POINTWISE_AXIS": INT64}
"""Of attributes that are set in some descriptors only."""


def row_major(dims: Sequence[int]) -> list[int]:
    """Strides, at most the largest number of 64 bits."""
    strides = [1] * len(dims)
    for place in range(len(dims) - 2, -1, -1):
        strides[place] = min(strides[place + 1] * dims[place + 1], 2**63 - 1)
    return strides


def tensor(*dims: int, uid: int = 1, dtype: int = 0, strides: Sequence[int] | None = None) -> Spec:
    numbers = {"BYTE_ALIGNMENT": 16, "VECTOR_COUNT": 1, "VECTORIZED_DIMENSION": -1, "UNIQUE_ID": uid}
    return Spec(
        "TENSOR",
        {
            "TENSOR_DATA_TYPE": Given("DATA_TYPE", [dtype]),
            "TENSOR_DIMENSIONS": Given(INT64, dims),
            "TENSOR_STRIDES": Given(INT64, row_major(dims) if strides is None else strides),
            **{f"TENSOR_{name}": Given(INT64, [value]) for name, value in numbers.items()},
            **{f"TENSOR_{name}": Given("BOOLEAN", [0]) for name in ("IS_VIRTUAL", "IS_BY_VALUE")},
        },
    )


def convolution(rank: int = 2, pad: int = 1, stride: int = 1, dilation: int = 1, after: int | None = None) -> Spec:
    numbers = {"DILATIONS": dilation, "FILTER_STRIDES": stride, "PRE_PADDINGS": pad}
    numbers["POST_PADDINGS"] = pad if after is None else after
    return Spec(
        "CONVOLUTION",
        {
            "CONVOLUTION_COMP_TYPE": Given("DATA_TYPE", [0]),
            "CONVOLUTION_CONV_MODE": Given("CONVOLUTION_MODE", [1]),
            "CONVOLUTION_SPATIAL_DIMS": Given(INT64, [rank]),
            **{f"CONVOLUTION_{name}": Given(INT64, [value] * rank) for name, value in numbers.items()},
        },
    )


def pointwise(mode: int, **numbers: float) -> Spec:
    given = {"POINTWISE_MODE": Given("POINTWISE_MODE", [mode]), "POINTWISE_MATH_PREC": Given("DATA_TYPE", [0])}
    return Spec("POINTWISE", given | {f"POINTWISE_{name}": Given("DOUBLE", [v]) for name, v in numbers.items()})


def operation(kind: str, prefix: str, scales: Sequence[str] = (), /, **parts: Spec | None) -> Spec:
    given = {f"OPERATION_{prefix}_{name}": Given("FLOAT", [1.0]) for name in scales}
    given |= {f"OPERATION_{prefix}_{name}": Given(NODE, [part]) for name, part in parts.items()}
    return Spec(f"OPERATION_{kind}", given)


X, W, Y, CONV = tensor(2, 4, 5, 5), tensor(8, 4, 3, 3, uid=2), tensor(2, 8, 5, 5, uid=3), convolution()
LIKE_X, CHANNELS = tensor(2, 4, 5, 5, uid=5), tensor(1, 4, 1, 1, uid=6)
A, B, C = tensor(2, 4, 8, uid=10), tensor(2, 8, 6, uid=11), tensor(2, 4, 6, uid=12)
MATMUL = Spec("MATMUL", {"MATMUL_COMP_TYPE": Given("DATA_TYPE", [0])})
REDUCTION = Spec(
    "REDUCTION",
    {
        "REDUCTION_OPERATOR": Given("REDUCTION_OPERATOR_TYPE", [0]),
        "REDUCTION_COMP_TYPE": Given("DATA_TYPE", [0]),
        "REDUCTION_IS_DETERMINISTIC": Given("BOOLEAN", [0]),
    },
)
ADD = pointwise(MODES["ADD"], RELU_LOWER_CLIP=0.0, RELU_UPPER_CLIP=6.0, ELU_ALPHA=1.0).but("POINTWISE_AXIS", 1)
SCALES = ("ALPHA", "BETA")


def forward(x: Spec = X, w: Spec = W, y: Spec = Y, conv: Spec = CONV) -> Spec:
    kind = "CONVOLUTION_FORWARD"
    return operation(kind, kind, SCALES, X=x, W=w, Y=y, CONV_DESC=conv)


def backward_data(x: Spec = X, w: Spec = W, y: Spec = Y, conv: Spec = CONV) -> Spec:
    return operation("CONVOLUTION_BACKWARD_DATA", "CONVOLUTION_BWD_DATA", SCALES, DX=x, W=w, DY=y, CONV_DESC=conv)


def backward_filter(x: Spec = X, w: Spec = W, y: Spec = Y, conv: Spec = CONV) -> Spec:
    return operation("CONVOLUTION_BACKWARD_FILTER", "CONVOLUTION_BWD_FILTER", SCALES, X=x, DW=w, DY=y, CONV_DESC=conv)


CONVOLUTIONS = (forward, backward_data, backward_filter)


def matmul(a: Spec = A, b: Spec = B, c: Spec = C, settings: Spec = MATMUL) -> Spec:
    return operation("MATMUL", "MATMUL", ADESC=a, BDESC=b, CDESC=c, DESC=settings)


def reduction(x: Spec = X, y: Spec = CHANNELS, settings: Spec = REDUCTION) -> Spec:
    return operation("REDUCTION", "REDUCTION", XDESC=x, YDESC=y, DESC=settings)


def pointed(settings: Spec, **tensors: Spec) -> Spec:
    return operation("POINTWISE", "POINTWISE", ("ALPHA1", "ALPHA2"), PW_DESCRIPTOR=settings, **tensors)


SUBJECTS = {
    "tensor": X,
    "convolution": CONV,
    "pointwise": ADD,
    "matmul": MATMUL,
    "reduction": REDUCTION,
    "forward": forward(),
    "backward data": backward_data(),
    "backward filter": backward_filter(),
    "matmul operation": matmul(),
    "reduction operation": reduction(),
    "addition": pointed(ADD, XDESC=X, BDESC=CHANNELS, YDESC=LIKE_X),
    "gradient": pointed(pointwise(MODES["RELU_BWD"]), XDESC=X, DXDESC=LIKE_X, DYDESC=LIKE_X),
    "pack": Spec(
        "VARIANT_PACK",
        {
            "VARIANT_PACK_UNIQUE_IDS": Given(INT64, [1, 2, 3]),
            "VARIANT_PACK_DATA_POINTERS": Given(POINTER, [4096, 8192, 12288]),
            "VARIANT_PACK_WORKSPACE": Given(POINTER, [0]),
        },
    ),
    "knob": Spec(
        "KNOB_CHOICE",
        {"KNOB_CHOICE_KNOB_TYPE": Given("KNOB_TYPE", [2]), "KNOB_CHOICE_KNOB_VALUE": Given(INT64, [2])},
    ),
}
"""One of each descriptor that needs no GPU to be finalised."""


class Library:
    """The functions of one libcudnn that take descriptors of the graph API."""

    def __init__(self, library: ctypes.CDLL | Path) -> None:
        self.dnn = library if isinstance(library, ctypes.CDLL) else ctypes.CDLL(str(library))
        self.made: list[int] = []
        self.kept: dict[str, int] = {}

    def create(self, kind: int) -> tuple[int, int]:
        pointer = ctypes.c_void_p()
        status = int(self.dnn.cudnnBackendCreateDescriptor(kind, ctypes.byref(pointer)))
        self.made += [pointer.value] if pointer.value else []
        return status, pointer.value or 0

    def put(self, node: int, name: int, kind: int, count: int, array: Any) -> int:
        given = (ctypes.c_void_p(node), name, kind, ctypes.c_int64(count), array)
        return int(self.dnn.cudnnBackendSetAttribute(*given))

    def get(self, node: int, name: int, kind: int, asked: int, count: Any, array: Any) -> int:
        given = (ctypes.c_void_p(node), name, kind, ctypes.c_int64(asked), count, array)
        return int(self.dnn.cudnnBackendGetAttribute(*given))

    def finalize(self, node: int) -> int:
        return int(self.dnn.cudnnBackendFinalize(ctypes.c_void_p(node)))

    def clear(self) -> None:
        for node in self.made:
            self.dnn.cudnnBackendDestroyDescriptor(ctypes.c_void_p(node))
        self.made.clear()

    def make(self, spec: Spec) -> tuple[int, list[int]]:
        """The descriptor of `spec`, not finalised, and the statuses of its settings."""
        node = self.create(KINDS[spec.kind])[1]
        return node, list(self.fill(node, spec))

    def fill(self, node: int, spec: Spec) -> Iterator[int]:
        parts = [part for given in spec.given.values() for part in given.values if isinstance(part, Spec)]
        nodes = [self.part(part) for part in parts]
        waiting = iter(nodes)
        for name, given in spec.given.items():
            values = [next(waiting) if isinstance(value, Spec) else value for value in given.values]
            array = (ELEMENTS.get(TYPES[given.type], ctypes.c_int) * max(len(values), 1))(*values)
            count = len(values) if given.count is None else given.count
            yield self.put(node, NAMES[name], TYPES[given.type], count, array)
        for part, made in zip(parts, nodes, strict=True):
            if part.state == "filled later":
                list(self.fill(made, part))
            if part.state in ("later", "filled later"):
                self.finalize(made)

    def part(self, spec: Spec) -> int:
        if spec.state == "filled later":
            return self.create(KINDS[spec.kind])[1]
        node = self.make(spec)[0]
        if spec.state == "finalised":
            self.finalize(node)
        return node

    def told(self, node: int, name: str, kind: str) -> list[Any]:
        """Status, number and bytes of what a finalised descriptor tells of an attribute."""
        array, count = ctypes.create_string_buffer(128), ctypes.c_int64(-7)
        asked = TOLD if name in LISTS else 1
        out = (asked, ctypes.byref(count), array)
        status = self.get(node, NAMES[name], TYPES[READ_AS.get(name, kind)], *out)
        return [status, count.value, array.raw.rstrip(b"\0").hex()]


LISTS = {
    "TENSOR_DIMENSIONS",
    "TENSOR_STRIDES",
    "CONVOLUTION_DILATIONS",
    "CONVOLUTION_FILTER_STRIDES",
    "CONVOLUTION_PRE_PADDINGS",
    "CONVOLUTION_POST_PADDINGS",
    "VARIANT_PACK_UNIQUE_IDS",
    "VARIANT_PACK_DATA_POINTERS",
}
"""Attributes of several elements."""
