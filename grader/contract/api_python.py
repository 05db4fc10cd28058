"""How the functions of the API table are called from Python: what C writes through pointers comes back as values.

The binding `libcudnn`, the reference pages and the editor's help follow this.
"""

from grader.contract.api_types import Function, Parameter


def is_returned(function: Function, parameter: Parameter) -> bool:
    """Whether the C function writes the parameter for its caller: Python makes the memory and returns what it holds."""
    if parameter.role in ("host_out", "pointer_out", "perf"):
        return True
    if parameter.type.startswith("const"):
        return False
    reads = parameter.role == "element" and function.name.startswith("cudnnGet")
    return parameter.role in ("host_array", "attribute") or reads


def python_signature(function: Function) -> str:
    """E.g. ``libcudnn.cudnnGetTensorSizeInBytes(tensorDesc) -> size``.

    An attribute of the graph API is returned, and may be given too: descriptors for the library to fill.
    """
    returned = [p for p in function.parameters if is_returned(function, p)]
    counts = {name for p in returned if p.role in ("perf", "attribute") for name in p.of}
    given = [f"{p.name}={p.default}" if p.default else p.name for p in function.parameters if p not in returned]
    given += [f"{p.name}=None" for p in returned if p.role == "attribute"]
    names = [p.name for p in returned if p.name not in counts]
    module = "libcudnn" if function.library == "cudnn" else "libcudnn.cuda"
    result = f" -> {', '.join(names)}" if names else ""
    return f"{module}.{function.name}({', '.join(given)}){result}"
