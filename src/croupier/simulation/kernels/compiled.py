"""How all kernels are compiled: cached on disk, without the GIL, with NumPy's error model.

A kernel is built from functions and constants of several modules, but Numba's cache checks only the module that defines
it. So the cache stamp covers this whole folder: changing one file recompiles all kernels.

`_nrt=False` removes reference counting from compiled code: kernels receive all their buffers and allocate no arrays.
This makes the general kernel several times faster.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numba

F = TypeVar("F", bound=Callable[..., Any])

# Numba's annotations omit `_nrt`, and its return type is not that of the function passed in.
njit: Any = numba.njit
STAMP = sha256(b"".join(file.read_bytes() for file in sorted(Path(__file__).parent.glob("*.py")))).hexdigest()
PLAIN = {"nogil": True, "error_model": "numpy", "_nrt": False}


def compiled(function: F) -> F:
    """Compile a kernel on its first call, or load it from this machine's cache."""
    try:
        made = njit(cache=True, **PLAIN)(function)
        made._cache._cache_file._source_stamp = STAMP
    except RuntimeError:  # no writable cache folder: every process compiles for itself
        made = njit(**PLAIN)(function)
    kernel: F = made
    return kernel


def part(function: F) -> F:
    """Compile a part of a kernel, inlined by LLVM into its caller: a call would cost more than the work."""
    made: F = njit(forceinline=True, **PLAIN)(function)
    return made


def inlined(function: F) -> F:
    """Compile a part that Numba inlines before type inference: for the innermost loops."""
    made: F = njit(inline="always", **PLAIN)(function)
    return made


def in_python(function: F) -> F:
    """The uncompiled form of a part, for use outside kernels."""
    plain: F = function.py_func  # type: ignore[attr-defined]
    return plain


@part
def number(value: int) -> int:
    """Hide a literal from Numba, which would otherwise compile another specialisation just for a bare 0."""
    return numba.int64(value)  # type: ignore[return-value]
