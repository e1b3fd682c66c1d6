"""The one way in which functions are compiled: kept on disk, without the interpreter's lock, with plain arithmetic.

A kernel is made of functions and constants of several modules, but Numba's cache looks only at the module that it
stands in. So the stamp of the cache is taken from all of this folder: change one, and all kernels are compiled anew.

`_nrt=False` takes the counting of references out of compiled code: kernels are handed all the room they need and
make no arrays of their own. It makes the general kernel several times as quick.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])

# Numba's own annotations leave out `_nrt`, and what it returns has not the type of what it was given.
njit: Any = numba.njit
STAMP = sha256(b"".join(file.read_bytes() for file in sorted(Path(__file__).parent.glob("*.py")))).hexdigest()
PLAIN = {"nogil": True, "error_model": "numpy", "_nrt": False}


def compiled(function: F) -> F:
    """A kernel: compiled when it is first called, then read from the cache of the machine it runs on."""
    try:
        made = njit(cache=True, **PLAIN)(function)
        made._cache._cache_file._source_stamp = STAMP
    except RuntimeError:  # there is no folder that could be written to: every process compiles for itself
        made = njit(**PLAIN)(function)
    kernel: F = made
    return kernel


def part(function: F) -> F:
    """A part of a kernel, compiled into whatever calls it: a call would cost more than the work."""
    made: F = njit(forceinline=True, **PLAIN)(function)
    return made


def inlined(function: F) -> F:
    """A part that becomes one with its caller before either has types: for the innermost of all loops."""
    made: F = njit(inline="always", **PLAIN)(function)
    return made


@part
def number(value: int) -> int:
    """A number whose value a kernel does not depend on: handed a bare 0, Numba compiles another kernel just for 0."""
    return numba.int64(value)  # type: ignore[return-value]
