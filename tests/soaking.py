"""What a soak changes in a test: it tries more examples, and different ones each time.

`make soak` (tools/soak.py) sets SOAK_SEED. Without it every series is always the same.
"""

from __future__ import annotations

import os
from random import Random
from typing import Final

_GIVEN: Final = os.environ.get("SOAK_SEED")
IS_SOAK: Final = _GIVEN is not None
_FIRST: Final = int(_GIVEN or 0) * 100_000


def series(usual: int, in_a_soak: int) -> range:
    """The numbers from which a series of cases is made: from 0 on, or from the seed of the soak."""
    return range(_FIRST, _FIRST + in_a_soak) if IS_SOAK else range(usual)


def chance(number: int) -> Random:
    """A random generator that is always the same, except in a soak."""
    return Random(_FIRST + number)
