"""Open cases of tables, for those who see to them: whose, since when, about what, and who may do what next."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from croupier.house.deeds.titles import ROLES, titles
from croupier.house.documents import moment
from croupier.house.showing import Eyes
from croupier.house.tables import TableState
from croupier.money import format_cents
from croupier.rules.book import Book
from croupier.rules.conduct import Act, filled
from croupier.rules.shelf import Shelf
from croupier.table.conduct.acting import clause_now
from croupier.table.conduct.cases import OpenCase, open_cases
from croupier.table.conduct.scene import Scene

_STILL_TO_SAY = re.compile(r"(?: and finds it| with| because| for)? \{")


class NextShown(msgspec.Struct, frozen=True):
    """What may be done next: an act in `words`, by whom the book says, and the roles of the house that may."""

    act: str
    words: str
    by: list[str]
    roles: list[str]
    clause: str


class CaseShown(msgspec.Struct, frozen=True):
    """A case that waits for something. The first of `next` is what is expected; `due` is still to be paid.

    `since` is when it came up, by the clock of `zone`; `who` is null where nobody knows whose it is.
    """

    table: str
    title: str
    book: str
    zone: str
    kind: str
    case: str
    who: str | None
    about: str
    since: str | None
    stands: str
    due: str
    next: list[NextShown]


def show_cases(shelf: Shelf, tables: Iterable[TableState], look: Eyes) -> list[CaseShown]:
    """The open cases of some tables that somebody may see, the oldest first: staff see all, others their own."""
    shown = [
        _shown(shelf, state, book, case)
        for state in tables
        for book in [shelf.game(state.game.terms[-1]).book]
        for case in open_cases(book.conduct, state.game.facts)
        if look.all or (look.person is not None and case.who == look.person)
    ]
    return sorted(shown, key=lambda case: (_when(case), case.table, case.case))


def _when(case: CaseShown) -> float:
    return 0.0 if case.since is None else moment(case.since).timestamp()


def _shown(shelf: Shelf, state: TableState, book: Book, case: OpenCase) -> CaseShown:
    scene = Scene(shelf, state.game, None, None, None, {"case": case.case})
    return CaseShown(
        table=state.name,
        title=state.title,
        book=book.id,
        zone=book.rules.book.timezone,
        kind=case.kind,
        case=case.case,
        who=case.who,
        about=case.about,
        since=case.since,
        stands=case.stands,
        due=format_cents(case.due),
        next=[_next(scene, act, case) for act in case.next],
    )


def _next(scene: Scene, act_id: str, case: OpenCase) -> NextShown:
    conduct, act = scene.conduct, scene.conduct.by_id[act_id]
    may = [role.id for role in conduct.roles if conduct.may(role.id, act.by)]
    roles = [role for role in ROLES if not set(may).isdisjoint(titles(conduct, role))]
    return NextShown(act.id, _words(act, case), list(act.by), roles, clause_now(scene, act))


def _words(act: Act, case: OpenCase) -> str:
    """The shortest way to put the act, up to what is still to be said with it."""
    words = filled(min(act.says, key=len), {"case": case.case})
    return _STILL_TO_SAY.split(words)[0]
