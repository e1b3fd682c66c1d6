"""Verification of a table's electronic dice from its public record alone, without asking the house.

It follows the chain of hashes and the course of the rounds from the first line to the last. Everything that fails is a
finding, with the round, the version and a message. A finding does not stop the verification.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from croupier.house.electronic.course import Course, Finding, LineContent
from croupier.house.electronic.fair_dice import MARK, Face, Numbers
from croupier.house.electronic.public_record import FORMAT, TITLE, Footer, Header, Line, kind
from croupier.house.names import NAME, TABLES
from croupier.house.stored_events import UnknownFormat, decode
from croupier.maths.fairness import Fairness, judge_throws
from croupier.maths.fairness.throws import COUNTS, ThrowKind
from croupier.maths.fairness.throws import ThrowRecord as Throws
from croupier.store.receipts import Receipt, held_against
from croupier.store.records import anchor, digest, link_digest

TABLE = re.compile(re.escape(TABLES) + NAME.pattern)
MOST_DICE = 100


class RecordError(ValueError):
    """The file is not a public record of a table; carries a message for people."""


class Verdict(msgspec.Struct, frozen=True):
    """What was verified and what was found. `unseen` counts records whose documents are not public.

    `older` counts rounds of protocol 1, which proves less; `early` those whose bets were shut because all were ready.
    """

    table: str
    book: str | None
    faces: tuple[Face, ...]
    throw: int
    runs_by_itself: bool
    records: int
    unseen: int
    head: str
    rounds: int
    drawn: int
    cancelled: int
    under_way: int | None
    throws: tuple[tuple[Face, ...], ...]
    findings: tuple[Finding, ...]
    older: int
    numbers: Numbers
    early: int = 0
    receipts: int = 0  # compared with the record


def verify_dice(
    lines: Iterable[bytes], seen: Iterable[str] = (), receipts: Iterable[Receipt] = (), key: str | None = None
) -> Verdict:
    """Verify a public record from its first line to its last. `seen` are hashes noted earlier, which must be in it.

    What `receipts` say of the table must be in it too; they are signed with `key`, the house's, if known. Raises
    RecordError if the file is not a public record, or if no receipt is for its table.
    """
    numbered = enumerate(lines, 1)
    header = _header(next((line for _, line in numbered), b""))
    reader = _Reader(header, set(seen))
    reader.hold(list(receipts), key)
    for number, line in numbered:
        if line.strip():
            reader.read(number, line)
    return reader.verdict()


def look_at_throws(verdict: Verdict) -> Fairness | None:
    """Test the throws like `croupier fairness`; None if there are too few, or some are invalid."""
    faces = set(verdict.faces)
    possible = all(len(throw) == verdict.throw and faces.issuperset(throw) for throw in verdict.throws)
    if verdict.throw not in COUNTS or len(faces) < len(verdict.faces) or not possible or len(verdict.throws) < 2:
        return None
    return judge_throws(Throws(ThrowKind(verdict.faces, verdict.throw), verdict.throws))


# Lines

_headers = msgspec.json.Decoder(Header)
_lines = msgspec.json.Decoder(Line)
_footers = msgspec.json.Decoder(Footer)


def _header(line: bytes) -> Header:
    try:
        header = _headers.decode(line)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        header = None
    if header is None or header.record != TITLE:
        raise RecordError("This is not a public record of a table: the first line does not say so.")
    if header.format != FORMAT:
        raise RecordError(f"The record has format {header.format}; this version reads format {FORMAT}.")
    if TABLE.fullmatch(header.stream) is None:
        raise RecordError("The first line names no table.")
    one_kind = len({type(face) for face in header.faces}) == 1 and all(str(face).isalnum() for face in header.faces)
    if len(header.faces) < 2 or not one_kind or not 1 <= header.throw <= MOST_DICE:
        raise RecordError("The first line does not say what is thrown.")
    return header


class _Reader:
    """Reads line after line, following the chain and the course of the rounds."""

    def __init__(self, header: Header, seen: set[str]) -> None:
        self.header = header
        self.table = header.stream.partition("/")[2]
        self.course = Course(self.table, header.faces, header.throw)
        self.missing = seen
        self.findings: list[Finding] = []
        if len(set(header.faces)) < len(header.faces):
            self.findings.append(Finding("other_dice", "Two faces of the dice are the same."))
        self.version, self.hash = 0, anchor(header.stream)
        self.count = self.unseen = 0
        self.ended = False

    def hold(self, receipts: list[Receipt], key: str | None) -> None:
        """Compare these receipts with the record, as far as they are for its table."""
        self.receipts = [receipt for receipt in receipts if receipt.stream == self.header.stream]
        self.key = key
        self.hashes: dict[int, str | None] = {receipt.version: None for receipt in self.receipts}
        if receipts and not self.receipts:
            raise RecordError(f"None of the receipts is for the table {self.table}.")

    def read(self, number: int, line: bytes) -> None:
        """Read one line after the first."""
        try:
            told = _lines.decode(line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            self._end(number, line)
            return
        if MARK.fullmatch(told.sha256) is None or MARK.fullmatch(told.hash) is None:
            raise RecordError(f"Line {number} has no digest and hash of 64 hexadecimal digits.")
        if (told.document is not None) + (told.event is not None) + (told.type is not None) != 1:
            raise RecordError(f"Line {number} must show a document, an event or its kind, and only one of them.")
        if self.ended:
            self._find("added", "There is a record after the last line of the file.", told.version)
        self.findings.extend(self._follow(told))
        self._pass_on(told)

    def _end(self, number: int, line: bytes) -> None:
        try:
            footer = _footers.decode(line)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            raise RecordError(f"Line {number} is not a line of a public record.") from None
        if self.ended:
            self._find("added", "The record ends a second time.")
        elif footer.count != self.count:
            self._find("missing", f"The last line counts {footer.count} records, but there are {self.count}.")
        elif footer.head != self.hash.hex():
            self._find("altered", "The hash in the last line is not that of the last record.")
        self.ended = True

    def _find(self, fault: str, sentence: str, version: int | None = None) -> None:
        self.findings.append(Finding(fault, sentence, version))

    def _follow(self, line: Line) -> Iterator[Finding]:
        """Check the chain: versions without a gap, each hash from the previous one and the document's digest."""
        version, before, found = line.version, self.version, bytes.fromhex(line.hash)
        follows = link_digest(self.hash, bytes.fromhex(line.sha256))
        self.version, self.hash, self.count = version, found, self.count + 1
        self.missing.discard(line.hash)
        if version in self.hashes:
            self.hashes[version] = line.hash
        if version > before + 1:
            which = f"Record {before + 1} is" if version == before + 2 else f"Records {before + 1} to {version - 1} are"
            yield Finding("missing", f"{which} missing.", version)
        elif version <= before:
            yield Finding("added", f"Record {version} comes after record {before}.", version)
        elif follows != found:
            yield Finding(
                "altered", f"The hash of record {version} does not follow from the record before it.", version
            )
        if line.document is not None and digest(_bytes(line.document)).hex() != line.sha256:
            yield Finding("altered", f"The document of record {version} does not match its digest.", version)

    def _pass_on(self, line: Line) -> None:
        """Pass the record on to the course of the rounds, as far as it is public."""
        if line.document is None:
            self.unseen += 1
            event = line.event or {"type": line.type}
            told = LineContent(line.version, self.hash, str(event.get("type")), event)
        else:
            try:
                document = decode(_bytes(line.document))
            except (UnknownFormat, RecursionError):
                self._find("altered", f"The document of record {line.version} cannot be read.", line.version)
                return
            told = LineContent(line.version, self.hash, kind(document.event), {}, document.event, document.at)
        self.findings.extend(self.course.go_on(told))

    def verdict(self) -> Verdict:
        """Return everything verified and found."""
        if not self.ended:
            self._find("missing", "The record ends without its last line: some of it is missing.")
        self.findings.extend(self.course.ended())
        for mark in sorted(self.missing):
            say = (
                f"The hash {mark} was noted earlier and is not in this record: its history differs, or it ends before."
            )
            self._find("altered", say)
        held = held_against(self.receipts, lambda _, at: self.hashes.get(at), lambda _: self.version, self.key)
        self.findings.extend(Finding("receipt", wrong.sentence, wrong.receipt.version) for wrong in held)
        course, header = self.course, self.header
        return Verdict(
            table=self.table,
            book=course.book,
            faces=header.faces,
            throw=header.throw,
            runs_by_itself=course.runs_by_itself,
            records=self.count,
            unseen=self.unseen,
            head=self.hash.hex(),
            rounds=course.rounds,
            drawn=course.drawn,
            cancelled=course.cancelled,
            under_way=course.under_way,
            throws=tuple(course.throws),
            findings=tuple(self.findings),
            older=course.older,
            numbers=course.numbers.numbers(),
            early=course.early,
            receipts=len(self.receipts),
        )


def _bytes(document: str) -> bytes:
    return document.encode("utf-8", "surrogatepass")
