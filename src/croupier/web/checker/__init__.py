"""The checker: one self-contained page that recomputes dice, draws, chains and signatures, wherever it is opened.

`checker.html` is that file. `make checker` builds it from the small modules beside it and those shared with the house's
own pages (`web/static/fairness`). The page's policy names the digests of its script and style, so nothing else runs in
it. The build is reproducible: a page that a house serves can be compared with one built elsewhere.
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
    """Return the page."""
    return (HERE / "checker.html").read_bytes()


@cache
def policy() -> str:
    """Return the page's content security policy for the header it is served with, which also forbids framing."""
    said = _POLICY.search(checker().decode())
    assert said is not None
    return f"{said[1]}; frame-ancestors 'none'"
