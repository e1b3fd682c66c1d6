"""Read a record of throws, as people or tables keep it, line by line.

A line is a throw in plain text (`3 4`, `3-4`, `34`, `[3, 4]`, `HT`, `heads tails`), a JSON object of a table (a command
of the pipe, a reply, a stored event), a row of a CSV file whose first line names its columns, or a comment.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterable, Mapping

import msgspec

from croupier.rules.outcomes import Face, Faces
from croupier.rules.schema import ThrowRules

DICE: Faces = (1, 2, 3, 4, 5, 6)
COINS: Faces = ("H", "T")
SIDES = {"head": "H", "heads": "H", "tail": "T", "tails": "T"}
COUNTS = {1: "one", 2: "two", 3: "three", 4: "four"}

VOID: Faces = ()  # the throw did not count
VOID_WORDS = ("void", "no roll", "no spin")
VOID_EVENTS = ("throw_voided", "outcome_invalidated")
THROWING = ("roll", "spin")

_PLAIN = re.compile(r"\w+(?:[\s,;:/|+\-–\[\]()\"']+\w+)*")
_COLUMN = re.compile(r"(?:die|dice|coins?|faces?|d|c)[ _-]?\d*")


class ThrowsError(ValueError):
    """The record is unreadable or too short; the message is a sentence for a person."""


class ThrowKind(msgspec.Struct, frozen=True):
    """A kind of throw: a number of dice or coins with these faces."""

    faces: Faces
    count: int

    @property
    def coins(self) -> bool:
        """Whether the faces are letters."""
        return isinstance(self.faces[0], str)

    @property
    def one(self) -> str:
        """The word for one die or coin."""
        return "coin" if self.coins else "die"

    @property
    def many(self) -> str:
        """The word for several dice or coins."""
        return "coins" if self.coins else "dice"

    def __str__(self) -> str:
        return f"{COUNTS[self.count]} {self.one if self.count == 1 else self.many}"


class ThrowRecord(msgspec.Struct, frozen=True):
    """The valid throws, in the order of the record, and counts of those left out."""

    kind: ThrowKind
    throws: tuple[Faces, ...]
    voids: int = 0
    refused: int = 0


class _Entry(msgspec.Struct):
    """The content of a line: the faces, VOID, None once discounted, or why it is unreadable."""

    line: int
    fell: Faces | ThrowsError | None


def read_throws(lines: Iterable[str], rules: ThrowRules | None = None) -> ThrowRecord:
    """Read a record; `rules` say what a book throws. Raises ThrowsError with the line number."""
    reader = _Reader(rules)
    for number, line in enumerate(lines, start=1):
        reader.read(number, line.strip())
    return _sorted_out(reader, rules)


def _sorted_out(reader: _Reader, rules: ThrowRules | None) -> ThrowRecord:
    """Require all throws to be of one kind: the book's, or that of the first throw."""
    kind = None if rules is None else ThrowKind(tuple(rules.faces), rules.throw)
    throws: list[Faces] = []
    voids = 0
    for entry in reader.entries:
        fell = entry.fell
        if isinstance(fell, ThrowsError):
            raise fell
        if fell == VOID:
            voids += 1
        elif fell is not None:
            found = _kind_of(fell, rules)
            kind = kind or found
            if found != kind:
                wanted = "the throws before it are of" if rules is None else "the book throws"
                raise ThrowsError(f"line {entry.line}: {shown(fell)} is {found}, but {wanted} {kind}")
            throws.append(fell)
    if kind is None or not throws:
        raise ThrowsError("there is no throw in the record")
    return ThrowRecord(kind, tuple(throws), voids, reader.refused)


def _kind_of(fell: Faces, rules: ThrowRules | None) -> ThrowKind:
    faces = tuple(rules.faces) if rules is not None else DICE if isinstance(fell[0], int) else COINS
    return ThrowKind(faces, len(fell))


def shown(faces: Faces) -> str:
    """A throw in writing: `3 4`, `HT`."""
    return ("" if isinstance(faces[0], str) else " ").join(map(str, faces))


class _Reader:
    """Reads line after line and collects the entries."""

    def __init__(self, rules: ThrowRules | None) -> None:
        faces = (*DICE, *COINS) if rules is None else tuple(rules.faces)
        self.names: dict[str, Face] = {str(face).lower(): face for face in faces}
        if set(COINS) <= set(faces):
            self.names |= SIDES
        self.allowed = "1 to 6, or H or T" if rules is None else " ".join(map(str, faces))
        self.fields = dict.fromkeys([*([] if rules is None else [rules.field]), "dice", "coins", "faces"])
        self.entries: list[_Entry] = []
        self.refused = 0
        self.unanswered: deque[_Entry | None] = deque()  # pipe commands still awaiting a reply
        self.columns: list[int] | None = None  # columns of a CSV file that hold faces
        self.separator = ","
        self.known: dict[str, Faces] = {}  # cache: records repeat the same few texts

    def read(self, number: int, line: str) -> None:
        """Read one line into entries."""
        if line.startswith("{"):
            self._read_json(number, line)
            return
        line = line.partition("#")[0].strip()
        if line.lower() in VOID_WORDS:
            self._note(number, VOID)
        elif line and not self._is_header(line):
            self._note(number, self._plain(number, self._picked(number, line)))

    def _note(self, number: int, fell: Faces | ThrowsError) -> _Entry:
        entry = _Entry(number, fell)
        self.entries.append(entry)
        return entry

    # Plain text and CSV

    def _plain(self, number: int, text: str) -> Faces:
        faces = self.known.get(text)
        if faces is None:
            inner = text.strip("[]()\"' ")
            words = re.findall(r"\w+", inner) if _PLAIN.fullmatch(inner) else [""]
            faces = self.known[text] = self._faces(number, words, text)
        return faces

    def _faces(self, number: int, words: Iterable[str], text: str) -> Faces:
        """The faces that words name; `34` and `HT` are words of two faces."""
        found: list[Face] = []
        for word in (word.lower() for word in words):
            letters = [word] if word in self.names else list(word)
            if not letters or any(letter not in self.names for letter in letters):
                raise ThrowsError(f"line {number}: {_quoted(text)} is not a throw; a face is {self.allowed}")
            found += [self.names[letter] for letter in letters]
        if len({type(face) for face in found}) > 1 or not 1 <= len(found) <= max(COUNTS):
            raise ThrowsError(f"line {number}: {_quoted(text)} is not a throw of one to four dice or coins")
        return tuple(found)

    def _is_header(self, line: str) -> bool:
        """Whether the line names the columns of a CSV file; only the first line with content can."""
        if self.entries or self.columns is not None:
            return False
        separator = max(",;\t", key=line.count)
        names = [cell.strip(" \"'").lower() for cell in line.split(separator)]
        # A book may use letters for faces that would also match a column name.
        columns = [place for place, name in enumerate(names) if _COLUMN.fullmatch(name) and name not in self.names]
        if columns:
            self.columns, self.separator = columns, separator
        return bool(columns)

    def _picked(self, number: int, line: str) -> str:
        """The cells of a CSV row that hold faces; in plain text, the whole line."""
        if self.columns is None:
            return line
        try:
            cells = next(csv.reader([line], delimiter=self.separator))
        except csv.Error:
            raise ThrowsError(f"line {number}: {_quoted(line)} is not a row of a CSV file") from None
        if len(cells) <= self.columns[-1]:
            raise ThrowsError(f"line {number}: {_quoted(line)} has fewer columns than the first line names")
        return " ".join(cells[place] for place in self.columns)

    # JSON from a table

    def _read_json(self, number: int, line: str) -> None:
        try:
            raw = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
            raise ThrowsError(f"line {number}: {_quoted(line)} is not JSON") from None
        if "do" in raw:
            self._command(number, raw)
        elif "ok" in raw or "events" in raw:
            self._reply(number, raw)
        else:
            fell = self._event(number, raw["event"] if isinstance(raw.get("event"), dict) else raw)
            if fell is not None:
                self._note(number, fell)

    def _command(self, number: int, raw: Mapping[str, object]) -> None:
        """Enter a throw or a void; a later reply may show that the table refused it."""
        entry = None
        if raw["do"] in THROWING:
            try:
                fell = self._fell(number, raw)
            except ThrowsError as error:
                entry = self._note(number, error)
            else:
                entry = self._note(number, fell)
        elif raw["do"] == "void":
            entry = self._note(number, VOID)
        self.unanswered.append(entry)

    def _reply(self, number: int, raw: Mapping[str, object]) -> None:
        """Enter the throws of a reply, without counting a throw again whose command is also in the record."""
        events = raw.get("events")
        rows = events if isinstance(events, list) else []
        told = [self._event(number, row) for row in rows if isinstance(row, dict)]
        asked = self.unanswered.popleft() if self.unanswered else None
        if asked is not None:
            refused = raw.get("ok") is False
            self.refused += refused and asked.fell != VOID
            if refused or asked.fell in told or VOID in told:
                asked.fell = None
        for fell in told:
            if fell is not None:
                self._note(number, fell)

    def _event(self, number: int, event: Mapping[str, object]) -> Faces | None:
        """The throw that an event reports, if any."""
        type_ = event.get("type")
        if type_ in VOID_EVENTS:
            return VOID
        if type_ == "thrown" or (type_ is None and any(field in event for field in self.fields)):
            return self._fell(number, event)
        if type_ is None:
            raise ThrowsError(f"line {number}: the object is not a command, reply or event of a table")
        return None

    def _fell(self, number: int, raw: Mapping[str, object]) -> Faces:
        fell = next((raw[field] for field in self.fields if field in raw), None)
        if isinstance(fell, str):
            return self._plain(number, fell)
        if isinstance(fell, list) and fell and all(type(face) in (int, str) for face in fell):
            words = [str(face) for face in fell]
            if any(word.lower() not in self.names for word in words):  # each item of a list is exactly one face
                raise ThrowsError(f"line {number}: {_quoted(' '.join(words))} is not a throw; a face is {self.allowed}")
            return self._faces(number, words, " ".join(words))
        raise ThrowsError(f"line {number}: the throw does not say which faces fell")


def _quoted(text: str) -> str:
    """Quote a text for display: truncated, and without control characters."""
    seen = "".join(letter if letter.isprintable() else "?" for letter in text[:41])
    return f'"{seen[:40]}…"' if len(text) > 41 else f'"{seen}"'
