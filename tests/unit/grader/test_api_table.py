"""The API table: it is complete and consistent, and a wrong entry is reported where it stands."""

import shutil
from pathlib import Path

import pytest

from grader.contract.api import TABLE, load_api
from grader.contract.api_types import STATUS_ENUM
from grader.contract.problems import ContentError

HANGUL = range(0xAC00, 0xD7A4)


def has_hangul(text: str) -> bool:
    return any(ord(c) in HANGUL for c in text)


def test_every_taught_function_is_documented_in_both_languages() -> None:
    taught = load_api().taught()
    assert len(taught) > 180
    for function in taught:
        assert len(function.doc["en"]) > 15, function.name
        assert not has_hangul(function.doc["en"]), function.name
        assert has_hangul(function.doc["ko"]), function.name


def test_every_field_and_macro_is_documented() -> None:
    api = load_api()
    entries = {f"{s.name}.{f.name}": f.doc for s in api.structs.values() for f in s.fields}
    entries |= {name: entry.doc for name, entry in (api.structs | api.macros | api.opaques).items()}
    assert [name for name, doc in entries.items() if not (doc.get("en") and has_hangul(doc.get("ko", "")))] == []


def test_every_parameter_of_a_taught_function_is_documented() -> None:
    bare = [f"{f.name}({p.name})" for f in load_api().taught() for p in f.parameters if not p.doc]
    assert bare == []


@pytest.mark.parametrize("enum", STATUS_ENUM.values())
def test_every_status_code_says_cause_and_mend(enum: str) -> None:
    codes = load_api().enums[enum].values
    assert len(codes) > 50
    for code in codes:
        for text in (code.doc, code.cause, code.mend):
            assert text["en"].endswith("."), code.name
            assert has_hangul(text["ko"]), code.name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CUDNN_STATUS_NOT_INITIALIZED", 1001),
        ("CUDNN_STATUS_BAD_PARAM", 2000),
        ("CUDNN_STATUS_INVALID_VALUE", 2001),
        ("CUDNN_STATUS_NOT_SUPPORTED", 3000),
        ("CUDNN_STATUS_ALLOC_FAILED", 4003),
        ("CUDNN_STATUS_MAPPING_ERROR", 4006),
        ("CUDNN_STATUS_EXECUTION_FAILED", 5000),
        ("CUDNN_DATA_BFLOAT16", 9),
        ("CUDNN_TENSOR_NHWC", 1),
        ("CUDNN_CROSS_CORRELATION", 1),
        ("CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED", 7),
        ("CUDNN_FMA_MATH", 3),
        ("CUDNN_POINTWISE_RELU_FWD", 100),
        ("CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y", 705),
        ("cudaErrorIllegalAddress", 700),
        ("cudaMemcpyDeviceToHost", 2),
    ],
)
def test_enumerators_have_their_real_values(name: str, value: int) -> None:
    assert load_api().enumerators[name][1].value == value


def test_the_name_of_a_value_is_never_an_alias() -> None:
    api = load_api()
    assert api.enumerator_name("cudnnStatus_t", 4003) == "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED"
    assert api.enumerator_name("cudnnStatus_t", 2001) == "CUDNN_STATUS_INVALID_VALUE"
    assert api.enumerator_name("cudnnStatus_t", 77) == "77"


def test_a_forward_convolution_tells_the_recorder_what_each_pointer_is() -> None:
    function = load_api().functions["cudnnConvolutionForward"]
    roles = {p.name: (p.role, p.of, p.access) for p in function.parameters if p.pointers}
    assert roles == {
        "alpha": ("scalar", ("yDesc",), "in"),
        "x": ("device", ("xDesc",), "in"),
        "w": ("device", ("wDesc",), "in"),
        "workSpace": ("device", ("workSpaceSizeInBytes",), "scratch"),
        "beta": ("scalar", ("yDesc",), "in"),
        "y": ("device", ("yDesc",), "inout"),
    }
    assert function.deprecated
    assert function.signature.startswith(
        "cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void *alpha,"
    )


def test_data_pointers_of_taught_functions_name_what_describes_them() -> None:
    """Else the recorder could not say whether a buffer is large enough. Lengths in device memory have no descriptor."""
    undescribed = {
        f"{f.name}({p.name})"
        for f in load_api().taught()
        for p in f.parameters
        if p.role == "device" and not p.of and f.library == "cudnn"
    }
    lengths = {"cudnnRNNForward", "cudnnRNNBackwardData_v8", "cudnnRNNBackwardWeights_v8"}
    assert undescribed == {f"{name}(devSeqLengths)" for name in lengths}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A copy of the table to be broken."""
    for part in ("functions", "enums"):
        shutil.copytree(TABLE / part, tmp_path / part)
    for file in TABLE.glob("*.yaml"):
        shutil.copy(file, tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("functions/handle.yaml", "type: cudaStream_t", "type: cudaStrem_t", "unknown type 'cudaStrem_t'"),
        ("functions/convolution.yaml", "of: xDesc", "of: xDesk", "`of` names 'xDesk', which is no parameter"),
        ("functions/softmax.yaml", "role: scalar, ", "", "the role of alpha cannot be told"),
        ("functions/handle.yaml", "name: cudnnDestroy", "name: cudnnCreate", "cudnnCreate is already in the table"),
        ("functions/handle.yaml", "group: handle", "group: handles", "group 'handles' is not the file's name"),
        ("functions/lrn.yaml", "    doc:", "    docs:", "unknown key 'docs'"),
        ("enums/data.yaml", "value: 0", "value: zero", "must be an integer"),
        ("enums/status.yaml", "mend: {", "mended: {", "unknown key 'mended'"),
        ("structs.yaml", "offset: 4", "offset: 0", "lies before the field above it"),
        ("macros.yaml", "macros:", "macros: [", "not valid YAML"),
    ],
)
def test_a_wrong_entry_is_reported_by_file_and_line(table: Path, file: str, old: str, new: str, message: str) -> None:
    path = table / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ContentError, match="mend: ") as caught:
        load_api(table)
    problem = next(p for p in caught.value.problems if message in p.message)
    assert problem.file == path
    assert problem.line >= 1
    assert problem.mend


def test_a_taught_function_without_documentation_is_refused(table: Path) -> None:
    path = table / "functions" / "handle.yaml"
    lines = path.read_text(encoding="utf-8").splitlines()
    start = lines.index("    doc:")
    path.write_text("\n".join(lines[:start] + lines[start + 3 :]) + "\n", encoding="utf-8")
    with pytest.raises(ContentError, match="cudnnCreate is taught but has no `doc`"):
        load_api(table)


def test_a_missing_file_is_named(table: Path) -> None:
    (table / "structs.yaml").unlink()
    with pytest.raises(ContentError, match=r"structs\.yaml: the file is missing"):
        load_api(table)
