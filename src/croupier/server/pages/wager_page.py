"""The page of a wager: what it pays, how it is decided clause by clause, how it is staked, and when it sleeps."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.rules import schema
from croupier.rules.compiling import pick_words
from croupier.server.pages.citing import book_address, clause_link, clause_links, wager_address
from croupier.server.pages.frame import Page
from croupier.server.pages.html import Html, Inside, element, facts, items, joined, link, table
from croupier.server.pages.known import Known
from croupier.server.pages.pay_tables import own_pay_table
from croupier.server.pages.rows import any_of, wager_rows

_MANY = 20


def wager_page(known: Known, wager: schema.Wager) -> Page:
    """One wager."""
    book = known.book
    body = joined(
        element("h1", wager.name),
        element("p", wager.help, class_="summary"),
        facts([("Clause", clause_link(book, wager.clause)), *_picks(wager)]),
        element("h2", "What it pays"),
        own_pay_table(known, wager),
        element("p", "Pay table: ", clause_link(book, book.rules.pay_table.clause), class_="note"),
        element("h2", "How it is decided"),
        _rows(known, wager),
        _section(known, "Making it and taking it down", [*_conditions(wager), *_terms(wager, known)]),
        _section(known, "The stake", list(_stake(wager, known))),
        _section(known, "Sleeping", list(_sleep(wager, known))),
    )
    way = (("/rules", "Rules"), (book_address(book.id), book.rules.book.title))
    return Page(f"{wager.name}, {book.rules.book.game}", body, way)


def wagers_list(known: Known) -> Html:
    """Every wager of a book by name."""
    rows = [link(wager_address(known.book.id, wager.id), wager.name) for wager in known.book.rules.wagers]
    return items(rows, class_="names")


def _picks(wager: schema.Wager) -> list[tuple[Inside, Inside]]:
    picks = [pick_words(wager.id, pick)["pick"].replace(" ", "-") for pick in wager.picks]
    shown = ", ".join(picks) if len(picks) <= _MANY else f"{len(picks)} of them"
    return [("Picks", shown)] if picks else []


def _rows(known: Known, wager: schema.Wager) -> Html:
    rows = wager_rows(known.game, wager)
    has_states = any(row.state for row in rows)
    heads = ("While", "On", "It", "Clause") if has_states else ("On", "It", "Clause")
    cells: list[tuple[Inside, ...]] = []
    for row in rows:
        where = element("small", row.where) if row.where else None
        cell: tuple[Inside, ...] = ((row.on, where), row.then, clause_links(known.book, row.clauses))
        cells.append((row.state, *cell) if has_states else cell)
    return table(heads, cells, "How it is decided")


Cited = tuple[str, str]  # a sentence, and the clause behind it


def _section(known: Known, title: str, lines: list[Cited]) -> Html:
    if not lines:
        return Html()
    rows = [(sentence, " ", clause_link(known.book, clause)) for sentence, clause in lines]
    return joined(element("h2", title), items(rows))


def _conditions(wager: schema.Wager) -> Iterator[Cited]:
    for condition in (*wager.place, *wager.take):
        yield f"Refused otherwise: “{condition.say}”", condition.clause


def _terms(wager: schema.Wager, known: Known) -> Iterator[Cited]:
    if wager.optional is not None:
        yield "A table may leave it out.", wager.optional
    if wager.taking is not None:
        yield "It may be taken down at any time.", wager.taking
    if wager.sole is not None:
        yield "One player at a time makes it.", wager.sole.clause
        yield "The pick is declared beforehand.", wager.sole.declared_clause
        yield "Who loses it lets others go first.", wager.sole.turn_clause
    if wager.stands_on_void is not None:
        yield "It stands through void throws.", wager.stands_on_void


def _stake(wager: schema.Wager, known: Known) -> Iterator[Cited]:
    limits, behind, cost = known.book.rules.limits, wager.behind, wager.commission
    if wager.fixed_stake is not None:
        say = f"Its stake is one amount that the table sets; {wager.fixed_stake.default} where it sets none."
        yield say, wager.fixed_stake.clause
    else:
        for clause in dict.fromkeys((limits.minimum, limits.maximum)):
            if clause is not None:
                named = [name for name in ("minimum", "maximum") if getattr(limits, name) == clause]
                yield f"The sign at the table states its {' and its '.join(named)}.", clause
    if wager.multiple is not None:
        yield f"It is made in multiples of {wager.multiple.chips} of the smallest chip.", wager.multiple.clause
    if behind is not None:
        flat = known.book.wagers[behind.flat].name
        yield f"It lies behind a {flat} wager of the same player.", behind.clause
        of = "the stake of" if behind.of == "stake" else "and is reckoned by what it can win, against"
        most = {2: "double", 3: "three times"}.get(behind.times, f"{behind.times} times")
        yield f"It goes up to {most} {of} that wager.".replace("double and", "double, and"), behind.limit_clause
    if cost is not None:
        of = "the stake" if cost.of == "stake" else "what it can win"
        yield f"A commission of {float(100 * Fraction(cost.rate)):g}% of {of} is paid with it.", cost.clause


def _sleep(wager: schema.Wager, known: Known) -> Iterator[Cited]:
    if wager.sleeps is None:
        return
    when = wager.sleeps.when
    phase = known.book.phases[when.phase].name
    states = f"is at {any_of(when.is_)}" if when.is_ else f"is not at {any_of(when.not_)}"
    yield f"It sleeps while the {phase} {states}: a throw then neither wins nor loses it.", wager.sleeps.clause
    yield "Its player may call it On or Off.", wager.sleeps.call_clause
