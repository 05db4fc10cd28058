"""A complete exercise folder for the loader's tests."""

from pathlib import Path

YAML = """\
schema: 1
form: function
title: {ko: 합, en: Sum}
lesson: handles
languages: [cpp, python]
function:
  name: add
  arguments:
    - {name: x, kind: input, dtype: float32, shape: [N, C]}
    - {name: y, kind: output, dtype: float32, shape: [N, twice]}
    - {name: mode, kind: scalar, type: cudnnConvolutionMode_t, value: mode}
derived:
  twice: 2 * C
cases:
  - {name: first, shown: true, parameters: {N: 1, C: 2, mode: CUDNN_CONVOLUTION}}
  - {name: second, parameters: {N: 2, C: 1, mode: CUDNN_CROSS_CORRELATION}, tolerance: {rtol: 1e-4, atol: 0}}
accumulate: C * 3
limits: {wall_s: 3}
uses:
  required: [destroys_what_it_creates, cudnnCreate]
  forbidden: [numpy.dot]
"""


def write_exercise(root: Path, yaml: str = YAML) -> Path:
    """Everything that an exercise needs; returns its folder."""
    folder = root / "toy-sum"
    for kind in ("accepted", "wrong"):
        (folder / "solutions" / kind).mkdir(parents=True)
    files = {
        "exercise.yaml": yaml,
        "reference.py": "def reference(inputs, parameters): ...\n",
        "starter.cpp": "// starter\n",
        "starter.py": "# starter\n",
        **{f"prompt.{lang}.md": "Do it." for lang in ("ko", "en")},
        **{f"hints.{lang}.md": "one\n\n---\n\ntwo\n---\nthree" for lang in ("ko", "en")},
        **{f"solutions/accepted/{name}": "" for name in ("a.cpp", "b.cpp", "a.py", "b.py")},
        "solutions/wrong/one.cpp": "// verdict: wrong_answer\n// case: second\n// why: It is off by one.\n",
        "solutions/wrong/two.py": "# verdict: api_misuse\n# rule: leaks_descriptor\n# why: It leaks.\n",
        "solutions/wrong/three.py": "# verdict: wrong_answer\n# pattern: border\n# why: Why.\nimport x\n# case: no\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
