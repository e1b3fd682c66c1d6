"""What a PAR sheet says about itself: units and terms that the book needs, what its charts and readings are."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.rules.book import Book
from croupier.sheets.par_session import THROWS
from croupier.sheets.par_wagers import Line

CLOSING = (
    "Croupier deals in play chips only: it takes and pays no money. This sheet was computed by the software named on "
    "it and has been certified by nobody; whoever relies on it should check it against the document itself."
)
NET_RESULTS = (
    "Wagers that can win in more than one way: every net result per unit staked with its chance. The contributions, "
    "result times chance, add up to the player's expectation, which is the house edge with its sign turned."
)


def how_to_read(book: Book, lines: Sequence[Line], throws: str) -> tuple[str, ...]:
    """Units and terms."""
    said = [
        f"Every figure is exact: it is computed from the book's rules with all {len(book.outcomes)} outcomes of a "
        f"{book.rules.throw.command} equally likely, and nothing is simulated. Fractions are exact; decimals under or "
        "beside them are rounded at the last digit printed. Stakes are taken to be such that nothing paid needs "
        "rounding. Picks with equal figures share a line.",
        "Win, lose and void are the chances that the wager, left to its decision, ends so. House edge is what the "
        "house keeps on average of each unit staked, per wager made. Standard deviation and skewness are those of the "
        "net result per unit staked. Under a clause stand the readings by which the wager is read.",
    ]
    if any(line.figures.chance("void") for line in lines):
        said.append(
            "A void wager neither wins nor loses and comes back whole. Where that can happen, the edge per decision "
            "divides by the chance that the wager is not void."
        )
    if any(line.figures.commission for line in lines):
        said.append(
            "Commission is paid with the stake, as the share of it that is printed, and is part of the edge. The "
            "edge is given per stake; per outlay divides by stake and commission together, as public tables do."
        )
    said.append(_about_lengths(lines, throws))
    if book.rules.pay_table.choices:
        said.append(
            "The operator may choose among approved pay-table values; each is named as the commands take it. In charts "
            "the value stands in brackets where it makes a difference."
        )
    if book.rules.pay_table.reckoned == "for":
        said.append("The document's odds include the stake that comes back.")
    return tuple(said)


def _about_lengths(lines: Sequence[Line], throws: str) -> str:
    counted = f"{throws.capitalize()} are those on which the wager is active, from when it is made to its decision."
    if any(line.figures.table_rolls is not None for line in lines):
        counted += " At the table counts those that it sleeps through as well."
    return counted


def about_sessions(throws: str) -> str:
    """What the fan charts show."""
    return (
        f"The player's result over {THROWS} {throws} at a flat stake, the wager made anew as soon as the rules allow "
        "it and what still stands counted at its face. Of the wagers that can be made by themselves: the one with the "
        "lowest house edge, and the one with the widest scatter. Every sequence of outcomes is counted. Ahead is the "
        "chance of a result above zero."
    )


def about_readings(book: Book, listed: set[str]) -> str:
    """What the register is, and how much of it is here."""
    others = sum(reading.id not in listed for reading in book.readings)
    return (
        "Where the document is ambiguous, misprinted or silent, one reading is taken. Rivals that change a figure are "
        "computed. What a rival is worth is the change of the player's expectation per unit staked, a plus sign in the "
        "player's favour; where it differs between picks or situations, the least and the most. "
        f"{others} further readings of this book do not touch money and are not listed here."
    )
