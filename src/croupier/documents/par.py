"""The content of a PAR sheet: the probability accounting report of one book, as a plain document for any format.

It follows the order of a mathematics submission: which document it is, how to read the figures, the figures at a
glance, all of them, how they arise, and how doubtful clauses were read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from croupier import rulebooks
from croupier.documents.charts import Spread, fan
from croupier.documents.document import (
    Cell,
    Column,
    Document,
    Facts,
    Group,
    Picture,
    Pictures,
    Section,
    Table,
    Words,
    digest,
)
from croupier.documents.par_wagers import (
    Line,
    edge_and_volatility,
    is_asked_for,
    lines_of,
    net_results,
    rolls_to_decision,
    wager_table,
)
from croupier.documents.wording import day, dollars, is_long, listed, percent, signed, signed_percent
from croupier.maths.plan import Lot, Plan
from croupier.maths.rows import Analysis, Case, Row
from croupier.maths.session import Outlook, Session
from croupier.money import round_up_to_chip
from croupier.rules import schema
from croupier.rules.book import Book
from croupier.rules.game import WHOLE_TABLE, Game, Terms, read_pay_table
from croupier.rules.machine import pick_words
from croupier.rules.offers import one_amount, unit_chips
from croupier.rules.shelf import Shelf
from croupier.table.commands import Settings

KIND = "PAR sheet"


def par_sheet(shelf: Shelf, book_id: str, version: str, pay_table: str | None = None) -> Document:
    """Build the PAR sheet of a book, for all approved pay-table values or those requested. Raises PayTableError."""
    terms = shelf.terms(book_id, read_pay_table(pay_table))
    book = shelf.book(book_id)
    mark = digest(book)
    return Document(
        kind=KIND,
        title=book.rules.book.title,
        identity=identity(book, mark, version, pay_table),
        sections=tuple(_sections(shelf, terms, None if pay_table is None else values_of(terms))),
        closing=CLOSING,
        foot=f"{book.id} · digest {mark[:16]} · croupier {version}",
    )


def values_of(terms: Terms) -> set[str]:
    """The pay-table values under these terms, as rows name them: `two`, `hardway.4=6`."""
    return {option if name == WHOLE_TABLE else f"{name}={option}" for name, option in terms.choices}


def identity(book: Book, mark: str, version: str, pay_table: str | None) -> Facts:
    """Which document this is about, and what it was computed from."""
    names = book.rules.book
    displayed = f"{pay_table} only" if pay_table else "every approved value"
    facts: list[tuple[str, tuple[str, ...]]] = [
        ("Game", (names.game,)),
        ("Book", (names.id if names.extends is None else f"{names.id}, which extends {names.extends}",)),
        ("Jurisdiction", (names.jurisdiction,)),
        ("Casino", (names.casino,)),
        ("Regulator", (names.regulator,)),
        ("Instrument", (names.instrument,)),
        ("Signed", (day(names.signed) if names.signed else "undated",)),
        ("Takes effect", (names.takes_effect,)),
        ("Pay table", (displayed,) if book.rules.pay_table.choices else ()),
        ("Damage", tuple(names.damage) or ("none known",)),
        ("Digest of the book", (f"SHA-256 {mark}",)),
        ("Software", (f"croupier {version}",)),
    ]
    return Facts(tuple((label, said) for label, said in facts if said))


def _sections(shelf: Shelf, terms: Terms, values: set[str] | None) -> Iterator[Section]:
    analysis = Analysis(shelf, terms.book)
    book = analysis.book
    throws = f"{book.rules.throw.command}s"
    lines = lines_of(analysis, values)
    yield Section("How to read this sheet", (Words(how_to_read(book, lines, throws)),))
    yield Section("At a glance", (edge_and_volatility(lines),))
    yield Section("All wagers", (wager_table(lines, throws),))
    lengths = rolls_to_decision(lines, throws)
    if lengths is not None:
        yield Section(f"{throws.capitalize()} to decision", (lengths,))
    results = net_results(lines)
    if results is not None:
        yield Section("Net results", (Words((NET_RESULTS,)), results))
    pictures, table = sessions(shelf.game(terms), lines, values_of(terms), throws)
    yield Section("Sessions", (Words((about_sessions(throws),)), pictures, table), together=True)
    rows = [row for row in analysis.rows() if is_asked_for(row.pay_table, values)]
    groups = reading_groups(shelf, book, rows)
    about = Words((about_readings(book, {group.title for group in groups}),))
    yield Section("Readings taken that affect money", (about, *groups))


# Explanatory text: the units and terms that the book needs, its charts and its readings

CLOSING = (
    "Croupier uses play chips only: it takes and pays no money. This sheet was computed by the software named on it "
    "and is not certified. Check it against the document itself before you rely on it."
)
NET_RESULTS = (
    "Wagers that can win in more than one way: every net result per unit staked with its chance. The contributions, "
    "result times chance, add up to the player's expectation, which is minus the house edge."
)


def how_to_read(book: Book, lines: Sequence[Line], throws: str) -> tuple[str, ...]:
    """Explain units and terms."""
    said = [
        f"Every figure is exact: it is computed from the book's rules with all {len(book.outcomes)} outcomes of a "
        f"{book.rules.throw.command} equally likely, and nothing is simulated. Fractions are exact; decimals under or "
        "beside them are rounded at the last digit printed. Stakes are assumed to be such that no payment needs "
        "rounding. Picks with equal figures share a line.",
        "Win, lose and void are the probabilities of each result if the wager stands until it is decided. House edge "
        "is what the house keeps on average of each unit staked, per wager made. Standard deviation and skewness are "
        "those of the net result per unit staked. The readings applied to a wager are listed under its clause.",
    ]
    if any(line.figures.chance("void") for line in lines):
        said.append(
            "A void wager is returned in full. If a wager can be void, the edge per decision is its edge divided by "
            "the probability that it is not void."
        )
    if any(line.figures.commission for line in lines):
        said.append(
            "Commission is paid with the stake, at the rate printed, and is part of the edge. The edge is per unit "
            "staked; the edge per outlay divides by stake and commission together, as public tables do."
        )
    said.append(_about_lengths(lines, throws))
    if book.rules.pay_table.choices:
        said.append(
            "The operator may choose among approved pay-table values; each is named as in the commands. Charts show "
            "the value in parentheses if it makes a difference."
        )
    if book.rules.pay_table.reckoned == "for":
        said.append("The document's odds include the stake that comes back.")
    return tuple(said)


def _about_lengths(lines: Sequence[Line], throws: str) -> str:
    counted = f"{throws.capitalize()} are those on which the wager is active, from when it is made to its decision."
    if any(line.figures.table_rolls is not None for line in lines):
        counted += " “At the table” also counts those on which it is inactive."
    return counted


def about_sessions(throws: str) -> str:
    """Explain the fan charts."""
    return (
        f"The player's result over {THROWS} {throws} at a flat stake. The wager is made again as soon as the rules "
        "allow it, and an unsettled wager counts at face value. Of the wagers that can be made by themselves, the "
        "charts show the one with the lowest house edge and the one with the largest standard deviation. Every "
        "sequence of outcomes is counted. Ahead is the probability of a result above zero."
    )


def about_readings(book: Book, listed: set[str]) -> str:
    """Explain the register of readings, and how much of it is listed here."""
    others = sum(reading.id not in listed for reading in book.readings)
    return (
        "Where the document is ambiguous, misprinted or silent, one reading is taken. Rival readings that change a "
        "figure are computed. The worth of a rival is the change in the player's expectation per unit staked; plus "
        "favours the player. If it differs between picks or situations, the smallest and the largest are given. "
        f"{others} further readings of this book do not affect money and are not listed here."
    )


# Readings: how doubtful clauses about money are read, and what each rival would be worth

MANY_WAGERS = 6
FEW = 4

_COLUMNS = (
    Column("Rival", "left", 5),
    Column("Wager", "left", 2),
    Column("Worth to the player", "left", 3),
    Column("up to", "left", 3),
)


def reading_groups(shelf: Shelf, book: Book, rows: Sequence[Row]) -> list[Group]:
    """Every reading that affects money, in the register's order, with its rivals as the rows compute them."""
    rivals = [row for row in rows if not row.taken]
    computed = dict.fromkeys(reading_id(row) for row in rivals if row.cost)
    own = {reading.id: reading for reading in book.readings if "MONEY" in reading.tags or reading.id in computed}
    asides = {id_: f"clauses {', '.join(_cited(book, reading))}" for id_, reading in own.items()}
    for id_ in computed:
        if id_ not in own:
            home, own[id_] = _found(shelf, id_)
            asides[id_] = f"registered with {home}"
    return [_group(own[id_], asides[id_], [row for row in rivals if reading_id(row) == id_]) for id_ in own]


def reading_id(row: Row) -> str:
    """The reading that a row is about: `SB-8` of the rival `SB-8 letter`."""
    return (row.reading or "").split(" ")[0]


def _found(shelf: Shelf, id_: str) -> tuple[str, schema.Reading]:
    """A reading shared from another book's register, and that book's id."""
    every = ((book_id, reading) for book_id in rulebooks.ids() for reading in shelf.book(book_id).readings)
    return next((book_id, reading) for book_id, reading in every if reading.id == id_)


def _cited(book: Book, reading: schema.Reading) -> Iterator[str]:
    """The clauses of this book that a reading is about; readings common to several books name the book first."""
    for cited in reading.clauses:
        first, _, rest = cited.partition(" ")
        if first in book.lineage:
            yield rest
        elif first not in rulebooks.ids():
            yield cited


def _group(reading: schema.Reading, aside: str, rows: Sequence[Row]) -> Group:
    facts = [("Question", (reading.question,)), ("Taken", (reading.taken,))]
    if reading.edge:
        facts.append(("Edge as taken", (reading.edge,)))
    named = {rival.name: rival for rival in reading.rivals}
    lines: list[tuple[Cell, ...]] = []
    for name in dict.fromkeys([*named, *(rival_name(row) for row in rows)]):
        lines += _rival(name, named.get(name), [row for row in rows if rival_name(row) == name])
    parts: list[Facts | Table] = [Facts(tuple(facts))]
    if lines:
        parts.append(Table(_COLUMNS, tuple(lines)))
    return Group(reading.id, aside, tuple(parts))


def rival_name(row: Row) -> str:
    """The name of the rival: `letter` of `SB-8 letter`."""
    return (row.reading or "").partition(" ")[2]


def _rival(name: str, rival: schema.Rival | None, rows: Sequence[Row]) -> Iterator[tuple[Cell, ...]]:
    """A line for each wager that the rival changes, or one for all if there are many."""
    said = Cell(name, rival.reading if rival else "")
    if not rows:
        edge = rival.edge if rival and rival.edge else "not computed"
        yield said, Cell("–"), Cell(edge), Cell("")
        return
    by_wager: dict[str, list[Row]] = {}
    for row in rows:
        by_wager.setdefault(row.name, []).append(row)
    if len(by_wager) > MANY_WAGERS:
        yield said, Cell(f"{len(by_wager)} wagers"), *_range(rows, with_name=True)
        return
    for wager, members in by_wager.items():
        yield said, Cell(wager), *_range(members, with_name=False)
        said = Cell(name)


def _range(rows: Sequence[Row], with_name: bool) -> tuple[Cell, Cell]:
    """The least and the most that a rival is worth to the player, and where; the second is empty if they are equal."""
    least, most = min(row.cost for row in rows), max(row.cost for row in rows)
    return _worth(least, rows, with_name), Cell("") if least == most else _worth(most, rows, with_name)


def _worth(cost: Fraction, rows: Sequence[Row], with_name: bool) -> Cell:
    """The worth of a rival, with the wagers or picks, pay-table values and situations where it applies."""
    alike = [row for row in rows if row.cost == cost]
    wagers = list(dict.fromkeys(row.name for row in alike))
    picks = list(dict.fromkeys(pick_words("", row.pick)["pick"] for row in alike if row.pick is not None))
    where = []
    if with_name:
        where.append(", ".join(wagers) if len(wagers) <= FEW else f"{len(wagers)} wagers")
    elif 0 < len(picks) <= MANY_WAGERS:
        where.append(", ".join(picks))
    tables = {row.pay_table for row in alike}
    if not with_name and tables != {row.pay_table for row in rows if row.pick in {other.pick for other in alike}}:
        where.append(listed(row.pay_table for row in alike if row.pay_table))
    where.append(listed(row.situation for row in alike if row.situation))
    if is_long(cost):
        return Cell(signed_percent(cost), "; ".join(filter(None, [signed(cost), *where])))
    return Cell(f"{signed(cost)} ({signed_percent(cost)})" if cost else "0", "; ".join(filter(None, where)))


# Sessions: the distribution of a player's result over time at a flat stake. Two wagers represent the book: of those
# that can be made alone, the one with the lowest house edge and the one with the largest standard deviation.

THROWS = 100
STEP = 2  # results of even-money wagers alternate between odd and even numbers of throws
TOLD = (20, 50, 100)
STAKE_CENTS = 1000
CHIP_CENTS = 100
SHARES = tuple(Fraction(share, 100) for share in (5, 25, 50, 75, 95))

_FIGURES = ("after", "5 %", "25 %", "Median", "75 %", "95 %", "Mean", "Std dev.", "Ahead")
_SESSION_COLUMNS = (Column("Wager", "left", 2), *(Column(name, share=1) for name in _FIGURES))


class Chosen(NamedTuple):
    """A wager that represents the book: the reason, its title, and its stake."""

    why: str
    title: str
    lot: Lot


def sessions(game: Game, lines: Sequence[Line], values: set[str], throws: str) -> tuple[Pictures, Table]:
    """A fan chart for each chosen wager, and the same in figures."""
    pictures: list[Picture] = []
    rows: list[tuple[Cell, ...]] = []
    for chosen in choose_wagers(game, lines, values):
        plan = Plan(game, (chosen.lot,), chip_cents=CHIP_CENTS)
        outlooks = list(Session(plan, THROWS).outlooks(range(0, THROWS + 1, STEP)))
        pictures.append(_picture(chosen, outlooks, throws))
        rows += [_row(chosen, outlooks[told // STEP], throws) for told in TOLD]
    return Pictures(tuple(pictures), 2), Table(_SESSION_COLUMNS, tuple(rows))


def choose_wagers(game: Game, lines: Sequence[Line], values: set[str]) -> list[Chosen]:
    """The lowest house edge and the largest variance, the earlier in the book on ties; one wager if they agree."""
    by_itself: list[tuple[Line, Case]] = []
    for line in lines:
        cases = [case for case in line.cases if is_asked_for(case.pay_table, values)]
        if cases and line.wager.stands_alone:
            by_itself.append((line, cases[0]))
    lowest = min(by_itself, key=lambda item: item[0].figures.edge)
    widest = max(by_itself, key=lambda item: item[0].figures.variance)
    if lowest == widest:
        return [_chosen(game, "Lowest house edge and largest standard deviation", *lowest)]
    return [_chosen(game, "Lowest house edge", *lowest), _chosen(game, "Largest standard deviation", *widest)]


def _chosen(game: Game, why: str, line: Line, case: Case) -> Chosen:
    stake = flat_stake(game, line.wager, case)
    pick = pick_words("", case.pick)["pick"]
    title = " ".join(part for part in (line.wager.name, pick) if part)
    return Chosen(why, f"{title}, {dollars(stake)}", Lot(case.wager, stake, case.pick))


def flat_stake(game: Game, wager: schema.Wager, case: Case) -> int:
    """10.00, or the next stake above it at which nothing is rounded; a fixed amount if the book has one."""
    unit = unit_chips(game, wager, case.pick, case.start, exact=True) * CHIP_CENTS
    return one_amount(wager, Settings(chip=CHIP_CENTS)) or round_up_to_chip(STAKE_CENTS, unit)


def _picture(chosen: Chosen, outlooks: Sequence[Outlook], throws: str) -> Picture:
    spreads = [
        Spread(o.throws, tuple(o.quantile(share) / 100 for share in SHARES), float(o.moments.mean / 100))
        for o in outlooks
    ]
    last = outlooks[-1]
    drawing = fan(
        f"Session of {THROWS} {throws}: {chosen.title}",
        f"After {last.throws} {throws} at least 90\u00a0% of results lie between {dollars(last.quantile(SHARES[0]))} "
        f"and {dollars(last.quantile(SHARES[-1]))}; the mean is {dollars(last.moments.mean)}.",
        spreads,
        throws,
        "result in dollars",
    )
    return Picture(drawing, f"{chosen.why}: {chosen.title}", drawing.description)


def _row(chosen: Chosen, outlook: Outlook, throws: str) -> tuple[Cell, ...]:
    mean, variance, _ = outlook.moments
    quantiles = [Cell(dollars(outlook.quantile(share))) for share in SHARES]
    figures = (
        Cell(dollars(mean)),
        Cell(dollars(Fraction(float(variance) ** 0.5))),
        Cell(percent(outlook.chance(1), 2)),
    )
    return Cell(chosen.title), Cell(f"{outlook.throws} {throws}"), *quantiles, *figures
