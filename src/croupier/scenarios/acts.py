"""Parse scenario lines about conduct: who does it, in the phrases of the book's conduct; and who may do what."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

import msgspec

from croupier.rules.book import Book
from croupier.rules.conduct import KINDS, PLAYER
from croupier.rules.machine import typed_pick
from croupier.rules.shelf import Shelf
from croupier.table import commands
from croupier.table.conduct.scene import PICK_OF
from croupier.table.decide import decide
from croupier.table.refusals import Refusal
from croupier.table.state import State

_FORMS = {
    "player": r"[\w-]+",
    "money": r"[0-9]+\.[0-9]{2}",
    "count": r"[0-9]+",
    "time": r"[0-9]{4}-[0-9]{2}-[0-9]{2}T\S+",
    "faces": r"[0-9HT][0-9HT ]*?",
    "reason": r".+?",
    "wager": r"\w+",
    "role": r"[\w ]+?",
    "text": r".+?",
}


def read_act(book: Book, text: str) -> commands.PerformAct | None:
    """Return the act of a line; None if no phrase of the book fits. Staff may have a name: `dealer Dan`."""
    for role in sorted(book.conduct.role_ids, key=len, reverse=True):
        if text.startswith(f"{role} "):
            words, who = text.removeprefix(f"{role} "), None
            if words[:1].isupper():
                who, _, words = words.partition(" ")
            found = _said(book, words)
            return None if found is None else commands.PerformAct(act=found[0], said=found[1], by=role, who=who)
    name, _, rest = text.partition(" ")
    found = _said(book, rest)
    return None if found is None else commands.PerformAct(act=found[0], said=found[1], by=PLAYER, who=name)


def _said(book: Book, words: str) -> tuple[str, dict[str, object]] | None:
    for act_id, form in _patterns(book):
        match = form.fullmatch(words)
        if match is not None:
            return act_id, _values(match)
    return None


def _values(match: re.Match[str]) -> dict[str, object]:
    said: dict[str, object] = {name: value for name, value in match.groupdict().items() if value is not None}
    return {name: typed_pick(str(value)) if name in PICK_OF.values() else value for name, value in said.items()}


@lru_cache(maxsize=16)
def _patterns(book: Book) -> list[tuple[str, re.Pattern[str]]]:
    return [(act.id, re.compile(_pattern(form))) for act in book.conduct.acts for form in act.says]


def _pattern(form: str) -> str:
    parts = re.split(r"\{(\w+)\}", form)
    pattern = re.escape(parts[0])
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        pattern += f"(?P<{name}>{_FORMS[KINDS.get(name, 'text')]})"
        if name in PICK_OF:
            pattern += rf"(?: (?P<{PICK_OF[name]}>[\w ]+?))?"
        pattern += re.escape(text)
    return pattern


# -- permissions ------------------------------------------------------------------------------------------------------
# A line names the roles that may do a thing: every role of the book is tried, and the others must be refused.

SOMEBODY = "somebody"  # the acting player; that no such player is seated is checked after the role
NOT_PERMITTED = "not_permitted"


def not_as_said(shelf: Shelf, state: State, said: Mapping[str, str]) -> str | None:
    """Return how the table differs from a line on who may do a thing; None if it does not."""
    book, thing = shelf.book(state.terms[-1].book), said["thing"]
    named = _named(said["roles"], book.conduct.role_ids)
    unknown = next((role for role in named if role not in book.conduct.role_ids), None)
    if unknown is not None or thing not in things(book):
        return f"the book knows no {unknown or thing}"
    command = _command(book, state, thing)
    before = State() if isinstance(command, commands.OpenTable) else state
    for role in book.conduct.role_ids:
        decision = decide(shelf, before, msgspec.structs.replace(command, by=role, who=SOMEBODY))
        refusal = decision if isinstance(decision, Refusal) and decision.code == NOT_PERMITTED else None
        clause = said["other_clause"] if role == said.get("other") else said.get("clause")
        if (refusal is None) != (role in named):
            return f"the {role} {'may too' if refusal is None else 'may not'}"
        if refusal is not None and refusal.clause != clause:
            return f"the {role} is refused by {refusal.clause or 'no clause'}"
    return None


def _named(text: str, roles: list[str]) -> list[str]:
    if text == "nobody":
        return []
    return roles if text == "everybody" else [role.strip() for role in text.removeprefix("only ").split(",")]


# The table commands by name, with just enough fields to test the role.
_COMMANDS: dict[str, Callable[[State], commands.AnyCommand]] = {
    "open": lambda state: commands.OpenTable(terms=state.terms[-1]),
    "seat": lambda state: commands.SeatPlayer(player=SOMEBODY, chips=0),
    "chips": lambda state: commands.BuyChips(player=SOMEBODY, chips=1),
    "leave": lambda state: commands.LeaveTable(player=SOMEBODY),
    "bet": lambda state: commands.PlaceWager(player=SOMEBODY, wager="", amount=1),
    "take": lambda state: commands.TakeWager(player=SOMEBODY, wager=""),
    "call": lambda state: commands.CallWager(player=SOMEBODY, wager="", on=True),
    "find": lambda state: commands.FindWager(player=SOMEBODY, wager="", amount=1),
    "no_more_bets": lambda state: commands.CloseBets(),
    "adopt": lambda state: commands.AdoptRules(terms=state.terms[-1]),
}


def things(book: Book) -> list[str]:
    """Return everything that can be done at a table of the book: acts, commands, and void throws by reason."""
    void = book.rules.void
    reasons = [*void.grounds, *(void.invalidated.grounds if void.invalidated is not None else [])]
    acts = [act.id for act in book.conduct.acts]
    return [*acts, *_COMMANDS, book.rules.throw.command, *(f"void {reason}" for reason in reasons)]


def _command(book: Book, state: State, thing: str) -> commands.AnyCommand:
    """Return the command that does a thing."""
    if thing in book.conduct.by_id:
        return commands.PerformAct(act=thing)
    if thing == book.rules.throw.command:
        return commands.Throw(faces=())
    if thing.startswith("void "):
        return commands.VoidThrow(reason=thing.removeprefix("void "))
    return _COMMANDS[thing](state)
