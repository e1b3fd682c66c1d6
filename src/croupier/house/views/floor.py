"""The floor for supervisors: every table at a glance, signs with their deadlines, alerts, and open cases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import msgspec

from croupier.contract import management
from croupier.contract.lines import OpenCase
from croupier.contract.management import Alerts, Answered, DayFigures, FloorTable, Glance
from croupier.contract.replies import Case, NextAct
from croupier.house.alerts import Alert, is_due, show_sign, signs_up
from croupier.house.duties import duties_of_promotion, duties_of_table, waiting_duties
from croupier.house.names import ROLES, titles
from croupier.house.promotion_state import PromotionState
from croupier.house.reporting.reports import Report
from croupier.house.stored_events import moment, stamp
from croupier.house.table_state import TableState
from croupier.house.views.visibility import Viewer, show_round
from croupier.money import format_cents
from croupier.rules.book import Book
from croupier.rules.conduct import Act, filled
from croupier.rules.shelf import Shelf
from croupier.table.conduct.acts import clause_now
from croupier.table.conduct.disputes import open_cases
from croupier.table.conduct.scene import Scene
from croupier.table.event_views import own_sign, selection_limits, stake_limits

MOST_ANSWERED = 50


def figures_of(day: str, report: Report | None) -> DayFigures:
    """Return the figures of a day; all zero for a table where nothing has happened yet."""
    if report is None:
        none = format_cents(0)
        return DayFigures(
            day=day,
            turnover=none,
            drop=none,
            win=none,
            throws=0,
            expected=0.0,
            standing=0.0,
            low=0.0,
            high=0.0,
            rough=True,
        )
    expected = report.expected
    return DayFigures(
        day=day,
        turnover=format_cents(report.turnover),
        drop=format_cents(report.drop),
        win=format_cents(report.win),
        throws=report.throws,
        expected=float(expected.win / 100),
        standing=float(expected.standing / 100),
        low=expected.low / 100,
        high=expected.high / 100,
        rough=expected.is_rough,
    )


def show_floor_table(shelf: Shelf, state: TableState, version: int, now: datetime, glance: Glance | None) -> FloorTable:
    """Return one table at a glance."""
    game, book = state.game, shelf.game(state.game.terms[-1]).book
    told = game.facts.get("table")
    return FloorTable(
        table=state.name,
        title=state.title,
        book=book.id,
        zone=book.rules.book.timezone,
        version=version,
        by_itself=state.rhythm is not None,
        state="closing" if told == "closing" else "closed" if told == "closed" else "open",
        bets="open" if _takes_bets(state, book.rules.betting is not None) else "closed",
        round=show_round(state),
        staff=dict(state.staff),
        players=list(game.chips),
        kept={player: format_cents(cents) for player, cents in game.kept.items() if cents},
        owing={player: format_cents(cents) for player, cents in game.owing.items()},
        seats=game.settings.seats,
        limits=stake_limits(game.settings.limit),
        wager_limits=selection_limits(game.settings),
        player_limits={name: own_sign(own) for name, own in game.settings.player_limits.items()},
        signs=[show_sign(sign) for sign in signs_up(book, game.facts)],
        alerts=_alerts(shelf, state, now),
        glance=glance,
    )


def _alerts(shelf: Shelf, state: TableState, now: datetime) -> int:
    due = sum(is_due(alert, stamp(now)) for alert in state.alerts)
    return due + len(waiting_duties(duties_of_table(shelf, state, now)))


def _takes_bets(state: TableState, by_call: bool) -> bool:
    if state.rhythm is not None:
        return state.round is not None and not state.is_shut
    return state.game.bets_open or not by_call


def show_alerts(
    shelf: Shelf, tables: Sequence[TableState], now: datetime, promotions: Sequence[PromotionState] = ()
) -> Alerts:
    """Return the alerts of these tables, and overdue duties of them and of these promotions."""
    books = {state.name: shelf.game(state.game.terms[-1]).book for state in tables}
    waiting = [(state, alert) for state in tables for alert in state.alerts]
    due = [_alert(books, state, alert) for state, alert in waiting if is_due(alert, stamp(now))]
    coming = [_alert(books, state, alert) for state, alert in waiting if not is_due(alert, stamp(now))]
    done = [
        _alert(books, state, one.alert, Answered(one.who, one.at, one.note))
        for state in tables
        for one in state.answered
    ]
    done.sort(key=_when_answered, reverse=True)
    duties = [duty for state in tables for duty in duties_of_table(shelf, state, now)]
    duties += [duty for state in promotions for duty in duties_of_promotion(shelf, state, now)]
    return Alerts(_by_time(due), _by_time(coming), done[:MOST_ANSWERED], waiting_duties(duties))


def _by_time(alerts: Iterable[management.Alert]) -> list[management.Alert]:
    return sorted(alerts, key=lambda alert: (alert.since, alert.table, alert.event))


def _when_answered(alert: management.Alert) -> tuple[str, str, int]:
    assert alert.answered is not None
    return alert.answered.at, alert.table, alert.event


def _alert(
    books: Mapping[str, Book], state: TableState, alert: Alert, answered: Answered | None = None
) -> management.Alert:
    book = books[state.name]
    return management.Alert(
        table=state.name,
        title=state.title,
        book=book.id,
        zone=book.rules.book.timezone,
        event=alert.event,
        words=alert.words,
        tells=alert.tells,
        clause=alert.clause,
        who=alert.who,
        at=alert.at,
        since=alert.due or alert.at,
        answered=answered,
    )


# Open cases of tables: whose, since when, about what, and who may do what next

_STILL_TO_SAY = re.compile(r"(?: and finds it| with| because| for)? \{")


def show_cases(shelf: Shelf, tables: Iterable[TableState], look: Viewer) -> list[Case]:
    """Return the open cases that the viewer may see, oldest first: staff see all, others their own."""
    shown = [
        _shown(shelf, state, book, case)
        for state in tables
        for book in [shelf.game(state.game.terms[-1]).book]
        for case in open_cases(book.conduct, state.game.facts)
        if look.all or (look.person is not None and case.who == look.person)
    ]
    return sorted(shown, key=lambda case: (_when(case), case.table, case.case))


def _when(case: Case) -> float:
    return 0.0 if case.since is None else moment(case.since).timestamp()


def _shown(shelf: Shelf, state: TableState, book: Book, case: OpenCase) -> Case:
    scene = Scene(shelf, state.game, None, None, None, {"case": case.case})
    return Case(
        table=state.name,
        title=state.title,
        book=book.id,
        zone=book.rules.book.timezone,
        **msgspec.structs.asdict(case) | {"next": [_next(scene, act, case) for act in case.next]},
    )


def _next(scene: Scene, act_id: str, case: OpenCase) -> NextAct:
    conduct, act = scene.conduct, scene.conduct.by_id[act_id]
    may = [role.id for role in conduct.roles if conduct.may(role.id, act.by)]
    roles = [role for role in ROLES if not set(may).isdisjoint(titles(conduct, role))]
    return NextAct(act.id, _words(act, case), list(act.by), roles, clause_now(scene, act))


def _words(act: Act, case: OpenCase) -> str:
    """Return the shortest wording of an act, up to its first open field."""
    words = filled(min(act.says, key=len), {"case": case.case})
    return _STILL_TO_SAY.split(words)[0]
