"""Follow streams, answers, refusals and checkpoints from the beginning to find the first fault in each."""

from __future__ import annotations

from typing import NamedTuple

from croupier.store.checkpoints import FORMAT, NONE_BEFORE, STREAM, Chained, Checkpoint, read_checkpoint
from croupier.store.contract import BESIDE, BesideKind, Fault, Kind
from croupier.store.keys import PublicKey
from croupier.store.records import Head, anchor, beside_anchor, link_digest


class CheckpointMark(NamedTuple):
    """A checkpoint's entry for a stream, or for the answers or refusals."""

    version: int
    hash: bytes
    number: int


class StreamFollower:
    """Follows one stream, event by event, and remembers the first fault."""

    def __init__(self, stream: str, marks: list[CheckpointMark]) -> None:
        """`marks` are the stream's entries in the checkpoints."""
        self.stream = stream
        self.fault: Fault | None = None
        self.count = 0
        self.sealed = 0  # events up to here match a checkpoint
        self._marks = iter(sorted(marks))
        self._mark = next(self._marks, None)
        self._last = anchor(stream)
        self._before: bytes | None = None
        self._suspected: Fault | None = None

    def follow(self, version: object, digest: bytes | None, mark: object) -> None:
        """Check the next event; without a digest its document is unreadable."""
        expected = self.count + 1
        self.count = expected
        if self.fault is not None:
            return
        if not isinstance(version, int) or version < expected:
            self._wrong("added", expected, f"event {version} of {self.stream} appears more than once.")
        elif version > expected:
            self._wrong("missing", expected, f"{self._events(expected, version - 1)} missing.")
        elif digest is None or not isinstance(mark, bytes):
            self._wrong("altered", version, f"event {version} of {self.stream} cannot be read.")
        elif self._suspected is not None or link_digest(self._last, digest) != mark:
            self._explain(version, digest, mark)
        else:
            self._before, self._last = self._last, mark
            self._compare(version, mark)

    def _explain(self, version: int, digest: bytes, mark: bytes) -> None:
        """Explain an event that breaks the chain, or one after an event that differs from a checkpoint."""
        if self._before is not None and link_digest(self._before, digest) == mark:
            say = f"event {version - 1} of {self.stream} was inserted"
            self._wrong("added", version - 1, f"{say}: event {version} continues from the event before it.")
        elif self._suspected is not None:
            self.fault = self._suspected
        else:
            say = f"event {version} of {self.stream} was altered or moved: its hash does not match."
            self._wrong("altered", version, say)

    def _compare(self, version: int, mark: bytes) -> None:
        """Compare with the checkpoints. If they differ, the next event may still show why."""
        while self._mark is not None and self._mark.version == version:
            if self._mark.hash != mark:
                first = self.sealed + 1
                which = f"event {version}" if first == version else f"one of the events {first} to {version}"
                say = f"checkpoint {self._mark.number} was signed for different events"
                self._suspected = self._made("altered", first, f"{which} of {self.stream} was altered: {say}.")
                return
            self.sealed = version
            self._mark = next(self._marks, None)

    def finish(self, head: Head | None) -> Fault | None:
        """Return the first fault, after all events; `head` is the stored or stated end of the stream."""
        if self.fault is None:
            self.fault = self._suspected
        if head is not None:
            self._expect(head)
        if self._mark is not None and (self.fault is None or self.count == 0):
            last = max([self._mark, *self._marks])
            lost = f"{self._events(self.count + 1, last.version)} missing"
            if self.count == 0:
                lost = f"the stream {self.stream} is missing, with {_many(last.version)}"
            self._wrong("missing", self.count + 1, f"{lost}, as checkpoint {last.number} shows.")
        return self.fault

    def _expect(self, head: Head) -> None:
        """Check that the events end at the head."""
        if self.fault is not None:
            if self.fault.kind == "altered" and self.count < head.version:
                # An event was removed and the later ones were renumbered: the one that breaks the chain came after it.
                version = self.fault.version or 1
                say = f"event {version} of {self.stream} is missing or was altered."
                self._wrong("missing", version, say)
        elif self.count < head.version:
            self._wrong("missing", self.count + 1, f"{self._events(self.count + 1, head.version)} missing.")
        elif self.count > head.version:
            self._wrong("added", head.version + 1, f"{self._events(head.version + 1, self.count)} extra.")
        elif head.hash != self._last:
            say = f"the head of {self.stream} does not match event {self.count}, its last one."
            self._wrong("altered", self.count, say)

    def _events(self, first: int, last: int) -> str:
        if first == last:
            return f"event {first} of {self.stream} is"
        return f"events {first} to {last} of {self.stream} are"

    def _wrong(self, kind: Kind, version: int, sentence: str) -> None:
        self.fault = self._made(kind, version, sentence)

    def _made(self, kind: Kind, version: int, sentence: str) -> Fault:
        return Fault(kind, f"{sentence[0].upper()}{sentence[1:]}", self.stream, version)


def _many(count: int) -> str:
    return "its one event" if count == 1 else f"all of its {count} events"


class BesideFollower:
    """Follows the answers or refusals of a store in order of their numbers, up to the first fault."""

    def __init__(self, kind: BesideKind, marks: list[CheckpointMark]) -> None:
        """`marks` are the checkpoints' entries for them, in order."""
        self.fault: Fault | None = None
        self.unsealed = 0  # after the last mark
        self.is_empty = True
        self._kind = kind
        self._marks = marks
        self._place = 0
        self._last = beside_anchor(kind)
        self._sealed = 0

    def follow(self, number: int, digest: bytes) -> None:
        """Check the next one."""
        self.is_empty = False
        self._compare(number)
        self._last = link_digest(self._last, digest)
        self.unsealed += self._place == len(self._marks)

    def _compare(self, number: int | None) -> None:
        """Compare all marks below this number; without a number, all that remain."""
        while self._place < len(self._marks) and (number is None or self._marks[self._place].version < number):
            mark = self._marks[self._place]
            if mark.hash != self._last and self.fault is None:
                one = f"One of the {self._kind} {self._sealed + 1} to {mark.version}"
                say = f"{one} was altered, removed or inserted: checkpoint {mark.number} was signed for different ones."
                self.fault = Fault("altered", say)
            self._sealed = mark.version
            self._place += 1

    def finish(self) -> Fault | None:
        """Return the first fault, after the last one."""
        self._compare(None)
        return self.fault


class CheckpointFollower:
    """Follows the checkpoints of a house; each must continue the previous one."""

    def __init__(self, key: PublicKey | None) -> None:
        """`key` is the house's, if known; otherwise all must be signed with the same key."""
        self.faults: list[Fault] = []
        self.count = 0
        self.marks: dict[str, list[CheckpointMark]] = {}
        self.key = None if key is None else key.hex
        self._house: str | None = None
        self._number = 0
        self._previous: str | None = NONE_BEFORE  # None if the previous one cannot be read
        self.beside: dict[BesideKind, list[CheckpointMark]] = {kind: [] for kind in BESIDE}
        self.since: dict[BesideKind, int] = dict.fromkeys(BESIDE, 1)  # the checkpoint at which the chain starts
        self.format: int | None = None  # of the last one
        self._known: dict[str, Head] = {}
        self._digests: dict[int, str] = {}

    def follow(self, document: bytes) -> None:
        """Check the next one."""
        self.count += 1
        number, previous = self._number + 1, self._previous
        self._number, self._previous = number, None
        try:
            found = read_checkpoint(document)
        except ValueError as error:
            self._wrong(f"Checkpoint {number} {error}.", number)
            return
        self._number, self._previous = found.statement.number, found.digest
        if self._is_ours(found, number):
            self._compare_with_last(found, number, previous)
            self._take(found)

    def _is_ours(self, found: Checkpoint, number: int) -> bool:
        """Return whether the house signed it; if not, its contents count for nothing."""
        key = found.statement.key
        self.key = key if self.key is None else self.key
        if not found.has_good_signature():
            self._wrong(f"Checkpoint {number} is not what was signed: its signature is invalid.", number)
            return False
        if key != self.key:
            self._wrong(f"Checkpoint {number} is signed with a key other than the house's: {key}.", number)
            return False
        return True

    def _compare_with_last(self, found: Checkpoint, number: int, previous: str | None) -> None:
        statement = found.statement
        self._house = statement.house if self._house is None else self._house
        if statement.number != number:
            self._wrong(f"Checkpoint {number} is missing: number {statement.number} is in its place.", number)
        elif previous is not None and statement.previous != previous:
            self._wrong(f"Checkpoint {number} does not follow the one before it.", number)
        if statement.house != self._house:
            self._wrong(f"Checkpoint {number} belongs to another house: {statement.house}.", number)

    def _take(self, found: Checkpoint) -> None:
        number = found.statement.number
        named = {head.stream: head for head in found.heads}
        for stream, head in self._known.items() if found.statement.whole else ():
            if stream not in named:
                self._wrong(f"Checkpoint {number} omits {stream}, which was at event {head.version}.", number)
        for stream, head in named.items():
            known = self._known.get(stream)
            if known is not None and head.version < known.version:
                self._wrong(f"Checkpoint {number} removes events of {stream} that an earlier one includes.", number)
            self.marks.setdefault(stream, []).append(CheckpointMark(head.version, head.hash, number))
        self._known.update(named)
        self._digests[number] = found.digest
        if self.format == FORMAT and found.statement.format != FORMAT:
            self._wrong(f"Checkpoint {number} has an older format than the one before it.", number)
        self.format = found.statement.format
        for kind in BESIDE:
            chained = found.statement.chained(kind)
            if chained is not None:
                self._take_beside(kind, chained, number)

    def _take_beside(self, kind: BesideKind, chained: Chained, number: int) -> None:
        marks = self.beside[kind]
        if chained.since == number != self.since[kind]:  # the chain starts here, or starts over
            marks.clear()
            self.since[kind] = number
        if chained.since != self.since[kind] or (marks and chained.number < marks[-1].version):
            self._wrong(f"Checkpoint {number} removes {kind} that an earlier one includes.", number)
            return
        try:
            marks.append(CheckpointMark(chained.number, bytes.fromhex(chained.hash), number))
        except ValueError:
            self._wrong(f"Checkpoint {number} has no hash of the {kind}.", number)

    @property
    def signer(self) -> PublicKey | None:
        """The key that signed the checkpoints, if known."""
        try:
            raw = bytes.fromhex(self.key or "")
        except ValueError:
            return None
        return PublicKey(raw) if len(raw) == 32 else None

    def compare(self, kept: Checkpoint) -> None:
        """Check that a checkpoint kept by a third party is among them, unchanged."""
        number = kept.statement.number
        if not kept.has_good_signature() or (self.key is not None and kept.statement.key != self.key):
            self._wrong(f"The checkpoint that was kept, number {number}, is not signed with the house's key.", number)
        elif number not in self._digests:
            self._wrong(f"Checkpoint {number}, which was kept, is missing, and so is everything after it.", number)
        elif self._digests[number] != kept.digest:
            self._wrong(f"Checkpoint {number} is not the one that was kept.", number)

    def _wrong(self, sentence: str, number: int) -> None:
        self.faults.append(Fault("checkpoint", sentence, STREAM, number))
