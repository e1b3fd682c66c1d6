"""Parse JSON lines into commands; any other line gets a refusal that says why."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal, TypeVar

import msgspec

from croupier.money import MoneyError, parse_cents
from croupier.rules.game import Terms
from croupier.rules.shelf import Shelf
from croupier.table import commands
from croupier.table.opening import read_terms
from croupier.table.placing import selection_meant
from croupier.table.refusals import Refusal
from croupier.table.state import State

THROWS = ("roll", "spin")
NO_TOKENS = "0.00"

S = TypeVar("S")


class Line(msgspec.Struct, frozen=True, gc=False, kw_only=True, rename={"by": "as"}):
    """Fields of every line: the time, and the role and name of the acting person. Unknown fields are ignored."""

    at: str | None = None
    by: str | None = None
    who: str | None = None


class LimitFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits for one kind of wager, or for one selection of it."""

    min: object = None
    max: object = None


class OpenLine(Line, frozen=True, kw_only=True):
    """`open`."""

    book: str
    chip: object = "1.00"
    min: object = None
    max: object = None
    pay_table: object = None
    units: Literal["any", "exact"] = "any"
    dice: Literal["auto", "manual"] = "auto"
    late: bool = False
    unit: object = None
    limits: dict[str, object] = {}
    player_max: object = None
    without: list[str] = []
    seats: int | None = None


class SeatLine(Line, frozen=True, kw_only=True):
    """`seat`."""

    player: str
    chips: object
    card: bool = True
    area: str | None = None
    place: int | None = None


class ChipsLine(Line, frozen=True, kw_only=True):
    """`chips`."""

    player: str
    chips: object


class LeaveLine(Line, frozen=True, kw_only=True):
    """`leave`."""

    player: str


class WagerLine(Line, frozen=True, kw_only=True):
    """The fields that name a wager."""

    player: str
    wager: str
    pick: object = None


class FindLine(WagerLine, frozen=True, kw_only=True):
    """`find`."""

    amount: object


class BetLine(FindLine, frozen=True, kw_only=True):
    """`bet`. `tokens` is the part of the amount laid in promotional tokens, `checks` the colour for the rest."""

    tokens: object = NO_TOKENS
    checks: str | None = None


class TakeLine(WagerLine, frozen=True, kw_only=True):
    """`take`."""

    amount: object = None


class CallLine(WagerLine, frozen=True, kw_only=True):
    """`call`."""

    on: bool


class VoidLine(Line, frozen=True, kw_only=True):
    """`void`."""

    reason: str
    call: str | None = None
    forfeit: list[str] = []


class AdoptLine(Line, frozen=True, kw_only=True):
    """`adopt`."""

    book: str
    pay_table: object = None


class AskExposure(Line, frozen=True, kw_only=True):
    """`exposure`: a query, not a command. With `seats`, the exposure under the sign is for that many players."""

    seats: int | None = None


class AskCases(Line, frozen=True, kw_only=True):
    """`cases`: a query, not a command. Lists the open disputes and other cases, and what comes next."""


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
    reader = (_READERS.get(word) or _act_reader(shelf, state, word)) if isinstance(word, str) else None
    if reader is None:
        known = ", ".join(_READERS)
        return Refusal(
            "unknown_command", f'"do" must be one of {known}, or an act of the book: croupier conduct BOOK lists them.'
        )
    try:
        return reader(shelf, state, raw)
    except Unreadable as unreadable:
        return unreadable.refusal


def _fields(raw: dict[str, Any], type_: type[S]) -> S:
    try:
        return msgspec.convert(raw, type_)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at ")
        where = f"{path.strip('`$.')}: " if path.strip("`$.") else ""
        raise Unreadable(Refusal("bad_field", f"{where}{reason[0].lower()}{reason[1:]}.")) from None


def _time(line: Line) -> datetime | None:
    if line.at is None:
        return None
    try:
        return datetime.fromisoformat(line.at)
    except ValueError:
        raise Unreadable(
            Refusal("bad_time", '"at" must be a time in ISO 8601, such as "2024-08-19T20:15:00+10:00".')
        ) from None


def _given(line: Line) -> dict[str, Any]:
    """Return the time, role and name given with a command."""
    return {"at": _time(line), "by": line.by, "who": line.who}


def _cents(value: object) -> int:
    try:
        return parse_cents(value)
    except MoneyError as error:
        raise Unreadable(Refusal("amount_malformed", str(error))) from None


def _maybe_cents(value: object) -> int | None:
    return None if value is None else _cents(value)


def _open(shelf: Shelf, state: State, raw: dict[str, Any]) -> commands.AnyCommand:
    line = _fields(raw, OpenLine)
    if state.is_open:
        raise Unreadable(Refusal("already_open", "The table is open already."))
    if line.seats is not None and line.seats < 1:
        raise Unreadable(Refusal("bad_field", "seats: a table has at least one."))
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
            raise Unreadable(Refusal("bad_field", f"limits: {name} is there twice."))
        try:
            fields = msgspec.convert(given, LimitFields)
        except msgspec.ValidationError:
            say = f'limits: {text} takes "min" and "max" and nothing else; a pick is said with its wager: "WAGER PICK".'
            raise Unreadable(Refusal("bad_field", say)) from None
        limits[name] = commands.Limit(_maybe_cents(fields.min), _maybe_cents(fields.max))
    return limits


def _terms(shelf: Shelf, book: str, pay_table: object) -> Terms:
    terms = read_terms(shelf, book, pay_table)
    if isinstance(terms, Refusal):
        raise Unreadable(terms)
    return terms


def _seat(shelf: Shelf, state: State, raw: dict[str, Any]) -> commands.AnyCommand:
    line = _fields(raw, SeatLine)
    chips = _cents(line.chips)
    given = {"card": line.card, "area": line.area, "place": line.place, **_given(line)}
    return commands.SeatPlayer(player=line.player, chips=chips, **given)


def _buy(shelf: Shelf, state: State, raw: dict[str, Any]) -> commands.AnyCommand:
    line = _fields(raw, ChipsLine)
    return commands.BuyChips(player=line.player, chips=_cents(line.chips), **_given(line))


def _bet(shelf: Shelf, state: State, raw: dict[str, Any]) -> commands.AnyCommand:
    line = _fields(raw, BetLine)
    amount, tokens = _cents(line.amount), 0 if line.tokens is NO_TOKENS else _cents(line.tokens)
    return commands.PlaceWager(
        player=line.player,
        wager=line.wager,
        pick=line.pick,
        amount=amount,
        tokens=tokens,
        checks=line.checks,
        **_given(line),
    )


def _find(shelf: Shelf, state: State, raw: dict[str, Any]) -> commands.AnyCommand:
    line = _fields(raw, FindLine)
    return commands.FindWager(
        player=line.player, wager=line.wager, pick=line.pick, amount=_cents(line.amount), **_given(line)
    )


def _take(shelf: Shelf, state: State, raw: dict[str, Any]) -> commands.AnyCommand:
    line = _fields(raw, TakeLine)
    return commands.TakeWager(
        player=line.player, wager=line.wager, pick=line.pick, amount=_maybe_cents(line.amount), **_given(line)
    )


def _call(shelf: Shelf, state: State, raw: dict[str, Any]) -> commands.AnyCommand:
    line = _fields(raw, CallLine)
    return commands.CallWager(player=line.player, wager=line.wager, pick=line.pick, on=line.on, **_given(line))


def _close(shelf: Shelf, state: State, raw: dict[str, Any]) -> commands.AnyCommand:
    return commands.CloseBets(**_given(_fields(raw, Line)))


def _throw(shelf: Shelf, state: State, raw: dict[str, Any]) -> commands.AnyCommand:
    line = _fields(raw, Line)
    if not state.is_open:
        raise Unreadable(Refusal("not_open", "The table is not open yet."))
    rules = shelf.game(state.terms[-1]).book.rules.throw
    if raw["do"] != rules.command:
        raise Unreadable(Refusal("wrong_throw", f"This game is played with {rules.command}, not {raw['do']}."))
    faces = raw.get(rules.field)
    wanted = str if all(isinstance(face, str) for face in rules.faces) else list
    if not isinstance(faces, wanted):
        raise Unreadable(
            Refusal("bad_field", f"{rules.field}: the {rules.throw} faces that fell are missing.", rules.clause)
        )
    return commands.Throw(faces=tuple(faces), **_given(line))


def _void(shelf: Shelf, state: State, raw: dict[str, Any]) -> commands.AnyCommand:
    line = _fields(raw, VoidLine)
    forfeit = tuple(line.forfeit)
    return commands.VoidThrow(reason=line.reason, words=line.call, forfeit=forfeit, **_given(line))


def _adopt(shelf: Shelf, state: State, raw: dict[str, Any]) -> commands.AnyCommand:
    line = _fields(raw, AdoptLine)
    return commands.AdoptRules(terms=_terms(shelf, line.book, line.pay_table), **_given(line))


def _act_reader(shelf: Shelf, state: State, word: str) -> Reader | None:
    """Return the reader for an act of this table's book, if the word is one."""
    if not state.is_open or word not in shelf.game(state.terms[-1]).book.conduct.by_id:
        return None
    return _act


def _act(shelf: Shelf, state: State, raw: dict[str, Any]) -> commands.AnyCommand:
    line = _fields(raw, Line)
    said = {name: value for name, value in raw.items() if name not in ("do", "at", "as", "who")}
    return commands.PerformAct(act=raw["do"], said=said, **_given(line))


def _leave(shelf: Shelf, state: State, raw: dict[str, Any]) -> commands.AnyCommand:
    line = _fields(raw, LeaveLine)
    return commands.LeaveTable(player=line.player, **_given(line))


def _exposure(shelf: Shelf, state: State, raw: dict[str, Any]) -> AskExposure:
    line = _fields(raw, AskExposure)
    _time(line)
    if not state.is_open:
        raise Unreadable(Refusal("not_open", "The table is not open yet."))
    if line.seats is not None and line.seats < 1:
        raise Unreadable(Refusal("bad_field", "seats: a table has at least one."))
    return line


def _cases(shelf: Shelf, state: State, raw: dict[str, Any]) -> AskCases:
    line = _fields(raw, AskCases)
    _time(line)
    if not state.is_open:
        raise Unreadable(Refusal("not_open", "The table is not open yet."))
    return line


Question = AskExposure | AskCases
Read = commands.AnyCommand | Question
Reader = Callable[[Shelf, State, dict[str, Any]], Read]

_READERS: dict[str, Reader] = {
    "open": _open,
    "seat": _seat,
    "chips": _buy,
    "leave": _leave,
    "bet": _bet,
    "take": _take,
    "call": _call,
    "no_more_bets": _close,
    **dict.fromkeys(THROWS, _throw),
    "void": _void,
    "find": _find,
    "adopt": _adopt,
    "exposure": _exposure,
    "cases": _cases,
}
COMMANDS = tuple(_READERS)
