"""The protocol of a table: lines become commands or a refusal that says why, and what happened becomes a reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from croupier.contract import lines
from croupier.contract.lines import ExposureReport, LineDone, LineRefused, TableStatus, WorstOutcome
from croupier.money import MoneyError, format_cents, parse_cents
from croupier.rules.game import Terms
from croupier.rules.shelf import Shelf
from croupier.table import commands, events
from croupier.table.event_views import event_rows, phase_values, printable_facts, standing_wagers
from croupier.table.exposure import Exposure, sign_exposure, standing_exposure
from croupier.table.opening import read_terms
from croupier.table.placing import selection_meant
from croupier.table.refusals import Refusal
from croupier.table.state import State, TableView

S = TypeVar("S", bound=lines.Line)


class Unreadable(Exception):
    """The line is not a command; carries the refusal."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(refusal.message)


def read_line(shelf: Shelf, state: State, line: bytes) -> Read | Refusal:
    """Parse a line into a command or query, or a refusal."""
    try:
        raw = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        return Refusal("malformed_json", "The line is not JSON." if line.strip() else "The line is blank.")
    return read_plain(shelf, state, raw)


def read_plain(shelf: Shelf, state: State, raw: object) -> Read | Refusal:
    """Convert a decoded line into a command or query, or a refusal."""
    if not isinstance(raw, dict):
        return Refusal("not_a_command", "A command is a JSON object.")
    word = raw.get("do")
    known = _BY_WORD.get(word) if isinstance(word, str) else None
    if known is None and isinstance(word, str) and _is_act(shelf, state, word):
        known = (lines.ActLine, _act)
    if known is None:
        words = ", ".join(COMMANDS)
        return Refusal(
            "unknown_command",
            f'"do" must be one of {words}, or an act of the book. "croupier conduct BOOK" lists the acts.',
        )
    kind, reader = known
    try:
        return reader(shelf, state, _fields(raw, kind), raw)
    except Unreadable as unreadable:
        return unreadable.refusal


def _fields(raw: Raw, kind: type[S]) -> S:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at ")
        where = f"{path.strip('`$.')}: " if path.strip("`$.") else ""
        raise Unreadable(Refusal("bad_field", f"{where}{reason[0].lower()}{reason[1:]}.")) from None


def _time(line: lines.Line) -> datetime | None:
    if line.at is None:
        return None
    try:
        return datetime.fromisoformat(line.at)
    except ValueError:
        raise Unreadable(
            Refusal("bad_time", '"at" must be a time in ISO 8601, such as "2024-08-19T20:15:00+10:00".')
        ) from None


def _given(line: lines.Line) -> dict[str, Any]:
    """Return the time, role and name given with a command."""
    return {"at": _time(line), "by": line.by, "who": line.who}


def _cents(value: object) -> int:
    try:
        return parse_cents(value)
    except MoneyError as error:
        raise Unreadable(Refusal("amount_malformed", str(error))) from None


def _maybe_cents(value: object) -> int | None:
    return None if value is None else _cents(value)


def _not_open() -> Unreadable:
    return Unreadable(Refusal("not_open", "The table is not open yet."))


def _check_seats(seats: int | None) -> None:
    if seats is not None and seats < 1:
        raise Unreadable(Refusal("bad_field", "seats: give at least 1."))


def _open(shelf: Shelf, state: State, line: lines.OpenLine, raw: Raw) -> commands.AnyCommand:
    if state.is_open:
        raise Unreadable(Refusal("already_open", "The table is already open."))
    _check_seats(line.seats)
    terms = _terms(shelf, line.book, line.pay_table)
    options = shelf.book(line.book).fixed_stakes
    settings = commands.Settings(
        chip=_cents(line.chip),
        limit=commands.Limit(_maybe_cents(line.min), _maybe_cents(line.max)),
        wager_limits=_limits(line.limits),
        player_maximum=_maybe_cents(line.player_max),
        exact_units=line.units == "exact",
        fixed_stakes={option: _cents(raw[option]) for option in options if raw.get(option) is not None},
        without=tuple(line.without),
        seats=line.seats,
        manual_dice=line.dice == "manual",
        late_bets=line.late,
        unit=_maybe_cents(line.unit),
    )
    return commands.OpenTable(terms=terms, settings=settings, **_given(line))


def _limits(raw: dict[str, object]) -> dict[str, commands.Limit]:
    limits: dict[str, commands.Limit] = {}
    for text, given in raw.items():
        name = selection_meant(text)
        if name in limits:
            raise Unreadable(Refusal("bad_field", f"limits: {name} appears twice."))
        try:
            fields = msgspec.convert(given, lines.LimitFields)
        except msgspec.ValidationError:
            say = f'limits: {text} takes only "min" and "max". To limit one pick, write "WAGER PICK".'
            raise Unreadable(Refusal("bad_field", say)) from None
        limits[name] = commands.Limit(_maybe_cents(fields.min), _maybe_cents(fields.max))
    return limits


def _terms(shelf: Shelf, book: str, pay_table: object) -> Terms:
    terms = read_terms(shelf, book, pay_table)
    if isinstance(terms, Refusal):
        raise Unreadable(terms)
    return terms


def _seat(shelf: Shelf, state: State, line: lines.SeatLine, raw: Raw) -> commands.AnyCommand:
    chips, given = _cents(line.chips), _given(line)
    return commands.SeatPlayer(
        player=line.player, chips=chips, card=line.card, area=line.area, place=line.place, **given
    )


def _buy(shelf: Shelf, state: State, line: lines.ChipsLine, raw: Raw) -> commands.AnyCommand:
    return commands.BuyChips(player=line.player, chips=_cents(line.chips), **_given(line))


def _leave(shelf: Shelf, state: State, line: lines.LeaveLine, raw: Raw) -> commands.AnyCommand:
    return commands.LeaveTable(player=line.player, **_given(line))


def _wager(line: lines.WagerLine) -> dict[str, Any]:
    """Return the fields that name a wager, with those of every command."""
    return {"player": line.player, "wager": line.wager, "pick": line.pick, **_given(line)}


def _bet(shelf: Shelf, state: State, line: lines.BetLine, raw: Raw) -> commands.AnyCommand:
    amount, tokens = _cents(line.amount), 0 if line.tokens is lines.NO_TOKENS else _cents(line.tokens)
    return commands.PlaceWager(amount=amount, tokens=tokens, checks=line.checks, **_wager(line))


def _find(shelf: Shelf, state: State, line: lines.FindLine, raw: Raw) -> commands.AnyCommand:
    return commands.FindWager(amount=_cents(line.amount), **_wager(line))


def _take(shelf: Shelf, state: State, line: lines.TakeLine, raw: Raw) -> commands.AnyCommand:
    return commands.TakeWager(amount=_maybe_cents(line.amount), **_wager(line))


def _call(shelf: Shelf, state: State, line: lines.CallLine, raw: Raw) -> commands.AnyCommand:
    return commands.CallWager(on=line.on, **_wager(line))


def _close(shelf: Shelf, state: State, line: lines.CloseLine, raw: Raw) -> commands.AnyCommand:
    return commands.CloseBets(**_given(line))


def _throw(shelf: Shelf, state: State, line: lines.RollLine | lines.SpinLine, raw: Raw) -> commands.AnyCommand:
    if not state.is_open:
        raise _not_open()
    rules = shelf.game(state.terms[-1]).book.rules.throw
    if raw["do"] != rules.command:
        raise Unreadable(Refusal("wrong_throw", f"In this game use {rules.command}, not {raw['do']}."))
    faces = raw.get(rules.field)
    wanted = str if all(isinstance(face, str) for face in rules.faces) else list
    if not isinstance(faces, wanted):
        raise Unreadable(Refusal("bad_field", f"{rules.field}: give the {rules.throw} faces that fell.", rules.clause))
    return commands.Throw(faces=tuple(faces), **_given(line))


def _void(shelf: Shelf, state: State, line: lines.VoidLine, raw: Raw) -> commands.AnyCommand:
    forfeit = tuple(line.forfeit)
    return commands.VoidThrow(reason=line.reason, words=line.call, forfeit=forfeit, **_given(line))


def _adopt(shelf: Shelf, state: State, line: lines.AdoptLine, raw: Raw) -> commands.AnyCommand:
    return commands.AdoptRules(terms=_terms(shelf, line.book, line.pay_table), **_given(line))


def _exposure(shelf: Shelf, state: State, line: lines.ExposureLine, raw: Raw) -> lines.ExposureLine:
    _time(line)
    if not state.is_open:
        raise _not_open()
    _check_seats(line.seats)
    return line


def _cases(shelf: Shelf, state: State, line: lines.CasesLine, raw: Raw) -> lines.CasesLine:
    _time(line)
    if not state.is_open:
        raise _not_open()
    return line


def _act(shelf: Shelf, state: State, line: lines.ActLine, raw: Raw) -> commands.AnyCommand:
    said = {name: value for name, value in raw.items() if name not in ("do", "at", "as", "who")}
    return commands.PerformAct(act=raw["do"], said=said, **_given(line))


def _is_act(shelf: Shelf, state: State, word: str) -> bool:
    """Whether the word is an act in this table's book."""
    return state.is_open and word in shelf.game(state.terms[-1]).book.conduct.by_id


Question = lines.ExposureLine | lines.CasesLine
Read = commands.AnyCommand | Question
Raw = dict[str, Any]
Reader = Callable[[Shelf, State, Any, Raw], Read]

_READERS: tuple[tuple[type[lines.Line], Reader], ...] = (
    (lines.OpenLine, _open),
    (lines.SeatLine, _seat),
    (lines.ChipsLine, _buy),
    (lines.LeaveLine, _leave),
    (lines.BetLine, _bet),
    (lines.TakeLine, _take),
    (lines.CallLine, _call),
    (lines.CloseLine, _close),
    (lines.RollLine, _throw),
    (lines.SpinLine, _throw),
    (lines.VoidLine, _void),
    (lines.FindLine, _find),
    (lines.AdoptLine, _adopt),
    (lines.ExposureLine, _exposure),
    (lines.CasesLine, _cases),
)
_BY_WORD = {str(kind.__struct_config__.tag): (kind, reader) for kind, reader in _READERS}
COMMANDS = tuple(_BY_WORD)


# -- replies -----------------------------------------------------------------------------------------------------------

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

    cases = open_cases(TableView(shelf, state).game.book.conduct, state.facts)
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
