"""The consequences of a result: wagers settled area by area, phases moved, betting reopened; and stakes returned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from operator import add

import msgspec

from croupier.money import winnings_of_many
from croupier.rules import offers, schema
from croupier.rules.book import holds
from croupier.rules.machine import Entry
from croupier.rules.schema import acts_on
from croupier.table import events
from croupier.table.checks_and_tokens import in_kind
from croupier.table.state import Area, Stakes, State, TableView
from croupier.table.under_way import bets_call


@acts_on("wager.rows")
def settle(view: TableView, outcome: int) -> list[events.AnyEvent]:
    """Settle every area, one look-up each: collect losers, pay winners, then move wagers that travel."""
    chip, kinds = view.state.settings.chip, view.state.has_kinds
    settled: list[events.AreaSettled] = []
    moves: list[events.AreaMoved] = []
    for area, stakes in view.state.layout.items():
        game = view.games[area.terms]
        entry = game.machine(area.wager, area.pick).table[area.state][outcome]
        wager = game.book.wagers[area.wager]
        if entry.then == "stay" and wager.stands_alone:
            continue
        awake, asleep = by_sleep(view, wager, stakes)
        if awake and entry.decides:
            decided = _settled(area, entry, awake, chip)
            settled.append(in_kind(view.state, decided, entry.share) if kinds else decided)
        elif awake and entry.then == "go":
            moves.append(_moved(area, entry, awake))
        if asleep and not wager.stands_alone:
            settled.extend(_returned_asleep(view, area, wager, asleep, outcome))
    settled.sort(key=_collected_first)
    return [*settled, *moves]


def _collected_first(event: events.AreaSettled) -> int:
    return ("lose", "void", "win").index(event.result)


def by_sleep(view: TableView, wager: schema.Wager, stakes: Stakes) -> tuple[Stakes, Stakes]:
    """Split the stakes into those that act on this throw and those that sleep."""
    if not wager.can_be_called:
        return stakes, {}
    phase_sleeps = offers.sleeps_now(wager, view.state.phases)
    asleep = {p: s for p, s in stakes.items() if (phase_sleeps if s.called is None else not s.called)}
    if not asleep:
        return stakes, asleep
    return {player: stake for player, stake in stakes.items() if player not in asleep}, asleep


def _settled(area: Area, entry: Entry, stakes: Stakes, chip: int) -> events.AreaSettled:
    amounts = [stake.amount for stake in stakes.values()]
    nothing = repeat(0)
    if entry.then == "win":
        paid = winnings_of_many(amounts, entry.odds, chip)
        rows = zip(stakes, amounts, paid, map(add, amounts, paid), strict=True)
        return events.AreaSettled(*area, "win", entry.clause, tuple(rows))
    if entry.then == "lose":
        return events.AreaSettled(
            *area, "lose", entry.clause, tuple(zip(stakes, amounts, nothing, nothing, strict=False))
        )
    return events.AreaSettled(*area, "void", entry.clause, returned_stakes(stakes))


def settled_as_reached(view: TableView, area: Area, stakes: Stakes, clause: str) -> events.AreaSettled:
    """Settle wagers ended before their decision, at the least they can still be decided at."""
    entries = [e for e in view.game_of(area).machine(area.wager, area.pick).table[area.state] if e.decides]
    if not entries:
        return given_back(view.state, area, clause, stakes)
    least = min(entries, key=lambda entry: (entry.then == "win", entry.odds))
    ended = _settled(area, msgspec.structs.replace(least, clause=clause), stakes, view.state.settings.chip)
    return in_kind(view.state, ended, least.share) if view.state.has_kinds else ended


def given_back(state: State, area: Area, clause: str, stakes: Stakes) -> events.AreaSettled:
    """Return the event of stakes that go back whole, with commission, tokens as tokens and checks as checks."""
    returned = events.AreaSettled(*area, "void", clause, returned_stakes(stakes))
    return in_kind(state, returned) if state.has_kinds else returned


def returned_stakes(stakes: Stakes) -> tuple[events.SettledStake, ...]:
    """Return the rows of stakes that go back whole, as if they were all chips."""
    return tuple((player, stake.amount, 0, stake.amount + stake.commission) for player, stake in stakes.items())


def _moved(area: Area, entry: Entry, stakes: Stakes) -> events.AreaMoved:
    return events.AreaMoved(*area, entry.next, entry.clause, tuple(stakes))


def _returned_asleep(
    view: TableView, area: Area, wager: schema.Wager, asleep: Stakes, outcome: int
) -> Iterator[events.AreaSettled]:
    """Give back a Behind wager that sleeps while its flat wager is decided (reading CR-9)."""
    by_clause: dict[str, Stakes] = {}
    for flat in view.flat_areas(wager, area.state):
        if not view.game_of(flat).machine(flat.wager, flat.pick).table[flat.state][outcome].decides:
            continue
        with_flat = view.state.layout[flat]
        for player, stake in asleep.items():
            if player in with_flat:
                by_clause.setdefault(view.asleep(wager, stake) or wager.clause, {})[player] = stake
    for clause, returned in by_clause.items():
        yield given_back(view.state, area, clause, returned)


@acts_on("rules.phases")
def move_phases(view: TableView, outcome: int) -> Iterator[events.PhaseMoved]:
    """Move the phases of the table by the outcome: the puck, a run."""
    for phase, machine in view.game.book.phase_machines.items():
        before = view.state.phases[phase]
        entry = machine.table[before][outcome]
        if entry.then == "go":
            yield events.PhaseMoved(phase, before, entry.next, entry.clause)


def reopen(view: TableView, happened: Sequence[events.AnyEvent]) -> Iterator[events.BetsOpened]:
    """Reopen the bets, if the book closes them and nothing is pending."""
    betting = view.game.book.rules.betting
    if betting is None:
        return
    phases = dict(view.state.phases)
    phases.update({event.phase: event.now for event in happened if isinstance(event, events.PhaseMoved)})
    if betting.reopens is None or holds(betting.reopens, phases[betting.reopens.phase]):
        yield events.BetsOpened(bets_call(view.game.book, view.state.settings), betting.reopens_clause)
