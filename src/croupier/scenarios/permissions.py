"""Lines that say who may do a thing: every role of the book is tried, and the others are refused for their role."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from croupier.rules.book import Book
from croupier.rules.shelf import Shelf
from croupier.table import commands
from croupier.table.decide import decide
from croupier.table.refusals import Refusal
from croupier.table.state import State

SOMEBODY = "somebody"  # whoever acts; that nobody of the name sits there is asked after the role
NOT_PERMITTED = "not_permitted"


def not_as_said(shelf: Shelf, state: State, said: Mapping[str, str]) -> str | None:
    """What is otherwise than a line says of who may do a thing; None if nothing is."""
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


# The commands that every table knows, under the names that people give them. Nothing but the role is asked about.
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
    """Everything that somebody may do at a table of the book: acts, commands, and void throws reason by reason."""
    void = book.rules.void
    reasons = [*void.grounds, *(void.invalidated.grounds if void.invalidated is not None else [])]
    acts = [act.id for act in book.conduct.acts]
    return [*acts, *_COMMANDS, book.rules.throw.command, *(f"void {reason}" for reason in reasons)]


def _command(book: Book, state: State, thing: str) -> commands.AnyCommand:
    """The command that does a thing."""
    if thing in book.conduct.by_id:
        return commands.PerformAct(act=thing)
    if thing == book.rules.throw.command:
        return commands.Throw(faces=())
    if thing.startswith("void "):
        return commands.VoidThrow(reason=thing.removeprefix("void "))
    return _COMMANDS[thing](state)
