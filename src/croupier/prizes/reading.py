"""Reads lines about a promotion as commands, and writes terms as lines. `do` names the command, amounts are text.

{"do": "tell_winner", "award": 1, "way": "telephone", "reached": true}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

import msgspec

from croupier.money import MoneyError, format_cents, parse_cents
from croupier.prizes import commands
from croupier.prizes.terms import Part, Prize, Terms, Value
from croupier.rules.prizes import Prizes
from croupier.table.refusals import Refusal

# Fields that no line contains: the person, a claimant's identity, and what the house draws and counts itself.
_NOT_SAID = {
    commands.MakeClaim: {"name", "address", "seal"},
    commands.DenyClaim: {"name", "address", "seal"},
    commands.DrawPrizes: {"winners", "record", "nobody"},
}
MOST_REPEATED = 20
_NOT_A_LINE = (commands.CloseEntries,)  # the clock of the house closes them


def _word(command: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", command.__name__).lower()


COMMANDS: dict[str, type[commands.Command]] = {
    _word(kind): kind for kind in get_args(commands.AnyCommand) if kind not in _NOT_A_LINE
}
WORDS: dict[type[commands.Command], str] = {kind: word for word, kind in COMMANDS.items()}


def fields_of(kind: type[commands.Command]) -> list[str]:
    """Return the fields of a command's line."""
    return [name for name in kind.__struct_fields__ if name not in _NOT_SAID.get(kind, set()) | {"by"}]


def read_line(rules: Prizes, line: Mapping[str, Any], by: str | None) -> commands.AnyCommand | Refusal:
    """Read a line as a command given by a person; refuse it, with a message, if it is invalid."""
    kind = _kind(line)
    if kind is None:
        return Refusal("unknown_command", "A line about a promotion must name its command in `do`.")
    said = {name: value for name, value in line.items() if name != "do"}
    unknown = sorted(said.keys() - {*fields_of(kind)})
    if unknown:
        return Refusal("unknown_field", f"{line['do']} has no field {_few(unknown)}.")
    try:
        plain = {name: _READ.get(name, _as_it_is)(rules, value) for name, value in said.items()}
        if kind is commands.DrawPrizes:
            plain |= {"winners": (), "record": ""}
        command: commands.AnyCommand = msgspec.convert({**plain, "by": by}, kind)  # type: ignore[assignment]
    except MoneyError as error:
        return Refusal("bad_amount", str(error), about=("earning",) if "terms" in said else ())
    except (msgspec.ValidationError, TypeError, AttributeError, KeyError) as error:
        return Refusal("not_readable", f"The line cannot be read: {_where(error)}.")
    return command


def _where(error: Exception) -> str:
    if isinstance(error, msgspec.ValidationError):
        return str(error)
    if isinstance(error, KeyError):  # always a required field, never one that the caller made up
        return f"{error.args[0]} is missing"
    return "a part of it has the wrong type"


def known_part(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return a line without unknown fields: they may contain a claimant's identity."""
    kind = _kind(line)
    known = () if kind is None else ("do", *fields_of(kind))
    return {name: value for name, value in line.items() if name in known}


def _kind(line: Mapping[str, Any]) -> type[commands.Command] | None:
    return COMMANDS.get(line["do"]) if isinstance(line.get("do"), str) else None


def _few(names: list[str]) -> str:
    """Join field names, which the caller may have made up: only plausible ones are repeated."""
    shown = [name for name in names if name.isidentifier() and len(name) <= MOST_REPEATED]
    return ", ".join(shown[:MOST_REPEATED]) or "that"


def _as_it_is(rules: Prizes, value: object) -> object:
    return value


def _terms(rules: Prizes, told: Mapping[str, Any]) -> Terms:
    prizes = [
        msgspec.convert({**prize, "said": _said(rules, prize.get("said", {}))}, Prize) for prize in told["prizes"]
    ]
    earning = told.get("earning")
    plain = {
        "said": _said(rules, told.get("said", {})),
        "one_prize_each": told.get("one_prize_each", True),
        "earning": None
        if earning is None
        else {**_without(earning, "amount"), "cents": _for_a_ticket(earning["amount"])},
    }
    return msgspec.structs.replace(msgspec.convert(plain, Terms), prizes=tuple(prizes))


def _said(rules: Prizes, told: Mapping[str, Any]) -> dict[str, Any]:
    """Read points of the terms: an invalid amount is kept, so that the terms are refused as unreadable."""
    return {name: _value(rules, name, value) for name, value in told.items()}


def _value(rules: Prizes, name: str, value: object) -> object:
    term = rules.terms_by_id.get(name)
    if term is None or term.value != "money":
        return value
    try:
        return parse_cents(value) if isinstance(value, str) else str(value)
    except MoneyError:
        return value


def _parts(rules: Prizes, told: list[Mapping[str, Any]]) -> tuple[Part, ...]:
    return tuple(msgspec.convert({**_without(one, "amount"), "cents": _cents(one["amount"])}, Part) for one in told)


def _cents(amount: object) -> int:
    if not isinstance(amount, str):
        raise MoneyError("An amount must be text such as 10.00.")
    return parse_cents(amount)


def _for_a_ticket(amount: object) -> int:
    try:
        return _cents(amount)
    except MoneyError as error:
        raise MoneyError(f"The terms do not say how much play earns a ticket: {error}") from None


def _without(told: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in told.items() if key != name}


_READ: dict[str, Callable[[Prizes, Any], object]] = {"terms": _terms, "parts": _parts}


# Terms as plain values, the way lines take them: amounts are text.


def terms_as_line(rules: Prizes, terms: Terms) -> dict[str, Any]:
    """Return terms as plain values; read as a line they make the same terms again."""
    earning = terms.earning
    return {
        "said": _said_as_text(rules, terms.said),
        "prizes": [_prize(rules, prize) for prize in terms.prizes],
        "earning": None
        if earning is None
        else {"amount": format_cents(earning.cents), "tables": [*earning.tables], "wagers": [*earning.wagers]},
        "one_prize_each": terms.one_prize_each,
    }


def _prize(rules: Prizes, prize: Prize) -> dict[str, Any]:
    return {
        "id": prize.id,
        "kind": prize.kind,
        "said": _said_as_text(rules, prize.said),
        "count": prize.count,
        "contains": [*prize.contains],
        "millilitres": prize.millilitres,
    }


def _said_as_text(rules: Prizes, said: Mapping[str, Value]) -> dict[str, Value]:
    """Return points as text; a value that is not an amount, or not in the book, stays as it is."""
    return {name: _value_as_text(rules, name, value) for name, value in said.items()}


def _value_as_text(rules: Prizes, name: str, value: Value) -> Value:
    term = rules.terms_by_id.get(name)
    is_amount = term is not None and term.value == "money" and isinstance(value, int) and not isinstance(value, bool)
    return format_cents(int(value)) if is_amount else value
