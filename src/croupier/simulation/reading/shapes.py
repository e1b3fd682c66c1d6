"""Mistakes in a strategy file and their lines, and the shapes of its tables. Knows no book."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from typing import ClassVar, Literal, NamedTuple, TypeVar, get_args

import msgspec

from croupier.rules.errors import Impossible

Path = tuple[str | int, ...]
Tell = Callable[[Path, str, str | None], None]  # reports a mistake: path, reason, clause


class StrategyError(Impossible):
    """A strategy cannot be read for a book. The message names the file, the line if known, and the reason."""

    def __init__(self, file: str, line: int | None, reason: str, clause: str | None = None) -> None:
        self.file = file
        self.line = line
        self.reason = reason
        where = file if line is None else f"{file}, line {line}"
        super().__init__("strategy_wrong", f"{where}: {reason}", clause)


class Unreadable(ValueError):
    """Words of a strategy that mean nothing under the book: the reason, and the clause behind it if any.

    The reader of the surrounding table knows where they are: see Mistakes.
    """

    def __init__(self, reason: str, clause: str | None = None) -> None:
        self.reason = reason
        self.clause = clause
        super().__init__(reason)


class Mistakes:
    """The mistakes in one table of a file, collected part by part so that one does not hide another."""

    def __init__(self, tell: Tell, *table: str | int) -> None:
        self._tell = tell
        self._table = table
        self._places: set[Path] = set()

    def add(self, path: Path, reason: str, clause: str | None = None) -> None:
        """Report a mistake at a path in the table, or in the table as a whole."""
        self._places.add(path)
        self._tell((*self._table, *path), reason, clause)

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Report an Unreadable raised inside as a mistake at this path, and continue."""
        try:
            yield
        except Unreadable as error:
            self.add(path, error.reason, error.clause)

    def about(self, *path: str | int) -> bool:
        """Whether a mistake was reported for a key, or for an item of the list under it."""
        return any(place[: len(path)] == path for place in self._places)

    def __bool__(self) -> bool:
        """Whether there are any mistakes."""
        return bool(self._places)


# The shape of a strategy file's tables. `docs/strategies.md` explains every key to authors of strategies.

Texts = str | list[str]
Raw = dict[str, object]
Per = Literal["shooter", "session"]


class Table(msgspec.Struct, frozen=True):
    """The base of all tables in a strategy file. Required keys (`needs`) have defaults too, so the rest can be read."""

    needs: ClassVar[tuple[str, ...]] = ()


class StrategyTable(Table, frozen=True):
    """The whole file. Its parts are read one by one, so that one mistake does not hide the others."""

    needs: ClassVar[tuple[str, ...]] = ("name", "book", "about", "rules")

    name: str = ""
    book: Texts = ""
    about: str = ""
    rules: list[Raw] = []
    unit: str = "1.00"
    bankroll: str | None = None
    progressions: dict[str, Raw] = {}
    stop: Raw = {}


class RuleTable(Table, frozen=True):
    """One of [[rules]]: an action, an amount, and conditions."""

    bet: Texts | None = None
    take: Texts | None = None
    call_on: Texts | None = None
    call_off: Texts | None = None
    stake: str | None = None
    when: Texts = []
    unless: Texts = []
    adds: bool = False
    or_less: bool = False
    insist: bool = False
    at_most: int | None = None
    per: Per | None = None
    leave: str | None = None


class ProgressionTable(Table, frozen=True):
    """One of [progressions.NAME]: along steps, or an amount from a start."""

    needs: ClassVar[tuple[str, ...]] = ("of", "win", "loss")

    of: Texts | None = None
    win: str | None = None
    loss: str | None = None
    steps: list[int | float | str] | None = None
    end: Literal["first", "stay"] | None = None
    start: str | None = None
    most: str | None = None
    least: str | None = None
    per: Per | None = None


class StopTable(Table, frozen=True):
    """[stop]: when the player leaves."""

    win: str | None = None
    loss: str | None = None
    shooters: int | None = None
    rolls: int | None = None
    leave: Literal["at once", "when decided"] | None = None


_HOMES: dict[type[Table], str] = {
    StrategyTable: "at the top of the file, before the first [[rules]]",
    RuleTable: "below [[rules]]",
    ProgressionTable: "below [progressions.NAME]",
    StopTable: "below [stop]",
}
MOST_LISTED = 13


class Misfit(NamedTuple):
    """A value that does not fit the shape of its table: its path, and the reason."""

    path: tuple[str | int, ...]
    reason: str


T = TypeVar("T", bound=Table)

# msgspec's names of types, in words for non-programmers.
_WORDS = {
    "str": "a text in quotes",
    "array": "a list",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "object": "a table",
}
_WRITTEN = {
    "rules": "; each begins with [[rules]], in double brackets",
    "progressions": "; each begins with [progressions.NAME]",
    "stop": "; it begins with [stop]",
}
_EXPECTED = re.compile(r"Expected `(?P<wanted>[^`]+)`, got `(?P<got>[^`]+)`(?: - at `\$\[(?P<place>\d*)[^`]*`)?")


def fit(table: Mapping[str, object], shape: type[T]) -> tuple[T, list[Misfit]]:
    """Convert a table to its shape as far as it fits, and return every misfit."""
    fields = {field.name: field for field in msgspec.structs.fields(shape)}
    wrong = [Misfit((key,), _unknown(key, shape)) for key in table if key not in fields]
    values: dict[str, object] = {}
    for name, field in fields.items():
        if name not in table:
            wrong += [Misfit((), f"{name} is missing{_WRITTEN.get(name, '')}")] if name in shape.needs else []
            continue
        try:
            values[name] = msgspec.convert(table[name], field.type)
        except msgspec.ValidationError as error:
            wrong.append(_misfit(name, field.type, str(error)))
    return shape(**values), wrong


def nearest(word: str, known: Iterable[str]) -> str:
    """Suggest what was meant, as the end of a sentence; otherwise list what there is."""
    words = list(known)
    near = get_close_matches(word, words, n=2, cutoff=0.6)
    if near:
        return f"closest match: {' or '.join(near)}"
    if len(words) < 2:
        return f"there is only {words[0]}" if words else "there is none"
    shown = ", ".join(words[:MOST_LISTED])
    return f"there are {shown}" if len(words) <= MOST_LISTED else f"there are {len(words)}, such as {shown}"


def _unknown(key: str, shape: type[Table]) -> str:
    """Explain an unknown key. TOML assigns a key to the last heading above it, so say where it belongs."""
    homes = [home for other, home in _HOMES.items() if key in other.__struct_fields__]
    where = f"it belongs {' or '.join(homes)}" if homes else nearest(key, shape.__struct_fields__)
    return f"there is no key {quoted(key)} here; {where}"


def _misfit(name: str, type_: object, error: str) -> Misfit:
    found = _EXPECTED.match(error)
    if found is None:  # the only other error: a text that is not one of the choices
        choices = [choice for part in (type_, *get_args(type_)) for choice in get_args(part) if isinstance(choice, str)]
        return Misfit((name,), f"{name} must be {' or '.join(map(quoted, choices))}")
    wanted = [_WORDS[word] for word in found["wanted"].split(" | ") if word in _WORDS]
    got = _WORDS.get(found["got"], "a date or a time") + _WRITTEN.get(name, "")
    if found["place"] is None:
        return Misfit((name,), f"{name} must be {' or '.join(wanted)}, not {got}")
    path = (name, int(found["place"])) if found["place"] else (name,)
    return Misfit(path, f"a member of {name} must be {' or '.join(wanted)}, not {got}")


def quoted(text: str, limit: int = 60) -> str:
    """Quote a user's text for use in a sentence: truncated, and without control characters."""
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return '"' + "".join(mark if mark.isprintable() else "?" for mark in shown) + '"'


# Line numbers of the keys, tables and list items of a TOML text, which tomllib does not report. The text has already
# been parsed, so nothing is checked here. A path leads to a value: `("rules", 2, "when", 0)` is the first condition of
# the third [[rules]].


# Longer tokens come first: three quotes are not an empty text and a quote. A multi-line text may end in two more
# quotes, which belong to it.
_TOKEN = re.compile(
    r"""
      (?P<blank>[ \t]+|\#[^\n]*)
    | (?P<text>\"{3}(?:[^\\]|\\.)*?\"{3}\"{0,2} | '{3}.*?'{3}'{0,2} | \"(?:[^\"\\\n]|\\.)*\" | '[^'\n]*')
    | (?P<mark>[\[\]{}=,\n])
    | (?P<bare>[^\s\[\]{}=,"'\#]+)
    """,
    re.VERBOSE | re.DOTALL,
)

# No part of a strategy lies deeper; deeper values are skipped.
_DEEPEST = 6


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


class Lines:
    """The line numbers of a TOML text, from 1."""

    def __init__(self, text: str) -> None:
        self._found: dict[Path, int] = {}
        self._lists: dict[Path, int] = {}
        self._tokens = _tokens(text.replace("\r\n", "\n"))
        self._now = next(self._tokens)
        self._read()

    def at(self, *path: str | int) -> int | None:
        """The line on which a path begins, or the nearest enclosing table; None if there is neither."""
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
        """Read `[table]` or `[[list]]`: return the path of the keys that follow."""
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
        """The table of that name, or the last item of a list of tables."""
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
        """The names in a dotted key, up to the mark after it."""
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
