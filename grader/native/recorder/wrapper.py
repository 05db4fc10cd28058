"""One function of the API table → the C++ wrapper that records and forwards it."""

from grader.contract.api import Api
from grader.contract.api_types import Function, Parameter
from grader.native.recorder.contents import MISSING, after_success

INTEGERS = {
    "int": "int",
    "unsigned": "unsigned",
    "unsigned int": "unsigned",
    "int32_t": "int32_t",
    "uint32_t": "uint32_t",
    "int64_t": "int64_t",
    "size_t": "size_t",
    "unsigned long long": "unsigned long long",
    "float": "float",
    "double": "double",
    "char": "char",
}


def abi_type(base: str, pointers: int, api: Api) -> str:
    """C++ type with the calling convention of the real one: enums as int, opaque pointers and structs as void."""
    if base in api.opaques or base in api.callbacks:
        base, pointers = "void", pointers + 1
    elif base in api.enums:
        base = "int"
    else:
        base = INTEGERS.get(base, "void")
    return base + " *" * bool(pointers) + "*" * (pointers - 1)


def parameter_type(parameter: Parameter, api: Api) -> str:
    return abi_type(parameter.base, parameter.pointers, api)


def return_type(function: Function, api: Api) -> str:
    if function.returns in ("void", "size_t"):
        return function.returns
    return "const char *" if function.returns == "const char *" else "int"


def kind(parameter: Parameter, api: Api) -> str:
    return api.opaques[parameter.base].kind


def length(parameter: Parameter, function: Function) -> str:
    """C++ expression for the length of a host array; "" where no parameter states it."""
    known = {p.name: p for p in function.parameters}
    terms = [f"{'*' * known[name].pointers}{name}" for name in parameter.of if name in known]
    if not terms:
        return ""
    return "std::min<int64_t>({" + ", ".join(f"int64_t({term})" for term in terms) + "})" if terms[1:] else terms[0]


def write_argument(parameter: Parameter, function: Function, api: Api) -> str:
    """C++ statement that writes an argument before the call; "" for what is only written by it."""
    name, key = parameter.name, f'"{parameter.name}"'
    role = parameter.role
    if role in ("handle", "descriptor", "stream", "event"):
        return f'call.object({key}, {name}, "{kind(parameter, api)}");'
    if role == "enum":
        return f"call.enumerator({key}, names::{parameter.base}, {name});"
    if role == "value":
        return f"call.number({key}, {name});"
    if role == "scalar":
        return f"call.scalar({key}, {name}, {parameter.of[0]});"
    if role == "element" and parameter.access != "out" and not function.name.startswith("cudnnGet"):
        return f"call.element({key}, {name}, dtype_of({parameter.of[0]}));"
    if role == "host_array" and parameter.type.startswith("const"):
        return write_array(parameter, function, api)
    if role == "attribute" and parameter.type.startswith("const"):
        return f"call.attribute({key}, {', '.join(parameter.of)}, {name});"
    if role in ("device", "memory", "host", "user_data", "callback", "element"):
        return f"call.pointer({key}, {name});"
    return null_check(parameter)


def null_check(parameter: Parameter) -> str:
    """An output shows among the arguments only where it is null, since that is what the call then fails for."""
    return f'if (!{parameter.name}) call.pointer("{parameter.name}", nullptr);'


def write_array(parameter: Parameter, function: Function, api: Api) -> str:
    name, key = parameter.name, f'"{parameter.name}"'
    count = length(parameter, function)
    if not count:
        return f"call.pointer({key}, {name});"
    if parameter.base in api.enums:
        return f"call.enumerators({key}, names::{parameter.base}, {name}, {count});"
    return f"call.numbers({key}, {name}, {count});"


def write_result(parameter: Parameter, function: Function, api: Api) -> str:
    """C++ statement that writes what the call gave through a parameter; "" for inputs."""
    name, key = parameter.name, f'"{parameter.name}"'
    role, base = parameter.role, parameter.base
    if role == "host_out" and base in api.opaques:
        return f'call.object_out({key}, {name}, "{kind(parameter, api)}");'
    if role == "host_out" and base in api.enums:
        return f"call.enumerator_out({key}, names::{base}, {name});"
    if role == "host_out" and base in INTEGERS:
        return f"call.number_out({key}, {name});"
    if role == "pointer_out":
        return f"call.pointer_out({key}, {name});"
    if role == "text_out":
        return f"call.text({key}, {name});"
    if role == "host_array" and not parameter.type.startswith("const"):
        return f"if ({name}) {write_array(parameter, function, api)}"
    if role == "perf":
        return write_performances(parameter, function)
    if role == "attribute" and not parameter.type.startswith("const"):
        kind_of, requested, count = parameter.of
        shown = f"std::min<int64_t>({requested}, {count} ? *{count} : 0)"
        return f"if ({name}) call.attribute({key}, {kind_of}, {shown}, {name});"
    return ""


def write_performances(parameter: Parameter, function: Function) -> str:
    algorithms = parameter.base.replace("Perf_t", "_t")
    count = f"std::min<int64_t>(*{parameter.of[0]}, requestedAlgoCount)"
    return f'call.performances("{parameter.name}", {parameter.name}, {count}, names::{algorithms});'


def wrapper(function: Function, api: Api) -> str:
    """The whole wrapper. It forwards without a record where the library itself calls one of its functions."""
    parameters = [(p, parameter_type(p, api)) for p in function.parameters]
    declaration = ", ".join(f"{t}{'' if t.endswith('*') else ' '}{p.name}" for p, t in parameters)
    arguments = ", ".join(p.name for p in function.parameters)
    returns = return_type(function, api)
    gap = "" if returns.endswith("*") else " "
    body = _recorded(function, api, arguments)
    missing = MISSING[function.library if returns == "int" else returns]
    return f"""extern "C" FP_EXPORT {returns}{gap}{function.symbol}({declaration}) {{
  using Function = {returns} (*)({", ".join(t for _, t in parameters)});
  static Target target(Library::{function.library}, "{function.symbol}");
  const auto forward = target.as<Function>();
  if (!forward) return {missing};
  if (Call::nested()) return forward({arguments});
  Call call("{function.name}", __builtin_return_address(0), __builtin_frame_address(0));
{body}}}
"""


def timed_handle(function: Function) -> str:
    """Name of the handle in whose stream the call puts its work; "" where it puts none, or waits for it (Find)."""
    roles = {parameter.role for parameter in function.parameters}
    first = function.parameters[0] if function.parameters else None
    works = first is not None and first.role == "handle" and "device" in roles and "perf" not in roles
    return first.name if first is not None and works else ""


def _recorded(function: Function, api: Api, arguments: str) -> str:
    inputs = _block([write_argument(p, function, api) for p in function.parameters], "if (call.recording()) {", "  ")
    results = [write_result(p, function, api) for p in function.parameters]
    returns = return_type(function, api)
    if returns == "int":
        effects = after_success(function, api)
        state = "".join(f"    {line}\n" for line in effects)
        outputs = _block(results, "if (call.recording()) {", "    ")
        success = f"  if (result == 0) {{\n{state}{outputs}  }}\n" if state or outputs else ""
        return (
            f"{inputs}  call.begin({timed_handle(function)});\n  const int result = forward({arguments});\n"
            f"  call.returned(result);\n{success}  return result;\n"
        )
    if returns == "void":
        outputs = _block(results, "if (call.recording()) {", "  ")
        return f"{inputs}  call.begin();\n  forward({arguments});\n  call.returned(0);\n{outputs}"
    write = 'call.text("return", result)' if "char" in returns else 'call.number("return", result)'
    return (
        f"{inputs}  call.begin();\n  const auto result = forward({arguments});\n"
        f"  call.returned(0);\n  if (call.recording()) {write};\n  return result;\n"
    )


def _block(statements: list[str], opening: str, indent: str) -> str:
    lines = [f"{indent}  {statement}\n" for statement in statements if statement]
    return f"{indent}{opening}\n{''.join(lines)}{indent}}}\n" if lines else ""
