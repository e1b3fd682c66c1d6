"""On which line of a TOML text a key, a table or a member of a list stands: tomllib tells values, not places.

The text is known to be TOML, so that nothing is checked here. A path is what one would write to get at the value:
`("rules", 2, "when", 0)` is the first condition of the third [[rules]].
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

Path = tuple[str | int, ...]

# Longer ones come first: three quotes are not an empty text and a quote. The end of a text of several lines may have
# two quotes more, which belong to it.
_TOKEN = re.compile(
    r"""
      (?P<blank>[ \t]+|\#[^\n]*)
    | (?P<text>\"{3}(?:[^\\]|\\.)*?\"{3}\"{0,2} | '{3}.*?'{3}'{0,2} | \"(?:[^\"\\\n]|\\.)*\" | '[^'\n]*')
    | (?P<mark>[\[\]{}=,\n])
    | (?P<bare>[^\s\[\]{}=,"'\#]+)
    """,
    re.VERBOSE | re.DOTALL,
)

# No part of a strategy lies deeper. What does is passed over without a look inside, however deep it goes.
_DEEPEST = 6


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


class Lines:
    """The lines of a text in TOML, counted from 1."""

    def __init__(self, text: str) -> None:
        self._found: dict[Path, int] = {}
        self._lists: dict[Path, int] = {}
        self._tokens = _tokens(text.replace("\r\n", "\n"))
        self._now = next(self._tokens)
        self._read()

    def at(self, *path: str | int) -> int | None:
        """The line on which a path begins, or else the nearest table around it; None where there is not even that."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._found:
                return self._found[path[:length]]
        return None

    def _read(self) -> None:
        table: Path = ()
        while self._now.kind != "end":
            if self._now.text == "\n":
                self._step()
            elif self._now.text == "[":
                table = self._header()
            else:
                self._pair(table)

    def _step(self) -> _Token:
        passed, self._now = self._now, next(self._tokens)
        return passed

    def _header(self) -> Path:
        """`[table]` or `[[list]]`: the path of the keys that follow."""
        line = self._step().line
        is_list = self._now.text == "["
        if is_list:
            self._step()
        names = self._key("]")
        while self._now.text == "]":
            self._step()
        path: Path = ()
        for name in names[:-1]:
            path = self._newest((*path, name), line)
        path = (*path, names[-1])
        if is_list:
            self._lists[path] = self._lists.get(path, -1) + 1
            self._found.setdefault(path, line)
        path = self._newest(path, line)
        self._found[path] = line
        return path

    def _newest(self, path: Path, line: int) -> Path:
        """A table of that name, or the last one of a list of tables."""
        self._found.setdefault(path, line)
        return (*path, self._lists[path]) if path in self._lists else path

    def _pair(self, table: Path) -> None:
        """`key = value`."""
        line = self._now.line
        path = table
        for name in self._key("="):
            path = (*path, name)
            self._found.setdefault(path, line)
        self._step()
        self._value(path)

    def _key(self, end: str) -> list[str]:
        """The names in a key with dots, up to the mark behind it."""
        text = ""
        while self._now.text != end:
            text += self._step().text
        if '"' not in text and "'" not in text:
            return text.split(".")
        names: list[str] = []
        tree: object = tomllib.loads(f"{text} = 0")
        while isinstance(tree, dict):
            names += tree
            tree = tree[names[-1]]
        return names

    def _value(self, path: Path) -> None:
        first = self._step()
        if first.kind != "mark":
            while self._now.kind == "bare":  # a date may have a blank before its time
                self._step()
            return
        if len(path) >= _DEEPEST:
            self._pass_over()
        elif first.text == "[":
            self._list(path)
        else:
            self._inline(path)

    def _list(self, path: Path) -> None:
        place = 0
        while self._now.text != "]":
            if self._now.text in ("\n", ","):
                place += self._step().text == ","
                continue
            self._found[(*path, place)] = self._now.line
            self._value((*path, place))
        self._step()

    def _inline(self, path: Path) -> None:
        while self._now.text != "}":
            if self._now.text in ("\n", ","):
                self._step()
            else:
                self._pair(path)
        self._step()

    def _pass_over(self) -> None:
        open_brackets = 1
        while open_brackets:
            mark = self._step()
            open_brackets += (mark.text in ("[", "{")) - (mark.text in ("]", "}"))


def _tokens(text: str) -> Iterator[_Token]:
    line, place = 1, 0
    while found := _TOKEN.match(text, place):
        kind, written = str(found.lastgroup), found[0]
        if kind != "blank":
            yield _Token(kind, written, line)
        line += written.count("\n")
        place = found.end()
    yield _Token("end", "", line)
    raise AssertionError("a text that tomllib reads has no more brackets open")
