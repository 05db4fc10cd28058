"""One Python function for each C function: outputs become return values, a status other than success an exception."""

import ctypes
import inspect
import threading
from collections.abc import Callable
from typing import Any

from libcudnn import _native
from libcudnn._inputs import Converter, converter
from libcudnn._outputs import TEXT_BYTES, Output, attribute_input, output
from libcudnn._table import FUNCTIONS, MACROS
from libcudnn._types import c_type, enumerator
from libcudnn.errors import CudaError, CudnnError

RETURNS_STATUS = {"cudaGetLastError", "cudaPeekAtLastError", "cudaStreamQuery", "cudaEventQuery"}
"""Functions whose status is an answer, not a failure."""
NOT_READY = 600

_saved = threading.local()
"""`error`: this thread's last error text, which raising an exception has read and thereby cleared in the library."""


class Parameter:
    """One C parameter: either `convert` (the caller gives it) or `output` (it is returned), or neither (implied)."""

    def __init__(self, entry: tuple[Any, ...]) -> None:
        self.name, self.base, self.pointers, returned, self.role, self.of, self.default = entry
        self.convert: Converter | None = None
        self.output: Output | None = None
        if returned:
            self.output = output(self.base, self.role, self.of)
        elif self.role == "attribute":
            self.convert = attribute_input
        else:
            self.convert = converter(self.base, self.pointers, self.role, self.of)

    @property
    def argtype(self) -> Any:
        return ctypes.c_void_p if self.pointers else c_type(self.base)


class Binding:
    """A C function with what is needed to call it from Python."""

    def __init__(self, name: str) -> None:
        library, symbol, self.returns, self.deprecated, self.doc, entries = FUNCTIONS[name]
        self.name = name
        self.library = library
        self.parameters = [Parameter(entry) for entry in entries]
        implied = {of for p in self.parameters if p.role in ("perf", "attribute") for of in p.of if p.output}
        self.inputs = [p for p in self.parameters if p.convert]
        self.outputs = [p for p in self.parameters if p.output and p.name not in implied]
        given = [p.name for p in self.outputs if p.output and p.output.given]
        self.names = [p.name for p in self.inputs] + given
        self.device = [p.name for p in self.inputs if p.role == "device"]
        self.defaults: dict[str, Any] = {p.name: _default(p.default) for p in self.inputs if p.default}
        self.defaults |= dict.fromkeys(given)
        self.call = getattr(_native.library, symbol)
        self.call.argtypes = [p.argtype for p in self.parameters]
        self.call.restype = {"size_t": ctypes.c_size_t, "const char *": ctypes.c_char_p, "void": None}.get(
            self.returns, ctypes.c_int
        )

    def bind(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
        """Arguments by name. TypeError, as Python itself words it, where the count or a name is wrong."""
        if len(args) > len(self.names):
            raise TypeError(f"{self.name}() takes {self._takes()}, but {len(args)} were given")
        bound = dict(zip(self.names, args, strict=False))
        for key, value in keywords.items():
            if key not in self.names:
                raise TypeError(f"{self.name}() has no parameter {key!r}; it takes {self._takes()}")
            if key in bound:
                raise TypeError(f"{self.name}() got {key!r} twice")
            bound[key] = value
        bound = self.defaults | bound
        if missing := [name for name in self.names if name not in bound]:
            given = len(args) + len(keywords)
            raise TypeError(f"{self.name}() lacks {', '.join(missing)}: it takes {self._takes()}, {given} given")
        return bound

    def _takes(self) -> str:
        return f"{len(self.names)} arguments ({', '.join(self.names)})" if self.names else "no arguments"

    def arguments(self, bound: dict[str, Any], made: dict[str, Any]) -> list[Any]:
        """C arguments in order; the memory of outputs goes into `made`."""
        converted = []
        for p in self.parameters:
            if p.output:
                made[p.name] = memory = self._convert(p, bound)
                converted.append(ctypes.byref(memory))
            elif p.convert:
                converted.append(self._convert(p, bound))
        return converted

    def _convert(self, p: Parameter, bound: dict[str, Any]) -> Any:
        """What goes over for a parameter: the caller's value, or memory for an output."""
        try:
            return p.output.make(bound) if p.output else p.convert(bound[p.name], bound)  # type: ignore[misc]
        except (TypeError, ValueError, OverflowError) as error:
            raise type(error)(f"{self.name}() argument {p.name!r} {error}") from None

    def results(self, bound: dict[str, Any], made: dict[str, Any]) -> Any:
        values = [p.output.read(made[p.name], bound, made) for p in self.outputs if p.output]
        return tuple(values) if len(values) > 1 else values[0] if values else None

    def check(self, status: int) -> None:
        """Raises for a status other than success."""
        if status == 0:
            return
        if self.library == "cudart":
            raise CudaError(enumerator("cudaError_t", status), self.name)
        _saved.error = _native.last_error()
        raise CudnnError(enumerator("cudnnStatus_t", status), self.name, _saved.error)

    def __call__(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        made: dict[str, Any] = {}
        bound = self.bind(args, keywords)
        arguments = self.arguments(bound, made)
        _native.mark_line(3)
        result = self.call(*arguments)
        for parameter in self.device:
            _native.note_strides(parameter, bound[parameter])
        if self.returns == "size_t":
            return result
        if self.returns == "const char *":
            return result.decode() if result is not None else ""
        if self.name in RETURNS_STATUS and (self.name.endswith("LastError") or result in (0, NOT_READY)):
            return enumerator("cudaError_t", result)
        self.check(result)
        return self.results(bound, made)


def _default(text: str) -> int:
    """A C++ default argument: a number, or a constant of the runtime by its name."""
    return int(text) if text.isdigit() else int(MACROS["cudart"][text])


def make_function(name: str) -> Callable[..., Any]:
    """The Python function `name`, with the C names of the parameters that the caller gives."""
    binding = Binding(name)

    def function(*args: Any, **keywords: Any) -> Any:
        return binding(args, keywords)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = _docstring(binding)
    function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=binding.defaults.get(name, inspect.Parameter.empty),
            )
            for name in binding.names
        ]
    )
    return function


def _docstring(binding: Binding) -> str:
    gives = ", ".join(p.name for p in binding.outputs)
    lines = [binding.doc, f"Returns {gives}." if gives else "", "Deprecated in cuDNN 9." if binding.deprecated else ""]
    return "\n\n".join(line for line in lines if line)


def last_error_string() -> str:
    """cudnnGetLastErrorString: text of this thread's last failure; reading clears it.

    The text of a failure that was raised as CudnnError has left the library with the exception and is given here.
    """
    buffer = ctypes.create_string_buffer(TEXT_BYTES)
    _native.mark_line(2)
    _native.library.cudnnGetLastErrorString(buffer, ctypes.c_size_t(TEXT_BYTES))
    text = buffer.value.decode("utf-8", "replace") or getattr(_saved, "error", "")
    _saved.error = ""
    return text
