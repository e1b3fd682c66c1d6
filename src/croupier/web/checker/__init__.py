"""The checker: one page in one file that repeats dice, draws, chains and signatures, wherever it is opened.

`checker.html` is that file. `make checker` makes it of the small modules beside it and of those that it shares with
the house's own pages (`web/static`). The policy in the page names the digest of its script and of its style, so nothing
else runs in it. The same sources always make the same bytes: a page that a house serves can be held against one made
elsewhere.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
MOST_BYTES = 50_000

_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


@cache
def checker() -> bytes:
    """The page."""
    return (HERE / "checker.html").read_bytes()


@cache
def policy() -> str:
    """What the page may do, for the header that it is served with: nobody else's page has it within, either."""
    said = _POLICY.search(checker().decode())
    assert said is not None
    return f"{said[1]}; frame-ancestors 'none'"
