"""The graph API in Python: typed attributes, and descriptors that a call fills."""

import pytest

from tests.native.recorded import python_output

pytestmark = pytest.mark.usefixtures("native_build")

SETUP = """
L = libcudnn
def attempt(action):
    try: print(repr(action()))
    except Exception as error: print(type(error).__name__, error)
"""


def lines_of(source: str) -> list[str]:
    return python_output(SETUP + source).splitlines()


def test_descriptors_to_fill_are_the_last_argument() -> None:
    lines = lines_of("""
import inspect
print(list(inspect.signature(L.cudnnBackendGetAttribute).parameters))
print(list(inspect.signature(L.cudnnBackendSetAttribute).parameters))
""")
    assert lines[0] == "['descriptor', 'attributeName', 'attributeType', 'requestedElementCount', 'arrayOfElements']"
    assert lines[1] == "['descriptor', 'attributeName', 'attributeType', 'elementCount', 'arrayOfElements']"


def test_missing_descriptors_are_explained() -> None:
    lines = lines_of("""
made = L.cudnnBackendCreateDescriptor(L.CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR)
results, kind = L.CUDNN_ATTR_ENGINEHEUR_RESULTS, L.CUDNN_TYPE_BACKEND_DESCRIPTOR
attempt(lambda: L.cudnnBackendGetAttribute(made, results, kind, 2))
attempt(lambda: L.cudnnBackendSetAttribute(made, L.CUDNN_ATTR_ENGINEHEUR_MODE, L.CUDNN_TYPE_HEUR_MODE, 2, [3]))
""")
    assert lines[0] == (
        "ValueError cudnnBackendGetAttribute() argument 'arrayOfElements' must be 2 created descriptors "
        "for the call to fill, not 0"
    )
    assert lines[1] == (
        "ValueError cudnnBackendSetAttribute() argument 'arrayOfElements' has 1 elements, but elementCount is 2"
    )
