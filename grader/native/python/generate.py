"""Copies the packages to a directory and writes the API table beside them as `libcudnn/_table.py`.

Use: ``python -m grader.native.python.generate DIRECTORY``. The result needs the standard library and NumPy only.
"""

import ast
import shutil
import sys
import tempfile
from compileall import compile_dir
from pathlib import Path
from pprint import pformat
from py_compile import PycInvalidationMode
from typing import Any

from grader.contract.api import Api, load_api
from grader.contract.api_python import is_returned
from grader.contract.api_types import Function

HERE = Path(__file__).parent
PACKAGES = ("libcudnn", "cupy")


def functions(api: Api) -> dict[str, Any]:
    """Name → (library, symbol, returns, deprecated, English sentence, parameters)."""
    return {f.name: _function(f) for f in api.functions.values()}


def _function(f: Function) -> tuple[Any, ...]:
    parameters = [(p.name, p.base, p.pointers, is_returned(f, p), p.role, p.of, p.default) for p in f.parameters]
    return (f.library, f.symbol, f.returns, f.deprecated, f.doc.get("en", ""), parameters)


def enums(api: Api) -> dict[str, Any]:
    return {e.name: (e.library, {v.name: v.value for v in e.values}) for e in api.enums.values()}


def structs(api: Api) -> dict[str, Any]:
    return {s.name: (s.size, [(f.name, f.type, f.offset, f.count) for f in s.fields]) for s in api.structs.values()}


def macros(api: Api) -> dict[str, dict[str, int | float]]:
    """Library → constants with their values; macros with arguments or casts have no counterpart in Python."""
    known: dict[str, int | float] = {name: e.value for name, (_, e) in api.enumerators.items()}
    result: dict[str, dict[str, int | float]] = {"cudnn": {}, "cudart": {}}
    for macro in api.macros.values():
        text = macro.value.replace("(cudaStream_t)", "").replace("U <<", " <<")
        if not macro.arguments:
            known[macro.name] = result[macro.library][macro.name] = evaluate(ast.parse(text, mode="eval").body, known)
    return result


def evaluate(node: ast.expr, known: dict[str, int | float]) -> Any:
    """Value of a C constant expression in the part of its grammar that is Python's too. ValueError for any other."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return evaluate(left, known) + evaluate(right, known)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return evaluate(left, known) * evaluate(right, known)
        case ast.BinOp(left=left, op=ast.LShift(), right=right):
            return evaluate(left, known) << evaluate(right, known)
    raise ValueError(f"macro value {ast.unparse(node)!r} is not a constant expression that this knows")


def table_source(api: Api) -> str:
    parts = {
        "FUNCTIONS": functions(api),
        "ENUMS": enums(api),
        "STRUCTS": structs(api),
        "MACROS": macros(api),
        "OPAQUES": {o.name: (o.library, o.kind) for o in api.opaques.values()},
    }
    body = "\n".join(f"{name} = {pformat(value, width=160, sort_dicts=False)}\n" for name, value in parts.items())
    return f'"""The API table, generated."""\n\n{body}'


def main(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory, prefix=".new-") as made:
        for package in PACKAGES:
            target = Path(made) / package
            shutil.copytree(HERE / package, target, ignore=shutil.ignore_patterns("__pycache__"))
            if package == "libcudnn":
                (target / "_table.py").write_text(table_source(load_api()))
            # The jail mounts them read-only and cannot write the compiled files itself; times of copies mean nothing.
            compile_dir(
                target, quiet=1, force=True, stripdir=made, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH
            )
            exchange(target, directory / package, Path(made) / f"{package}.old")


def exchange(new: Path, place: Path, old: Path) -> None:
    """Puts `new` in its place; programs that import meanwhile find the old package or the new one."""
    if place.exists():
        place.rename(old)
    new.rename(place)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
