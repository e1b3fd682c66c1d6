"""Replies to lines: what happened or why not, and the table afterwards."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from croupier.contract.lines import ExposureReport, LineDone, LineRefused, OpenCase, TableStatus, WorstOutcome
from croupier.money import format_cents
from croupier.rules.shelf import Shelf
from croupier.table import events
from croupier.table.event_views import event_rows, phase_values, plain, printable_facts, standing_wagers
from croupier.table.exposure import Exposure, sign_exposure, standing_exposure
from croupier.table.refusals import Refusal
from croupier.table.state import State, TableView

_TOO_LONG = ("rules document",)  # facts shown only on request


def reply_done(shelf: Shelf, state: State, happened: tuple[events.AnyEvent, ...]) -> LineDone:
    """Return the reply to a command, from the table after it and the events."""
    view = TableView(shelf, state)
    rows = [row for event in happened for row in event_rows(view, event)]
    return LineDone(ok=True, events=rows, table=table_status(shelf, state, view))


def reply_refused(shelf: Shelf, state: State, refusal: Refusal) -> LineRefused:
    """Return the reply to a line that is refused."""
    status = table_status(shelf, state)
    return LineRefused(ok=False, code=refusal.code, clause=refusal.clause, message=refusal.message, table=status)


def reply_exposure(shelf: Shelf, state: State, asked: int | None) -> LineDone:
    """Return what the house can lose on the next throw, with so many seats."""
    seats = asked or state.settings.seats or max(1, len(state.seats))
    standing, sign = _worst(standing_exposure(shelf, state)), _worst(sign_exposure(shelf, state, seats))
    report = ExposureReport(seats=seats, standing=standing, sign=sign)
    return LineDone(ok=True, events=[], exposure=report, table=table_status(shelf, state))


def _worst(exposure: Exposure) -> WorstOutcome:
    loss = None if exposure.cents is None else format_cents(exposure.cents)
    return WorstOutcome(loss=loss, on=list(exposure.faces))


def reply_cases(shelf: Shelf, state: State) -> LineDone:
    """Return the open cases: whose, since when, about what, what comes next."""
    from croupier.table.conduct.disputes import open_cases  # imported late: a program without cases never loads conduct

    conduct = TableView(shelf, state).game.book.conduct
    cases = [
        OpenCase(**{**msgspec.structs.asdict(case), "due": format_cents(case.due), "next": list(case.next)})
        for case in open_cases(conduct, state.facts)
    ]
    return LineDone(ok=True, events=[], cases=cases, table=table_status(shelf, state))


def table_status(shelf: Shelf, state: State, view: TableView | None = None) -> TableStatus:
    """Return the state of the table: chips in hand, wagers, phases, whether bets are open, facts."""
    chips = {player: format_cents(cents) for player, cents in state.chips.items()}
    if not state.is_open:
        return TableStatus(chips=chips, wagers=[])
    view = view or TableView(shelf, state)
    closes = view.game.book.rules.betting is not None
    checks = {player: _amounts(held) for player, held in state.checks.items()} if state.checks else {}
    return TableStatus(
        chips=chips,
        wagers=standing_wagers(view),
        phases=phase_values(view),
        bets=("open" if state.bets_open else "closed") if closes else None,
        tokens=_amounts(state.tokens),
        kept=_amounts(state.kept),
        owing=_amounts(state.owing),
        checks={player: held for player, held in checks.items() if held},
        facts=printable_facts({name: value for name, value in state.facts.items() if name not in _TOO_LONG}),
    )


def _amounts(holdings: Mapping[str, int]) -> dict[str, str]:
    """Return amounts by player or colour, without those of nothing."""
    return {name: format_cents(cents) for name, cents in holdings.items() if cents}


def tell_table(shelf: Shelf, state: State) -> dict[str, object]:
    """Return the state of the table as a dict. The house still works with dicts; once it uses the struct, this goes."""
    return plain(table_status(shelf, state))
