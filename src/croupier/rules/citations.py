"""Every place in a book's rules that cites a clause, and the code that acts on that place.

This is how a clause is traced to its implementation. The citations are found by walking the book; the code that acts
on each part is listed in `ACTS` and `PRIZE_ACTS`.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from croupier.rules.book import Book
from croupier.rules.game import Game
from croupier.rules.machine import Machine
from croupier.rules.prizes import Prizes

# The code that acts on each part of a book. A test checks that these names exist.
ACTS = {
    "phases": "croupier.table.settling.move_phases",
    "rows": "croupier.table.settling.settle",
    "place": "croupier.table.placing.check_moment",
    "take": "croupier.table.taking.take_wager",
    "taking": "croupier.table.taking.taking_clause",
    "sleeps": "croupier.table.state.TableView.asleep",
    "behind": "croupier.table.placing.check_flat",
    "commission": "croupier.rules.offers.commission_rate",
    "multiple": "croupier.table.placing.check_multiple",
    "fixed_stake": "croupier.table.placing.check_limits",
    "sole": "croupier.table.placing.check_sole",
    "stands_on_void": "croupier.table.voiding.void_events",
    "optional": "croupier.table.placing.check_offered",
    "clause": "croupier.table.placing.place_wager",
    "pay_table": "croupier.rules.game.Game",
    "betting": "croupier.table.throwing.close_bets",
    "void": "croupier.table.voiding.void_throw",
    "thrower": "croupier.table.thrower.next_thrower",
    "limits": "croupier.table.placing.check_limits",
    "card": "croupier.table.placing.check_card",
    "calls": "croupier.table.state.TableView.call",
    "throw": "croupier.table.throwing.throw",
    "lights": "croupier.felt.results.lamps",
    "layout": "croupier.play",
    "roles": "croupier.table.conduct.acting.perform_act",
    "powers": "croupier.table.conduct.acting.check_power",
    "acts": "croupier.table.conduct.acting.perform_act",
    "mandatory": "croupier.table.conduct.moments.observe",
    "lapses": "croupier.table.under_way.lapse",
    "early_call": "croupier.table.under_way.note_void_call",
}

# The code that acts on each part of a book's prize rules.
PRIZE_ACTS = {
    "clause": "croupier.prizes.decide.decide",
    "kinds": "croupier.prizes.terms.check_terms",
    "terms": "croupier.prizes.terms.check_terms",
    "terms_clause": "croupier.prizes.terms.check_terms",
    "prohibited": "croupier.prizes.terms.check_prohibited",
    "prohibited_clause": "croupier.prizes.terms.check_prohibited",
    "scrutineer": "croupier.prizes.drawing.check_scrutineer",
    "alternative": "croupier.prizes.giving.choose_alternative",
    "payment": "croupier.prizes.giving.pay_prize",
    "filing": "croupier.prizes.filing.file_terms",
    "amending": "croupier.prizes.filing.amend_terms",
    "availability": "croupier.prizes.filing.start_promotion",
    "winners": "croupier.prizes.giving.tell_winner",
    "refusals": "croupier.prizes.claims.deny_claim",
    "disputes": "croupier.prizes.claims.advise_of_right",
    "integrity": "croupier.prizes.claims.tell_inspector",
}

_CITING = ("clause", "stands_on_void", "optional", "taking", "grounds")


class Citation(msgspec.Struct, frozen=True):
    """A clause, the place in the book that cites it, and the code that acts on that place."""

    clause: str
    place: str
    acts: str


def citations(book: Book, game: Game) -> Iterator[Citation]:
    """Yield all citations of a book: its rules, its machines row by row, its conduct, prizes and layout."""
    rules = book.rules
    for name in ("throw", "pay_table", "betting", "void", "thrower", "limits", "card", "calls", "lights"):
        for clause, place in _walk(getattr(rules, name), name):
            yield Citation(clause, place, ACTS[name])
    for phase in rules.phases:
        yield Citation(phase.clause, f"phase {phase.id}", ACTS["phases"])
        for clause, row in sorted(_rows(book.phase_machines[phase.id])):
            yield Citation(clause, f"phase {phase.id}, row {row + 1}", ACTS["phases"])
    for wager in rules.wagers:
        yield from _of_wager(book, game, wager.id)
    yield from _of_conduct(book)
    yield from _of_prizes(book)
    if book.layout is not None:
        yield Citation(book.layout.clause, "layout", ACTS["layout"])


def _of_conduct(book: Book) -> Iterator[Citation]:
    conduct, known = book.conduct, book.citable()
    for role in conduct.roles:
        yield Citation(role.clause, f"role {role.id}", ACTS["roles"])
    for ground in conduct.mandatory:
        yield Citation(ground, "mandatory grounds", ACTS["mandatory"])
    for lapse in conduct.lapses:
        yield Citation(lapse.clause, "lapses", ACTS["lapses"])
    if conduct.early_call is not None:
        yield Citation(conduct.early_call, "early call", ACTS["early_call"])
    for power in conduct.powers:
        for clause, place in _walk(power, f"power {power.id}"):
            yield Citation(clause, place, ACTS["powers"])
        for clause in [*power.reasons, *power.refusals.values()]:
            yield Citation(clause, f"power {power.id}", ACTS["powers"])
    for act in conduct.acts:
        for clause, place in _walk(act, f"act {act.id}"):
            if not place.endswith(".grounds") or clause in known:  # a ground may be words rather than a clause
                yield Citation(clause, place, ACTS["acts"])


def _of_prizes(book: Book) -> Iterator[Citation]:
    if book.prizes is not None:
        yield from prize_citations(book.prizes)


def prize_citations(prizes: Prizes) -> Iterator[Citation]:
    """Yield the citations in a book's prize rules, row by row."""
    for part, acts in PRIZE_ACTS.items():
        value = getattr(prizes, part)
        rows = (
            [(f"prizes, {part} {row.id}", row) for row in value]
            if isinstance(value, list)
            else [(f"prizes, {part}", value)]
        )
        for name, row in rows:
            for clause, place in _walk(row, name):
                yield Citation(clause, place, acts)


def _of_wager(book: Book, game: Game, wager_id: str) -> Iterator[Citation]:
    wager = book.wagers[wager_id]
    for field in msgspec.structs.fields(wager):
        if field.name in ACTS and field.name != "rows":
            for clause, place in _walk(getattr(wager, field.name), field.name):
                yield Citation(clause, f"wager {wager_id}, {place}", ACTS[field.name])
    for clause, row in sorted({cited for pick in book.picks(wager) for cited in _rows(game.machine(wager_id, pick))}):
        yield Citation(clause, f"wager {wager_id}, row {row + 1}", ACTS["rows"])


def _rows(machine: Machine) -> set[tuple[str, int]]:
    return {(entry.clause, entry.row) for entries in machine.table.values() for entry in entries}


def _walk(value: object, name: str) -> Iterator[tuple[str, str]]:
    """Yield the clauses anywhere inside a part of a book: citing fields, and everything under `[limits]`."""
    if isinstance(value, msgspec.Struct):
        for field in msgspec.structs.fields(value):
            inner = getattr(value, field.name)
            cites = field.name in _CITING or field.name.endswith("_clause") or name == "limits"
            if cites or not isinstance(inner, str):
                yield from _walk(inner, f"{name}.{field.name}")
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from _walk(inner, f"{name}[{i}]") if not isinstance(inner, str) else _cited(inner, name)
    elif isinstance(value, str):
        yield value, name


def _cited(clause: str, name: str) -> Iterator[tuple[str, str]]:
    if name.endswith("grounds"):
        yield clause, name
