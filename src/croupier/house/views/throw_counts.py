"""How often each result fell at a table, and the longest turns of its shooters. From events alone, and incremental."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

import msgspec

from croupier.contract.replies import FellColumn, Hand, Hands, ThrowCounts
from croupier.felt.past_results import Place, Result, is_another, passes, result_of
from croupier.house.stored_events import Entry, read
from croupier.house.views.visibility import Viewer
from croupier.rules.book import Book
from croupier.rules.game import Terms
from croupier.rules.outcomes import Faces
from croupier.rules.shelf import Shelf
from croupier.store.contract import Reading
from croupier.table import events

PIECE = 1_000  # events read together
MOST_AT_ONCE = 20_000  # events counted for one request; the next request goes on
SPANS = (48, 200)  # throws
MOST_SHOOTERS = 1_000  # whose longest turn is kept


class Turn(msgspec.Struct):
    """A turn of a shooter under way or over: `rolls` that did not pass the dice on."""

    by: str | None
    at: str
    version: int
    rolls: int = 0
    is_over: bool = False


class ThrowCount:
    """The count of one table, up to an event.

    A turn is entered among the longest only when the next one begins: until then its last result may be corrected.
    """

    def __init__(self, shelf: Shelf) -> None:
        self.version = 0
        self._shelf = shelf
        self._terms: Terms | None = None
        self._fell: Counter[Faces] = Counter()
        self._lately: deque[Faces] = deque(maxlen=max(SPANS) + 1)  # one more, as the latest may be taken back
        self._phases: dict[str, str] = {}
        self._latest: Result | None = None  # while it may still be taken back
        self._before: Result | None = None  # the result before that one
        self._turn: Turn | None = None
        self._longest: Turn | None = None
        self._own: dict[str, Turn] = {}

    def go_on(self, store: Reading, stream: str, end: int) -> None:
        """Count the events up to a version, at most MOST_AT_ONCE of them. Raises StoreError, UnknownFormat."""
        end = min(end, self.version + MOST_AT_ONCE)
        while self.version < end:
            self.take_in([read(record) for record in store.read(stream, self.version, min(PIECE, end - self.version))])

    def take_in(self, entries: Iterable[Entry]) -> None:
        """Count these events, which follow those counted."""
        for entry in entries:
            self._enter(entry)
            self.version = entry.version

    def _enter(self, entry: Entry) -> None:
        match entry.document.event:
            case events.TableOpened() as opened:
                self._terms, self._phases = opened.terms, dict(opened.phases)
            case events.RulesAdopted() as adopted:
                self._terms = adopted.terms
            case events.PhaseMoved() as moved:
                self._phases = {**self._phases, moved.phase: moved.now}
            case events.Thrown() as thrown:
                self._throw(entry, result_of(thrown, self._phases, place=Place(version=entry.version)))
            case events.ResultTakenBack():
                self._take_back()

    def _throw(self, entry: Entry, result: Result) -> None:
        self._fell[_alike(result.faces)] += 1
        self._lately.append(_alike(result.faces))
        turn = self._turn
        if turn is None or turn.is_over or (self._latest is not None and is_another(self._latest, result)):
            self._book()
            turn = self._turn = Turn(result.by, entry.document.at, entry.version)
        turn.is_over = passes(self._book_of_rules(), result)
        turn.rolls += not turn.is_over
        self._before, self._latest = self._latest, result

    def _take_back(self) -> None:
        result, turn = self._latest, self._turn
        if result is None or turn is None:
            return
        self._fell[_alike(result.faces)] -= 1
        self._lately.pop()
        turn.rolls -= not turn.is_over
        turn.is_over = False
        self._phases = result.phases
        if turn.version == result.version:
            self._turn = None
        self._latest, self._before = self._before, None

    def _book(self) -> None:
        """Enter the turn that is over among the longest."""
        turn = self._turn
        if turn is None:
            return
        self._longest = _longer(self._longest, turn)
        if turn.by is not None:
            self._own[turn.by] = _longer(self._own.pop(turn.by, None), turn)
            if len(self._own) > MOST_SHOOTERS:
                del self._own[next(iter(self._own))]

    def _book_of_rules(self) -> Book:
        assert self._terms is not None, "a table is opened before its first throw"
        return self._shelf.game(self._terms).book

    # What is shown

    def shown(self, version: int, look: Viewer) -> ThrowCounts:
        """Return the counts for a viewer, at a table that has come to this version."""
        book, lately = self._book_of_rules(), list(self._lately)
        spans = [Counter(lately[-span:]) for span in SPANS] + [self._fell]
        totals = [_by_column(book, fell) for fell in spans]
        columns = [FellColumn(name, [fell[name] for fell in totals]) for name in _columns(book)]
        throws = [fell.total() for fell in totals]
        return ThrowCounts(
            counted=self.version,
            version=version,
            spans=[*SPANS, None],
            throws=throws,
            columns=columns,
            hands=self._hands(book, look),
        )

    def _hands(self, book: Book, look: Viewer) -> Hands | None:
        rule = None if book.rules.thrower is None else book.rules.thrower.passes
        if rule is None:
            return None
        now, own = self._turn, None
        if look.person is not None:
            own = self._own.get(look.person)
            own = _longer(own, now) if now is not None and now.by == look.person else own
        longest = self._longest if now is None else _longer(self._longest, now)
        return Hands(until=rule.on, clause=rule.clause, longest=_shown(longest, look), own=_shown(own, look))


def _longer(one: Turn | None, other: Turn) -> Turn:
    """Return the longer of two turns; of equal ones the earlier."""
    return other if one is None or other.rolls > one.rolls else one


def _shown(turn: Turn | None, look: Viewer) -> Hand | None:
    if turn is None or turn.rolls == 0:
        return None
    own = turn.by is not None and turn.by == look.person
    return Hand(rolls=turn.rolls, at=turn.at, version=turn.version, own=own)


# Columns: the totals of dice, the named results of coins


def _alike(faces: Faces) -> Faces:
    """Return the same faces for throws that differ only in which die shows which."""
    return tuple(sorted(faces, key=str))


def _columns(book: Book) -> list[str]:
    return list(dict.fromkeys(_column(book, faces) for faces in sorted(book.outcomes.all, key=_total)))


def _by_column(book: Book, fell: Counter[Faces]) -> Counter[str]:
    totals: Counter[str] = Counter()
    for faces, count in fell.items():
        totals[_column(book, faces)] += count
    return totals


def _column(book: Book, faces: Faces) -> str:
    if all(isinstance(face, int) for face in faces):
        return str(_total(faces))
    return next(iter(book.outcomes.names(faces)), " ".join(map(str, faces)))


def _total(faces: Faces) -> int:
    return sum(face for face in faces if isinstance(face, int))
