"""Single random calls on whatever there is, without any sense in their order."""

from typing import Any

from grader.contract.api_types import Parameter
from tests.native.fuzz.mutate import COPIES, HOST_ROLES, LENGTHS, SIZES, Mutator, callback
from tests.native.fuzz.pool import OBJECTS
from tests.native.parity.values import ENUMS, FUNCTIONS, value

SMALL_DIMS = (1, 1, 2, 3, 4, 8)
LEFT_OUT = ("cudaDeviceReset",)
"""Ends all that the calls around it build."""


def random_calls(mutator: Mutator, count: int) -> None:
    functions = [f for f in FUNCTIONS.values() if hasattr(mutator.library, f.name) and f.name not in LEFT_OUT]
    for _ in range(count):
        function = mutator.rng.choice(functions)
        lengths = {name for p in function.parameters if p.role in HOST_ROLES for name in p.of}
        arguments = [argument(mutator, p, p.name in lengths) for p in function.parameters]
        if function.name in COPIES:
            arguments = mutator.safe_copy(function.name, arguments)
        mutator.call(function.name, arguments)
        mutator.counts.changed += 1


def argument(m: Mutator, parameter: Parameter, is_length: bool) -> Any:
    """A live object more often than any other, a number that is small more often than not."""
    rng, role = m.rng, parameter.role
    if role in OBJECTS:
        own = m.pool.live.get(parameter.base, [])[-8:]
        return rng.choice(own) if own and rng.random() < 0.9 else m.pool.object(parameter.base)
    if role in ("device", "memory", "host"):
        return m.pool.memory()
    if role in HOST_ROLES:
        return m.host_memory("scalar", None)
    if role == "callback":
        return rng.choice([None, callback])
    if role == "user_data":
        return None
    if parameter.base in ENUMS:
        return m.draw.enumerator(parameter.base)
    return random_number(m, parameter, is_length)


def random_number(m: Mutator, parameter: Parameter, is_length: bool) -> Any:
    if is_length:
        return m.rng.choice(LENGTHS)
    if parameter.base == "size_t":
        return m.rng.choice(SIZES)
    if parameter.base in ("float", "double"):
        return m.draw.real()
    if m.rng.random() < 0.6:
        return m.rng.choice(SMALL_DIMS)
    number = value(m.draw, parameter, False)[1]
    assert isinstance(number, int)
    return number
