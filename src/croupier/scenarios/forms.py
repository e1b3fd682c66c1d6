"""What a language of scenarios is made of: the forms that a line may have, for what happens and what is expected."""

from __future__ import annotations

import re

import msgspec

Form = tuple[str, re.Pattern[str]]


class Forms(msgspec.Struct, frozen=True):
    """The lines that scenarios of one sort may have. `statements` are those by which nothing happens."""

    steps: tuple[Form, ...]
    statements: tuple[str, ...]
    expected: tuple[Form, ...]


def compiled(*forms: tuple[str, str]) -> tuple[Form, ...]:
    """Forms as they are written, ready to be tried in their order."""
    return tuple((kind, re.compile(form)) for kind, form in forms)
