"""The browser client: pages, scripts and styles as they are sent. They draw what the API reports and know no rules.

The checker is one self-contained page that recomputes dice, draws, chains and signatures, wherever it is opened.
`make checker` builds it from the small modules beside it and those shared with the house's own pages
(`static/fairness`). Its policy names the digests of its script and style, so nothing else runs in it. The build is
reproducible: a page that a house serves can be compared with one built elsewhere.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).with_name("static")
CHECKER = Path(__file__).with_name("checker")
MOST_CHECKER_BYTES = 50_000

_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


@cache
def checker() -> bytes:
    """Return the checker's page."""
    return (CHECKER / "checker.html").read_bytes()


@cache
def checker_policy() -> str:
    """Return the checker's content security policy for the header it is served with, which also forbids framing."""
    said = _POLICY.search(checker().decode())
    assert said is not None
    return f"{said[1]}; frame-ancestors 'none'"
