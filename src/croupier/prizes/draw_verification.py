"""Verification of a prize draw from its public record alone, without asking the house.

The record is followed line by line up to the first fault, which is named: later faults would only follow from it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any, Literal, NoReturn

import msgspec

from croupier.prizes.public_draw import (
    FORMAT,
    HASH,
    NAME,
    TITLE,
    ClosingLine,
    Draw,
    DrawEntry,
    Draws,
    LastLine,
    Passed,
    RecordHeader,
    RevealedSecret,
    announcement_fault,
    commitment,
    entry_fault,
    holders,
    written,
)

FAULTS = {
    "altered": "a line, or the record up to it, was changed",
    "missing": "entries, or the end of the record, are missing",
    "added": "there are entries or lines where none can be",
    "late_entry": "an entry was added after the entries were closed",
    "out_of_place": "a line is out of order",
    "other_secret": "the revealed secret does not match the commitment",
    "skipped": "a draw was not made, or a reserve was passed over",
    "redrawn": "a draw was made again, or for a prize that was not given up",
    "other_prize": "a draw is not for the next prize",
    "other_winner": "the drawn entry does not follow from the secret and the entries",
    "other_past": "a hash noted earlier is not in this record",
}

Stage = Literal["announced", "closed", "drawn"]


class RecordError(ValueError):
    """The file is not a public record of a draw; carries a message for people."""


class DrawFinding(msgspec.Struct, frozen=True):
    """A fault: its kind, a message, and the line, if there is one."""

    fault: str
    sentence: str
    line: int | None = None


class DrawVerdict(msgspec.Struct, frozen=True):
    """What was verified, up to the first fault. `digest` is the hash of the closed entries."""

    promotion: str
    prizes: tuple[str, ...]
    reserves: int
    one_prize_each: bool
    stage: Stage
    entries: int
    entrants: int
    weight: int
    digest: str | None
    results: tuple[Draw | Passed, ...]
    finding: DrawFinding | None

    @property
    def holders(self) -> dict[int, Draw]:
        """The draw that holds each prize, by the number of the prize."""
        return holders(self.results)


def verify_draw(lines: Iterable[bytes], seen: Iterable[str] = ()) -> DrawVerdict:
    """Verify a public record to its end, or to the first fault. `seen` are hashes noted earlier.

    Raises RecordError for a file that is not a public record of a draw.
    """
    numbered = enumerate(lines, 1)
    first = next((line for _, line in numbered), b"")
    reader = _RecordReader(_header(first), set(seen))
    try:
        reader.begin(first)
        for number, line in numbered:
            reader.read(number, line)
        reader.end()
    except _Wrong as wrong:
        return reader.verdict(wrong.finding)
    return reader.verdict(None)


class _Wrong(Exception):
    """Ends the verification."""

    def __init__(self, finding: DrawFinding) -> None:
        super().__init__(finding.sentence)
        self.finding = finding


_UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)
_headers = msgspec.json.Decoder(RecordHeader)


def _header(line: bytes) -> RecordHeader:
    try:
        told = msgspec.json.decode(line)
    except _UNREADABLE:
        told = None
    if not isinstance(told, dict) or told.get("record") != TITLE:
        raise RecordError("This is not a public record of a prize draw: the first line does not say so.")
    if told.get("format") != FORMAT:
        raise RecordError(f"The record has another format; this version reads format {FORMAT}.")
    try:
        header = _headers.decode(line)
    except _UNREADABLE:
        raise RecordError("The first line does not say what is drawn.") from None
    wrong = announcement_fault(header)
    if wrong is not None:
        raise RecordError(f"The first line does not say what is drawn. {wrong}")
    return header


class _RecordReader:
    """Reads line after line, following their hash, the entries and the draws."""

    def __init__(self, header: RecordHeader, seen: set[str]) -> None:
        self.header = header
        self.unseen = seen
        self.hash = hashlib.sha256()
        self.at = 1
        self.entries: list[DrawEntry] = []
        self.digest: str | None = None
        self.draws: Draws | None = None
        self.results: list[Draw | Passed] = []
        self.ended = False
        # By the first field of a line: its decoder and its check.
        self.kinds: dict[bytes, tuple[msgspec.json.Decoder[Any], Callable[[Any], None]]] = {
            b"number": (msgspec.json.Decoder(DrawEntry), self._entry),
            b"closed": (msgspec.json.Decoder(ClosingLine), self._closed),
            b"secret": (msgspec.json.Decoder(RevealedSecret), self._shown),
            b"draw": (msgspec.json.Decoder(Draw), self._draw),
            b"passed": (msgspec.json.Decoder(Passed), self._passed),
            b"ended": (msgspec.json.Decoder(LastLine), self._ended),
        }

    def begin(self, line: bytes) -> None:
        """Take the first line, which is already decoded."""
        if written(self.header) != line:
            self._wrong("altered", "The first line is not in canonical form.")
        self._hash(line)

    def read(self, number: int, line: bytes) -> None:
        """Read one line after the first."""
        self.at = number
        kind = line[2 : line.find(b'"', 2)]
        decoder, follow = self.kinds.get(kind, (None, None))
        if decoder is None or follow is None:
            self._wrong("altered", "This line does not belong in such a record.")
        try:
            told = decoder.decode(line)
        except _UNREADABLE:
            self._wrong("altered", "This line does not belong in such a record.")
        if written(told) != line:
            self._wrong("altered", "This line is not in canonical form.")
        if self.ended:
            self._wrong("added", "This line comes after the last line.")
        follow(told)
        if kind == b"number":
            self.hash.update(line)
        elif kind != b"ended":
            self._hash(line)

    def end(self) -> None:
        """Finish the record."""
        self.at = 0
        if not self.ended:
            self._wrong("missing", "The record ends without its last line: some of it is missing.")
        for mark in sorted(self.unseen):
            self._wrong("other_past", f"The hash {mark} was noted earlier and is not in this record.")

    def verdict(self, finding: DrawFinding | None) -> DrawVerdict:
        """Return everything verified and found."""
        header = self.header
        return DrawVerdict(
            promotion=header.promotion,
            prizes=header.prizes,
            reserves=header.reserves,
            one_prize_each=header.one_prize_each,
            stage="drawn" if self.draws is not None else "closed" if self.digest is not None else "announced",
            entries=len(self.entries),
            entrants=len({entry.entrant for entry in self.entries}),
            weight=sum(entry.weight for entry in self.entries),
            digest=self.digest,
            results=tuple(self.results),
            finding=finding,
        )

    def _wrong(self, fault: str, sentence: str) -> NoReturn:
        raise _Wrong(DrawFinding(fault, sentence, self.at or None))

    def _hash(self, line: bytes) -> None:
        """Hash a line. Only these hashes can have been published: not those between entries."""
        self.hash.update(line)
        self.unseen.discard(self.hash.hexdigest())

    # -- checks of each kind of line ----------------------------------------------------------------------------------

    def _entry(self, entry: DrawEntry) -> None:
        number = len(self.entries) + 1
        if self.digest is not None:
            self._wrong("late_entry", f"Entry {entry.number} comes after the entries were closed.")
        if entry.number > number:
            self._wrong("missing", f"Entry {entry.number} follows entry {number - 1}: some are missing.")
        if entry.number < number:
            self._wrong("added", f"Entry {entry.number} comes a second time.")
        wrong = entry_fault(entry, number)
        if wrong is not None:
            self._wrong("altered", wrong)
        self.entries.append(entry)

    def _closed(self, closed: ClosingLine) -> None:
        if self.digest is not None:
            self._wrong("added", "The entries are closed a second time.")
        self._counted(closed.closed, len(self.entries), "entries")
        self._hashed(closed.sha256, "The entries or the announcement changed after the entries were closed.")
        self.digest = closed.sha256
        self.unseen.discard(closed.sha256)

    def _shown(self, shown: RevealedSecret) -> None:
        if self.digest is None:
            self._wrong("out_of_place", "The secret is revealed before the entries are closed.")
        if self.draws is not None:
            self._wrong("redrawn", "A secret is revealed a second time.")
        secret = bytes.fromhex(shown.secret) if HASH.fullmatch(shown.secret) else None
        if secret is None or commitment(self.header.promotion, secret) != self.header.commitment:
            self._wrong("other_secret", "The secret does not match the commitment.")
        self.draws = Draws(self.header, self.entries, self.digest, secret)

    def _draw(self, draw: Draw) -> None:
        draws = self._drawing()
        if draw.entrant is not None and NAME.fullmatch(draw.entrant) is None:
            self._wrong("altered", f"The entrant of draw {draw.draw} is not a name that an entry can have.")
        if draw.draw <= draws.count or not draws.due:
            self._wrong("redrawn", f"Draw {draw.draw} was made although nothing was left to draw.")
        if draw.draw > draws.count + 1:
            self._wrong("skipped", f"Draw {draw.draw} was made, but draw {draws.count + 1} was not.")
        right = draws.draw()
        if draw.prize != right.prize:
            self._wrong("other_prize", f"Draw {draw.draw} must be for {_for(right)}, not for {_for(draw)}.")
        if draw != right:
            self._wrong("other_winner", f"Draw {draw.draw} must select {_whose(right)}, not {_whose(draw)}.")
        self.results.append(draw)

    def _passed(self, passed: Passed) -> None:
        draws = self._drawing()
        if draws.due:
            self._wrong("skipped", f"A prize was passed on before draw {draws.count + 1} was made.")
        right = draws.pass_on(passed.passed, passed.because)
        if right is None:
            self._wrong("redrawn", f"Draw {passed.passed} holds no prize that could be passed on.")
        if passed.to != right.to:
            self._wrong("skipped", f"The prize was passed on to draw {passed.to}, but draw {right.to} is next in line.")
        self.results.append(passed)

    def _drawing(self) -> Draws:
        if self.draws is None:
            self._wrong("out_of_place", "A draw was made before the secret was revealed.")
        return self.draws

    def _ended(self, ended: LastLine) -> None:
        if self.entries and self.digest is None:
            self._wrong("missing", "There are entries, but they were never closed.")
        if self.draws is not None and self.draws.due:
            self._wrong("skipped", f"Draw {self.draws.count + 1} was not made.")
        self._counted(ended.ended, self.at - 1, "lines")
        self._hashed(ended.sha256, "The hash in the last line is not that of the record.")
        self.ended = True

    def _counted(self, said: int, there: int, what: str) -> None:
        if said != there:
            fault = "missing" if said > there else "added"
            self._wrong(fault, f"The record says {said:,} {what}, but there are {there:,}.")

    def _hashed(self, said: str, sentence: str) -> None:
        if said != self.hash.hexdigest():
            self._wrong("altered", sentence)


def _for(draw: Draw) -> str:
    return "a reserve" if draw.prize is None else f"prize {draw.prize}"


def _whose(draw: Draw) -> str:
    return "no entry" if draw.number is None else f"entry {draw.number} of {draw.entrant}"
