"""What the pool holds for a backend: sandboxes of each language, and compilers with each size of the prelude."""

import itertools
from collections.abc import Callable
from functools import partial

from grader.backends import Backend
from grader.contract.job import LANGUAGES
from grader.launch import launch
from grader.runners.toolchain import TIERS, ToolchainError
from grader.sandbox.pool import Pool
from grader.workshop import Ready, Workshop, compiler_kind, harness_kind


def make_pool(shop: Workshop, backend: Backend, size: int) -> Pool[Ready]:
    """A pool, not yet started, with `size` of each kind. No compilers where there is no toolchain."""
    kinds = _kinds(shop, backend)
    slots = itertools.count()  # what waits is spread over the slots' users
    return Pool(lambda kind: kinds[kind](slot=next(slots)), dict.fromkeys(kinds, size))


def _kinds(shop: Workshop, backend: Backend) -> dict[str, Callable[..., Ready]]:
    kinds: dict[str, Callable[..., Ready]] = {}
    for language in LANGUAGES:
        kinds[harness_kind(language, backend)] = partial(launch, language, backend, warm=True)
    try:
        shop.tools(backend)
    except ToolchainError:
        return kinds
    for tier in TIERS:
        kinds[compiler_kind(tier, backend)] = partial(shop.start_compiler, backend, tier)
    return kinds
