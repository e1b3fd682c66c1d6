"""What a table remembers of its conduct: small named values, such as `dice = "offered"` or `missing = 1`."""

from __future__ import annotations

Fact = int | str

NONE = "none"  # the value of a fact that nobody has set
