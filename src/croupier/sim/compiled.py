"""The one way in which functions are compiled: kept on disk, without the interpreter's lock, with plain arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """A kernel: compiled when it is first called, then read from the cache of the machine it runs on."""
    made: F = njit(cache=True, nogil=True, error_model="numpy", _nrt=False)(function)
    return made


def part(function: F) -> F:
    """A part of a kernel: compiled along with whatever calls it."""
    made: F = njit(nogil=True, error_model="numpy", _nrt=False, forceinline=True)(function)
    return made


def inlined(function: F) -> F:
    """A part that becomes one with its caller before either is compiled: for the innermost of all loops."""
    made: F = njit(inline="always", error_model="numpy", _nrt=False)(function)
    return made
