"""Replies in plain values: events, refusals, and the state of the table."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from croupier.money import format_cents
from croupier.rules.shelf import Shelf
from croupier.table import events
from croupier.table.event_views import Told, tell, tell_facts, tell_phases, tell_wagers
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.table.view import TableView

_TOO_LONG = ("rules document",)  # facts shown only on request


def tell_refusal(refusal: Refusal) -> Told:
    """Return a refusal in plain values."""
    return {"ok": False, "code": refusal.code, "clause": refusal.clause, "message": refusal.message}


def tell_events(view: TableView, happened: Iterable[events.AnyEvent]) -> list[Told]:
    """Return events in plain values, in order."""
    return [row for event in happened for row in tell(view, event)]


def tell_table(shelf: Shelf, state: State, view: TableView | None = None) -> Told:
    """Return the state of the table: chips in hand, wagers, phases, whether bets are open, facts."""
    chips = {player: format_cents(cents) for player, cents in state.chips.items()}
    if not state.is_open:
        return {"chips": chips, "wagers": []}
    view = view or TableView(shelf, state)
    table: Told = {"chips": chips, "wagers": tell_wagers(view), **tell_phases(view)}
    if view.game.book.rules.betting is not None:
        table["bets"] = "open" if state.bets_open else "closed"
    return table | _remembered(state)


def tell_cases(shelf: Shelf, state: State) -> list[Told]:
    """Return the open cases: whose, since when, about what, what comes next."""
    from croupier.table.conduct.disputes import open_cases  # imported late: a program without cases never loads conduct

    conduct = TableView(shelf, state).game.book.conduct
    return [
        {**msgspec.structs.asdict(case), "due": format_cents(case.due), "next": list(case.next)}
        for case in open_cases(conduct, state.facts)
    ]


def _remembered(state: State) -> Told:
    """Return tokens and checks in hand, chips kept, debts, and the facts of the conduct, if any."""
    told: Told = {}
    for name, holding in (("tokens", state.tokens), ("kept", state.kept), ("owing", state.owing)):
        if any(holding.values()):
            told[name] = {player: format_cents(cents) for player, cents in holding.items() if cents}
    checks = {
        player: {colour: format_cents(cents) for colour, cents in held.items() if cents}
        for player, held in state.checks.items()
        if any(held.values())
    }
    if checks:
        told["checks"] = checks
    facts = {name: value for name, value in state.facts.items() if name not in _TOO_LONG}
    return told | {"facts": tell_facts(facts)} if facts else told
