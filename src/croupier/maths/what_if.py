"""What-if comparison: two columns of figures, wager by wager, and the change from one to the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Literal, NamedTuple

import msgspec

from croupier.maths.chain import NeverDecided
from croupier.maths.figures import Figures, Lives, studied, taken_instead, valued
from croupier.maths.plan import Staked, check_stake
from croupier.maths.rows import ways_to_begin
from croupier.rules import schema
from croupier.rules.book import Book, find_wager
from croupier.rules.errors import Impossible, RuleBookError
from croupier.rules.game import Terms
from croupier.rules.machine import Pick
from croupier.rules.shelf import Shelf

ANY = "any"
NO_STAKES: Mapping[str, Staked] = {}


class Start(NamedTuple):
    """A way to make a wager: its pick, the state it begins in, and the pick shown."""

    pick: Pick
    state: str
    shown: Pick


class WagerFigures(NamedTuple):
    """A wager in one column. `situation` is when a rival reading that no machine plays matters."""

    pick: Pick
    start: str
    situation: str | None
    figures: Figures


class Comparison(msgspec.Struct, frozen=True):
    """A wager and pick in both columns. A column is empty if its book has no such wager."""

    wager: str
    name: str
    clause: str
    pick: Pick
    start: str
    situation: str | None
    before: Figures | None
    after: Figures | None

    @property
    def change(self) -> Fraction | None:
        """The increase in the house edge."""
        return None if self.before is None or self.after is None else self.after.edge - self.before.edge

    @property
    def is_changed(self) -> bool:
        """Whether the possible results, their probabilities or the expected length differ."""
        if self.before is None or self.after is None:
            return True
        return (self.before.results, self.before.rolls) != (self.after.results, self.after.rolls)


class ComparedBook:
    """A book under one pay table. Wagers without a stake are staked so that nothing is rounded (X-2)."""

    def __init__(self, shelf: Shelf, terms: Terms, stakes: Mapping[str, Staked] = NO_STAKES) -> None:
        self.game = shelf.game(terms)
        self.book = self.game.book
        self.stakes = stakes
        self.lives = Lives(self.game)

    def entries(self, wager_id: str) -> Iterator[WagerFigures]:
        """A wager as played, pick by pick; nothing if the book does not have it."""
        wager = self.book.wagers.get(wager_id)
        for pick, state, shown in self.starts(wager) if wager else ():
            figures = valued(self.lives, wager_id, pick, state, self.stakes.get(wager_id))
            yield WagerFigures(shown, state, None, figures)

    def starts(self, wager: schema.Wager, patterns: tuple[str, ...] = ()) -> Iterator[Start]:
        """Every way to make a wager; `patterns` name states that money joins instead."""
        try:
            for pick in self.book.picks(wager):
                for state, shown in ways_to_begin(self.lives, wager, pick, patterns):
                    yield Start(pick, state, shown)
        except NeverDecided:
            raise RuleBookError(self.book.file, f"wager {wager.id}", "is never decided") from None

    def studied(self, wager_id: str, reading: str, side: Literal["taken", "rival"]) -> Iterator[WagerFigures]:
        """A wager under a rival reading that no machine plays, or under the reading taken in the same situations."""
        wager = self.book.wagers.get(wager_id)
        for study in self.book.studies:
            if wager is None or study.reading != reading or study.over or not study.concerns(wager):
                continue
            for pick, state, shown in self.starts(wager, tuple(study.starts)):
                try:
                    rival = studied(self.lives, study, wager_id, pick, state)
                except NeverDecided:
                    say = f'Under "{reading}", {wager.name} is never decided, so there is nothing to compare.'
                    raise Impossible("never_decided", say, wager.clause) from None
                if rival is not None:
                    taken = taken_instead(self.lives, study, wager_id, pick, state)
                    yield WagerFigures(shown, state, study.situation, rival if side == "rival" else taken)


def compare_columns(before: ComparedBook, after: ComparedBook, reading: str | None = None) -> list[Comparison]:
    """Compare both columns, the largest change of edge first, then wagers that one book lacks.

    `reading` is a rival that is only studied: the wagers it concerns are compared in its situations.
    """
    wagers = {**after.book.wagers, **before.book.wagers}
    lines: list[Comparison] = []
    for wager in wagers.values():
        pairs = [*pair([*before.entries(wager.id)], [*after.entries(wager.id)])]
        if reading is not None:
            taken, rival = before.studied(wager.id, reading, "taken"), after.studied(wager.id, reading, "rival")
            told = [*pair([*taken], [*rival])]
            picks = {entry.pick for both in told for entry in both if entry is not None}
            pairs = told + [both for both in pairs if not picks & {entry.pick for entry in both if entry is not None}]
        lines += [_line(wager, left, right) for left, right in pairs]
    return sorted(lines, key=_by_size)


def _by_size(line: Comparison) -> tuple[int, Fraction]:
    change = line.change
    return (1, Fraction(0)) if change is None else (0, -abs(change))


def _line(wager: schema.Wager, left: WagerFigures | None, right: WagerFigures | None) -> Comparison:
    shown = right or left
    assert shown is not None, "a line has a wager in one column at least"
    return Comparison(
        wager=wager.id,
        name=wager.name,
        clause=wager.clause,
        pick=shown.pick,
        start=shown.start,
        situation=shown.situation,
        before=left.figures if left else None,
        after=right.figures if right else None,
    )


def pair(
    lefts: list[WagerFigures], rights: list[WagerFigures]
) -> Iterator[tuple[WagerFigures | None, WagerFigures | None]]:
    """Pair the entries of the same pick.

    If the two columns share no pick, as in some readings of Super Streak, a column whose picks are all equal is paired
    with each pick of the other.
    """
    left, right = _by_pick(lefts), _by_pick(rights)
    if lefts and rights and not left.keys() & right.keys():
        if _alike(lefts):
            yield from ((lefts[0], entry) for entry in rights)
            return
        if _alike(rights):
            yield from ((entry, rights[0]._replace(pick=entry.pick, start=entry.start)) for entry in lefts)
            return
    for key in {**left, **right}:
        yield left.get(key), right.get(key)


def _by_pick(entries: list[WagerFigures]) -> dict[tuple[Pick, str | None, int], WagerFigures]:
    """Entries by pick and situation; repeated keys are numbered."""
    found: dict[tuple[Pick, str | None, int], WagerFigures] = {}
    for entry in entries:
        known = sum((entry.pick, entry.situation) == key[:2] for key in found)
        found[entry.pick, entry.situation, known] = entry
    return found


def _alike(entries: list[WagerFigures]) -> bool:
    return all(entry.figures == entries[0].figures for entry in entries)


class Merged(NamedTuple):
    """Lines of one wager with equal figures in both columns. `starts` tells apart lines with one pick and situation."""

    line: Comparison
    picks: tuple[Pick, ...]
    starts: tuple[str, ...]


def merged(lines: list[Comparison]) -> list[Merged]:
    """Merge lines with equal figures: Place Bet to Win 6, 8."""
    groups: dict[object, list[Comparison]] = {}
    for line in lines:
        groups.setdefault((line.wager, line.situation, line.before, line.after), []).append(line)
    known = Counter((line.wager, line.pick, line.situation) for line in lines)
    found: list[Merged] = []
    for group in groups.values():
        picks = dict.fromkeys(line.pick for line in group)
        starts = dict.fromkeys(line.start for line in group if known[line.wager, line.pick, line.situation] > 1)
        found.append(Merged(group[0], tuple(picks), tuple(starts)))
    return found


def unit_stakes(book: Book, units: Mapping[str, int], chip: int) -> dict[str, Staked]:
    """Turn minimum units on the sign, in chips, into stakes. Raises Impossible.

    `any` is the fewest chips on every wager.
    """
    stakes: dict[str, Staked] = {}
    if ANY in units:
        stakes = {wager.id: Staked(wager.fewest_chips * chip, chip) for wager in book.rules.wagers}
    for wager_id, chips in units.items():
        if wager_id == ANY:
            continue
        wager = find_wager(book, wager_id)
        limits = book.rules.limits
        if chips < 1:
            raise Impossible("unit_not_positive", "A minimum unit is at least one chip.", limits.unit or limits.chips)
        stakes[wager_id] = Staked(chips * chip, chip)
        check_stake(limits, wager, stakes[wager_id])
    return stakes
