"""The forms that a line of a scenario may have, for what happens and what is expected."""

from __future__ import annotations

import re

import msgspec

Form = tuple[str, re.Pattern[str]]


class Forms(msgspec.Struct, frozen=True):
    """The lines allowed in one sort of scenario. `statements` are lines that assert something and change nothing."""

    steps: tuple[Form, ...]
    statements: tuple[str, ...]
    expected: tuple[Form, ...]


def compiled(*forms: tuple[str, str]) -> tuple[Form, ...]:
    """Compile forms, in the order in which they are tried."""
    return tuple((kind, re.compile(form)) for kind, form in forms)
