"""Exercises for the cases in which only a comparison with the right result shows the mistake."""

from pathlib import Path

HEAD = """
schema: 1
form: function
title: {{ko: 사례, en: Case}}
lesson: forward-convolution
languages: [cpp, python]
function:
  name: {name}
  arguments:
{arguments}
cases:
  - {{name: shown, shown: true, parameters: {parameters}}}
uses: {{advised: [convolution_mode_flip]}}
"""

STRIDES = HEAD.format(
    name="strides",
    arguments="""    - {name: n, kind: scalar, type: int, value: N}
    - {name: c, kind: scalar, type: int, value: C}
    - {name: h, kind: scalar, type: int, value: H}
    - {name: w, kind: scalar, type: int, value: W}
    - {name: strides, kind: host_output, dtype: int32, shape: [4]}""",
    parameters="{N: 2, C: 3, H: 5, W: 4}",
)
STRIDES_REFERENCE = """
def reference(inputs, parameters):
    n, c, h, w = (parameters[name] for name in "NCHW")
    return {"strides": [h * w * c, 1, w * c, c]}


def mistakes(inputs, parameters):
    return {"height_and_width_swapped": reference(inputs, parameters | {"H": parameters["W"], "W": parameters["H"]})}
"""

CONVOLVE = HEAD.format(
    name="convolve",
    arguments="""    - {name: handle, kind: handle}
    - {name: x, kind: input, dtype: float32, shape: [1, 1, 5, 2]}
    - {name: w, kind: input, dtype: float32, shape: [1, 1, 2, 1]}
    - {name: y, kind: output, dtype: float32, shape: [1, 1, 4, 2]}""",
    parameters="{flip: 0}",
)
TRAINED_FLIPPED = CONVOLVE.replace("{flip: 0}", "{flip: 1}")
CONVOLVE_REFERENCE = """
def convolve(x, w):
    return {"y": x[:, :, :-1] * w[0, 0, 0, 0] + x[:, :, 1:] * w[0, 0, 1, 0]}


def reference(inputs, parameters):
    return convolve(inputs["x"], inputs["w"][:, :, ::-1] if parameters["flip"] else inputs["w"])


def mistakes(inputs, parameters):
    return {"flipped_filter": convolve(inputs["x"], inputs["w"] if parameters["flip"] else inputs["w"][:, :, ::-1])}
"""

ACCUMULATE = HEAD.format(
    name="accumulate",
    arguments="""    - {name: handle, kind: handle}
    - {name: first, kind: input, dtype: float32, shape: [1, 1, 4, 4]}
    - {name: second, kind: input, dtype: float32, shape: [1, 1, 4, 4]}
    - {name: dy, kind: input, dtype: float32, shape: [1, 1, 4, 4]}
    - {name: dw, kind: output, dtype: float32, shape: [1, 1, 1, 1]}""",
    parameters="{N: 1}",
)
ACCUMULATE_REFERENCE = """
def reference(inputs, parameters):
    return {"dw": ((inputs["first"] + inputs["second"]) * inputs["dy"]).sum().reshape(1, 1, 1, 1)}
"""

EXERCISES = {
    "accumulate": (ACCUMULATE, ACCUMULATE_REFERENCE),
    "strides": (STRIDES, STRIDES_REFERENCE),
    "convolve": (CONVOLVE, CONVOLVE_REFERENCE),
    "trained-flipped": (TRAINED_FLIPPED, CONVOLVE_REFERENCE),
}


def write_exercises(root: Path) -> Path:
    for name, (text, reference) in EXERCISES.items():
        folder = root / name
        folder.mkdir(parents=True)
        (folder / "exercise.yaml").write_text(text, encoding="utf-8")
        (folder / "reference.py").write_text(reference, encoding="utf-8")
    return root
