"""What people do at a table of a book: every act with its words and fields, who may do it, what stands against it.

A page that helps people to run a table makes its buttons and forms from this, and so knows no rules of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import msgspec
from litestar import get

from croupier import rulebooks
from croupier.house.names import titles
from croupier.rules.book import Book
from croupier.rules.conduct import KINDS, Act, Conduct, HouseRole, Kind, Need, Power, fields_of
from croupier.rules.facts import Fact
from croupier.rules.shelf import Shelf
from croupier.server.api.books import BookName
from croupier.server.api.errors import PROBLEMS
from croupier.server.api.requests import ANYONE, Ask, premises_of
from croupier.server.problems import Problem
from croupier.table.under_way import tumbles_asked

# Commands of every table that are said as a line at it. `void` is told ground by ground, under `voids`.
LINES = ("bet", "take", "call", "find", "no_more_bets", "throw", "adopt")

ROLES: tuple[HouseRole, ...] = get_args(HouseRole)
FieldKind = Kind | Literal["case"]


class Title(msgspec.Struct, frozen=True):
    """What the book calls somebody, and which roles of the house act under that title."""

    title: str
    clause: str
    rank: int
    roles: list[HouseRole]


class Reason(msgspec.Struct, frozen=True):
    """What may be given as a reason: a clause with its `summary` in our own words, or words that need none."""

    reason: str
    summary: str | None


class Field(msgspec.Struct, frozen=True):
    """What is said with an act. A `wager` may come with its `pick`, and `to` with `to_pick`.

    A `case` is one of those that are open (`GET /tables/{table}/cases`); a new one is a text.
    """

    name: str
    kind: FieldKind
    choices: list[str]
    reasons: list[Reason]


class Against(msgspec.Struct, frozen=True):
    """What may stand against it, as its refusal is put."""

    code: str
    say: str
    clause: str | None


class CommandShown(msgspec.Struct, frozen=True):
    """A command that every table knows; `do` is the word of the line. `by` are titles, `roles` those of the house.

    What staff do with it for a player is put in words by `says`, like an act.
    """

    do: str
    by: list[str]
    roles: list[HouseRole]
    clause: str | None
    against: list[Against]
    says: list[str]
    fields: list[Field]


class ActShown(msgspec.Struct, frozen=True):
    """An act. Each of `says` puts it in words, and what stands in braces there is given with it.

    `aside` may be done at a table that runs by itself as well. Acts of one `topic` belong together.
    """

    id: str
    says: list[str]
    by: list[str]
    roles: list[HouseRole]
    clause: str
    fields: list[Field]
    against: list[Against]
    aside: bool
    topic: str


class Ground(msgspec.Struct, frozen=True):
    """A clause by which a throw does not count; `calls` are the words for it, the usual ones first.

    Under one that is `mandatory` nobody may let the throw stand. What `invalidates` undoes an outcome instead, and
    under one that `forfeits` the wagers of certain players may be forfeited.
    """

    clause: str
    summary: str
    by: list[str]
    roles: list[HouseRole]
    calls: list[str]
    kind: Literal["void", "invalidates", "forfeits"]
    mandatory: bool


class BookActs(msgspec.Struct, frozen=True):
    """The conduct of a book. `results` has what is called for each throw, by its faces with a space between.

    `facts` is what a table remembers from the start; what it remembers under the same name since then comes before it.
    `tumbles` is how often the dice are tumbled before a throw, where people do it; 0 where there is nothing to tumble.
    """

    id: str
    titles: list[Title]
    commands: list[CommandShown]
    acts: list[ActShown]
    voids: list[Ground]
    results: dict[str, str]
    facts: dict[str, Fact]
    tumbles: int


@get("/books/{book:str}/acts", opt={"needs": ANYONE}, summary="The acts of a book", responses=PROBLEMS, tags=["books"])
async def acts(request: Ask, book: BookName) -> BookActs:
    """What people do at a table besides wagering: in which words, who may, by which clause, and what stands against it.

    With it come the grounds on which a throw is void, and what is called for each result.
    """
    if book not in rulebooks.ids():
        raise Problem(404, "no_such_book", "There is no book of that id; GET /api/v1/books lists them.")
    premises = premises_of(request)
    return await premises.reading(shown, premises.house.shelf, book)


def shown(shelf: Shelf, book_id: str) -> BookActs:
    """All that people may do by a book."""
    book = shelf.book(book_id)
    conduct = book.conduct
    return BookActs(
        book_id,
        [Title(role.id, role.clause, role.rank, _roles_as(conduct, role.id)) for role in conduct.by_rank],
        [_command(book, power) for power in conduct.powers if power.command in LINES],
        [_act(book, act) for act in conduct.acts],
        [_ground(book, power, clause) for power in conduct.powers for clause in power.reasons],
        _results(book),
        conduct.facts,
        tumbles_asked(book),
    )


def _may(conduct: Conduct, by: Iterable[str]) -> list[str]:
    """The titles of all who may: those named, and those who count among them."""
    return [role.id for role in conduct.by_rank if conduct.may(role.id, by)]


def _roles_as(conduct: Conduct, *own: str) -> list[HouseRole]:
    """The roles of the house that act under one of these titles."""
    return [role for role in ROLES if not set(own).isdisjoint(titles(conduct, role))]


def _against(needs: Iterable[Need], clause: str | None) -> list[Against]:
    return [Against(need.code, need.say, need.clause or clause) for need in needs]


def _command(book: Book, power: Power) -> CommandShown:
    may = _may(book.conduct, power.by)
    word = book.rules.throw.command if power.command == "throw" else power.command
    fields = [Field(name, KINDS.get(name, "text"), [], []) for form in power.says for name in fields_of(form)]
    against = _against(power.needs, power.clause)
    return CommandShown(word, may, _roles_as(book.conduct, *may), power.clause, against, power.says, fields)


def _act(book: Book, act: Act) -> ActShown:
    """An act, with what stands against the command that it begins."""
    conduct = book.conduct
    may, begun = _may(conduct, act.by), None if act.command is None else conduct.power(act.command, None)
    against = _against(act.needs, act.clause) + ([] if begun is None else _against(begun.needs, begun.clause))
    fields = [_field(book, act, name) for name in dict.fromkeys(name for form in act.forms for name in form)]
    return ActShown(act.id, act.says, may, _roles_as(conduct, *may), act.clause, fields, against, act.aside, act.topic)


def _field(book: Book, act: Act, name: str) -> Field:
    kind: FieldKind = KINDS.get(name, "text")
    if name == "case" and all(act.id != opened.opens for opened in book.conduct.cases):
        kind = "case"
    reasons = [Reason(ground, _summary(book, ground)) for ground in act.grounds] if kind == "reason" else []
    return Field(name, kind, act.choices.get(name, []), reasons)


def _summary(book: Book, reason: str) -> str | None:
    known = book.clauses.get(reason)
    return None if known is None else known.summary


def _ground(book: Book, power: Power, clause: str) -> Ground:
    may, undone = _may(book.conduct, power.by), book.rules.void.invalidated
    kind: Literal["void", "invalidates", "forfeits"] = "void"
    if undone is not None and clause in undone.grounds:
        kind = "forfeits" if clause == undone.forfeits else "invalidates"
    calls = [] if kind != "void" else _calls(book, clause)
    roles, mandatory = _roles_as(book.conduct, *may), clause in book.conduct.mandatory
    return Ground(clause, book.clauses[clause].summary, may, roles, calls, kind, mandatory)


def _calls(book: Book, clause: str) -> list[str]:
    """How a void throw is called on this ground."""
    call = next((call for call in book.rules.calls if call.moment == "void"), None)
    return [] if call is None else [call.words, *(words for words, grounds in call.also.items() if clause in grounds)]


def _results(book: Book) -> dict[str, str]:
    outcomes, words = book.outcomes, book.calls.get("result") or "{faces}"
    return {" ".join(map(str, faces)): outcomes.call(place, words) for place, faces in enumerate(outcomes.all)}


HANDLERS = [acts]
