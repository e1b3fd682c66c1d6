"""The checker: one page in one file that repeats dice, draws, chains and signatures, wherever it is opened.

It is made of the small modules beside this one. They are put behind one another in the order in which they need each
other, without comments and blanks. The policy in the page names the digest of its script and of its style, so nothing
else runs in it. The same sources always make the same bytes: a page that a house serves can be held against one made
elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
import re
import string
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, product
from pathlib import Path

HERE = Path(__file__).parent
FIRST = "main.js"
MOST_BYTES = 50_000

_IMPORT = re.compile(r'^import [^;]*? from "\./([\w-]+\.js)";\n', re.MULTILINE)
_DECLARED = re.compile(r"^(?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE)
# What a script consists of. A pattern stands where a value may begin; a text in backquotes may hold further script.
_PIECE = re.compile(
    r"""
    (?P<left>//[^\n]*|/\*.*?\*/|\s+)
    |(?P<kept>"(?:\\.|[^"\\])*")
    |(?P<text>`)
    |(?P<word>[\w$]+)
    |(?P<sign>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_PATTERN = re.compile(r"/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+/\w*")
_BEFORE_A_PATTERN = ("(", ",", "=", ":", "[", "!", "&", "|", "?", "{", "}", ";", "return")
# What programs that drive the page call: these names stay.
CALLED = (
    *("sealOf", "numberSeal", "mixOf", "decidingWords"),
    *("hasSignedByBrowser", "hasSignedByHand", "receiptOf", "signedOf"),
)
_TEXT = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*(?:`|\$\{)", re.DOTALL)
_VALUES = {"true": "!0", "false": "!1", "undefined": "void 0"}  # the same in fewer letters
_LONE = re.compile(r"(?<![\w$])\(([\w$]+)\)=>")  # a parameter that stands alone; no text in the page looks like it
_STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_STYLE_BLANK = re.compile(r"\s*([{};,>])\s*|(?<=:)\s+|\s+")


@cache
def checker() -> bytes:
    """The page."""
    page = (HERE / "page.html").read_text(encoding="utf-8")
    parts = {
        "policy": f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">',
        "style": f"<style>{style()}</style>",
        "script": f"<script>{script()}</script>",
    }
    for name, part in parts.items():
        page = page.replace(f"<!-- {name} -->", part)
    return page.encode()


@cache
def policy() -> str:
    """What the page may do, for the header that it is served with: nobody else's page has it within, either."""
    return f"{_policy()}; frame-ancestors 'none'"


def _policy() -> str:
    """Its own script and style and nothing else; and it may ask the house that it came from for a record."""
    rules = {
        "default-src": "'none'",
        "script-src": _digest(script()),
        "style-src": _digest(style()),
        "connect-src": "'self'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# -- the script -------------------------------------------------------------------------------------------------------


@cache
def script() -> str:
    """All modules as one script. Raises ValueError where two of them have the same name for something."""
    source = "\n".join(_sources(FIRST, []))
    return _LONE.sub(r"\1=>", "".join(_short(source, short_names(source))))


def _sources(name: str, known: list[str]) -> Iterator[str]:
    """A module after all that it needs, without what ties them together."""
    known.append(name)
    source = (HERE / name).read_text(encoding="utf-8")
    for needed in _IMPORT.findall(source):
        if needed not in known:
            yield from _sources(needed, known)
    yield re.sub(r"^export ", "", _IMPORT.sub("", source), flags=re.MULTILINE)


def short_names(source: str) -> dict[str, str]:
    """What is written short: whatever stands at the left of a module, and the names in `names.txt`.

    A name is the same wherever it stands, so none of them may be that of anything in a browser or in a record.
    """
    declared = _DECLARED.findall(source)
    twice = sorted({name for name in declared if declared.count(name) > 1})
    if twice:
        raise ValueError(f"two modules of the checker have the same name for something: {', '.join(twice)}")
    written = Counter(text for kind, text in _pieces(source) if kind == "word")
    own = {*declared, *(HERE / "names.txt").read_text(encoding="utf-8").split()} - {*CALLED}
    by_use = sorted(own, key=lambda name: (-written[name] * len(name), name))
    letters = [*string.ascii_letters, *string.digits]
    free = [letter for letter in string.ascii_letters if letter not in written]
    short = chain(free, (f"${''.join(each)}" for length in (1, 2) for each in product(letters, repeat=length)))
    return {name: other for name, other in zip(by_use, short, strict=False) if len(other) < len(name)}


def _short(source: str, names: dict[str, str]) -> Iterator[str]:
    """Without comments, with blanks only where two words would become one, and a line for each declaration."""
    yield '"use strict";'
    before, is_parted, is_new = "", False, False
    for kind, text in _with_constants_joined(_pieces(source)):
        if kind == "left":
            is_parted, is_new = True, text.endswith("\n")
            continue
        if (before == ";" and text != "}") or (before == "," and text not in (")", "]", "}")):
            yield before
        piece = names.get(text, _VALUES.get(text, text)) if kind == "word" else text
        if is_new and before in ("}", ";") and kind == "word":
            yield "\n"
        elif is_parted and _need_a_blank(before, piece[0]):
            yield " "
        if piece not in (",", ";"):
            yield piece
        before, is_parted, is_new = piece[-1], False, False
    yield "\n"


def _with_constants_joined(pieces: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """One `const` for those that follow one another: `const a = 1; const b = 2;` is `const a = 1, b = 2;`."""
    begun = [""]  # the first word of the statement at each depth
    before, held = ";", False  # whether the end of a `const` was held back, to see what comes next
    for kind, text in pieces:
        if kind == "left":
            yield kind, text
            continue
        if held:
            held = False
            if text == "const":
                yield "sign", ","
                before = ","
                continue
            yield "sign", ";"
        if before in (";", "{") or (before == "}" and begun[-1] != "const"):
            begun[-1] = text
        if text in ("{", "(", "[") or text.endswith("${"):
            begun.append("")
        elif text in ("}", ")", "]"):
            begun.pop()
        held = text == ";" and begun[-1] == "const"
        if not held:
            yield kind, text
        before = text
    if held:
        yield "sign", ";"


def _pieces(source: str) -> Iterator[tuple[str, str]]:
    """The pieces of a script; what is written in backquotes is in pieces as well, for the script within it."""
    at, depth, before = 0, 0, ";"
    texts: list[int] = []  # how deep each text in backquotes began
    while at < len(source):
        if texts and texts[-1] == depth:  # within backquotes
            end = _TEXT.match(source, at)
            assert end is not None
            yield "kept", end[0]
            at = end.end()
            if end[0].endswith("`"):
                texts.pop()
            else:
                depth += 1
            continue
        pattern = _PATTERN.match(source, at) if before in _BEFORE_A_PATTERN else None
        piece = pattern or _PIECE.match(source, at)
        assert piece is not None
        at = piece.end()
        kind, text = str(piece.lastgroup or "kept"), piece[0]
        yield kind, text
        before = before if kind == "left" else text
        if kind == "text":
            texts.append(depth)
        elif text in "{}":
            depth += 1 if text == "{" else -1


def _need_a_blank(before: str, after: str) -> bool:
    return (_is_word(before) and _is_word(after)) or (before in "+-" and before == after)


def _is_word(mark: str) -> bool:
    return mark.isalnum() or mark in ("_", "$")


# -- the style --------------------------------------------------------------------------------------------------------


@cache
def style() -> str:
    """The style, without comments, and with blanks only where they mean something."""
    plain = _STYLE_COMMENT.sub("", (HERE / "checker.css").read_text(encoding="utf-8"))
    short = _STYLE_BLANK.sub(lambda found: found[1] or ("" if plain[found.start() - 1] == ":" else " "), plain)
    return short.strip().replace(";}", "}")
