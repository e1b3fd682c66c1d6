"""Endpoint for the acts of a book: their words and fields, who may perform them, and the possible objections.

The pages build their buttons and forms from this, so they contain no rules of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from croupier import rulebooks
from croupier.contract import replies
from croupier.contract.replies import Acts, Against, Field, FieldKind, Ground, Reason, TableCommand, Title
from croupier.house.names import ROLES, titles
from croupier.rules.book import Book
from croupier.rules.conduct import KINDS, Act, Conduct, HouseRole, Need, Power, fields_of
from croupier.rules.shelf import Shelf
from croupier.server.api.requests import BookName
from croupier.server.endpoints import ANYONE, Request, get
from croupier.server.problems import Problem
from croupier.table.under_way import tumbles_asked

# Commands of every table that are given as a line. `void` is listed ground by ground, under `voids`.
LINES = ("bet", "take", "call", "find", "no_more_bets", "throw", "adopt")


@get("/books/{book}/acts", needs=ANYONE, summary="The acts of a book", tags=("books",))
async def acts(request: Request, book: BookName) -> Acts:
    """What people do at a table besides wagering: the words, who may, under which clause, and possible objections.

    With it come the grounds on which a throw is void, and what is called for each result.
    """
    if book not in rulebooks.ids():
        raise Problem(404, "no_such_book", "There is no book with that id; GET /api/v1/books lists them.")
    running_house = request.running_house
    return await running_house.reading(shown, running_house.house.shelf, book)


def shown(shelf: Shelf, book_id: str) -> Acts:
    """Return everything that people may do under a book."""
    book = shelf.book(book_id)
    conduct = book.conduct
    return Acts(
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
    """List the titles of all who may: those named, and those ranked among them."""
    return [role.id for role in conduct.by_rank if conduct.may(role.id, by)]


def _roles_as(conduct: Conduct, *own: str) -> list[HouseRole]:
    """List the roles of the house that act under one of these titles."""
    return [role for role in ROLES if not set(own).isdisjoint(titles(conduct, role))]


def _against(needs: Iterable[Need], clause: str | None) -> list[Against]:
    return [Against(need.code, need.say, need.clause or clause) for need in needs]


def _command(book: Book, power: Power) -> TableCommand:
    may = _may(book.conduct, power.by)
    word = book.rules.throw.command if power.command == "throw" else power.command
    fields = [Field(name, KINDS.get(name, "text"), [], []) for form in power.says for name in fields_of(form)]
    against = _against(power.needs, power.clause)
    return TableCommand(word, may, _roles_as(book.conduct, *may), power.clause, against, power.says, fields)


def _act(book: Book, act: Act) -> replies.Act:
    """Return an act, with the objections to the command that it begins."""
    conduct = book.conduct
    may, begun = _may(conduct, act.by), None if act.command is None else conduct.power(act.command, None)
    against = _against(act.needs, act.clause) + ([] if begun is None else _against(begun.needs, begun.clause))
    fields = [_field(book, act, name) for name in dict.fromkeys(name for form in act.forms for name in form)]
    return replies.Act(
        act.id, act.says, may, _roles_as(conduct, *may), act.clause, fields, against, act.aside, act.topic
    )


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
    """List the calls for a throw that is void on this ground."""
    call = next((call for call in book.rules.calls if call.moment == "void"), None)
    return [] if call is None else [call.words, *(words for words, grounds in call.also.items() if clause in grounds)]


def _results(book: Book) -> dict[str, str]:
    outcomes, words = book.outcomes, book.calls.get("result") or "{faces}"
    return {" ".join(map(str, faces)): outcomes.call(place, words) for place, faces in enumerate(outcomes.all)}


ENDPOINTS = [acts]
