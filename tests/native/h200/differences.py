"""Recorded answers of an H200 against those of the simulator: which differ, and why some may."""

import gzip
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.native.h200.compare import TOLERANCE, difference

STORE = Path(__file__).parent / "recorded.json.gz"
RECORDED: dict[str, dict[str, Any]] = json.loads(gzip.decompress(STORE.read_bytes()))
"""Scenario → name of each result → digest (see compare.py)."""

NOT_TAUGHT = {
    "attention_descriptor": "cudnnGetMultiHeadAttnBuffers",
    "attention_forward": "cudnnMultiHeadAttnForward",
    "ctc_descriptor": "cudnnGetCTCLossDescriptor",
    "ctc_loss": "cudnnCTCLoss",
    "transforms": "cudnnTransformTensorEx",
    "transform_filter": "cudnnTransformFilter",
    "im2col": "cudnnIm2Col",
    "reorder": "cudnnReorderFilterAndBias",
    "spatial": "cudnnSpatialTfSamplerForward",
    "divisive": "cudnnDivisiveNormalizationForward",
}
"""Scenario → a function in it that the course does not teach, so that the simulator does not have it."""

TYPE_8 = "float arithmetic just beside the middle between two integers rounds to the one or the other"
KERNEL = (
    "which kernel the library takes follows from no published rule, and with it the workspace and the order of lists"
)
UNSET = "the descriptor refused its settings, and real memory of a fresh one is not cleared"

EXPLAINED: dict[str, dict[str, str]] = {
    "set_and_scale": {
        r"(set|scale) (i8|f16|bf16) →": "the value was given in the tensor's type, so the bytes behind it counted"
    },
    "activation_forward": {r"mode 2 i8": TYPE_8},
    "softmax": {r"i8 →": TYPE_8},
    "activation_descriptor": {r"set .* got": UNSET},
    "dropout": {r"rate 0.25 .* kept near": "0.75 rounds up or down"},
    "pooling_descriptor": {r"(window|stride) 0 out": "the real library divides by zero and dies"},
    "reduce_tensor": {r"compute (i8|i32)": UNSET},
    "reduce_edges": {r"^fresh$": UNSET},
    "backward_data": {
        r"algo [13] (size|no space|less space)": KERNEL,
        r"(get|find) list": KERNEL,
    },
    "backward_data_edges": {
        r"findex \d+ dx →": "a search leaves in its output what the last algorithm wrote",
        r"find 3 list": "a search for three lists the three fastest",
    },
    "backward_filter": {
        r"algo [15] (size|no space|less space)": KERNEL,
        r"(get|find) list": KERNEL,
    },
    "rnn_options": {
        r"^algo 2 ": "the dynamic persistent algorithm reports success without its plan and computes nothing",
        r"^math 2 sizes 1": "room for inputs converted to half",
    },
    "backend_plans": {
        r"^engine (count|1|numerical)$": "the H200 has 81 engines for this graph, the simulator has one",
    },
    "graphs": {r"conv bias relu f16 compute f16 .* execute": "no engine of the H200 adds a bias to sums in half"},
}
"""Scenario → pattern of result names → why the simulator may differ there."""

CONVOLUTIONS = ("graphs", "backward_data", "backward_data_edges", "backward_filter")
RECURRENT = ("rnn_forward", "rnn_options")
TF32 = {name: {**TOLERANCE, 0: 1e-3} for name in CONVOLUTIONS} | {name: {**TOLERANCE, 0: 1e-2} for name in RECURRENT}
"""Scenarios whose products the GPU computes with operands of 10 bits (relative error 2⁻¹¹ each); in a recurrent
network every step multiplies the error of the steps before."""

WORK_SPACE = 0.01
"""Relative difference in the work space of a recurrent network: 8 MiB a layer are exact, some hundred bytes are not."""


def explained(scenario: str, key: str) -> bool:
    return any(re.search(pattern, key) for pattern in EXPLAINED.get(scenario, {}))


def differences(scenario: str, expected: Mapping[str, Any], found: Mapping[str, Any]) -> tuple[int, list[str]]:
    """How many results were compared, and a line for each that differs without an explanation."""
    compared, wrong = 0, []
    ended = expected.get("ended", {})
    for key, value in expected.items():
        # What ended the real library is an error status in the simulator.
        if key in ("ended", "broke off") or key in ended or explained(scenario, key):
            continue
        compared += 1
        text = _difference(scenario, key, value, found[key]) if key in found else "no result"
        if text:
            wrong.append(f"{key}: {text}")
    return compared, wrong


def _difference(scenario: str, key: str, expected: Any, got: Any) -> str:
    if key.endswith(" list") and isinstance(got, list) and "find" in key:
        expected, got = sorted(expected), sorted(got)  # a search lists by measured time
    if scenario.startswith("rnn") and " sizes " in key and key.endswith(" got") and isinstance(got, list):
        work, reserve = expected
        return "" if got[1] == reserve and abs(got[0] - work) <= WORK_SPACE * work else f"{expected} ≠ {got}"
    return difference(key, expected, got, TF32.get(scenario))
