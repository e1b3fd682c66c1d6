"""The one way in which functions are compiled: kept on disk, without the interpreter's lock, with plain arithmetic.

`_nrt=False` takes the counting of references out of compiled code: kernels are handed all the room they need and
make no arrays of their own. It makes the general kernel several times as quick.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])

# Numba's own annotations leave out `_nrt`, and what it returns has not the type of what it was given.
njit: Any = numba.njit
PLAIN = {"nogil": True, "error_model": "numpy", "_nrt": False}


def compiled(function: F) -> F:
    """A kernel: compiled when it is first called, then read from the cache of the machine it runs on."""
    made: F = njit(cache=True, **PLAIN)(function)
    return made


def part(function: F) -> F:
    """A part of a kernel, compiled into whatever calls it: a call would cost more than the work."""
    made: F = njit(forceinline=True, **PLAIN)(function)
    return made


def inlined(function: F) -> F:
    """A part that becomes one with its caller before either has types: for the innermost of all loops."""
    made: F = njit(inline="always", **PLAIN)(function)
    return made
