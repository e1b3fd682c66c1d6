"""The register of readings: complete, with citations; rejected readings that can be played cost what the register
says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

import pytest

from croupier.rules.book import Book, common_readings
from croupier.rules.checking import all_choices
from croupier.rules.errors import RuleBookError
from croupier.rules.game import Game
from croupier.rules.shelf import Shelf
from tests.chains import expectation
from tests.tables import BOOKS, SHELF

COUNTS = {"craps-nsw-2024": ("CR", 36), "sic-bo-nsw-2016": ("SB", 29), "two-up-nsw-2016": ("TU", 19)}
COUNTS |= {"snake-eyes-nsw-2019": ("SE", 16), "snake-eyes-nz": ("NZ", 23)}

# Book, reading (None: as taken), wager, pick, start, expectation of the player.
EDGES: list[tuple[str, str | None, str, object, str, Fraction]] = [
    ("sic-bo-nsw-2016", None, "super_streak", "size", "small 0", Fraction(-201, 2048)),
    ("sic-bo-nsw-2016", "SB-1 A", "super_streak", "parity", "odd 1", Fraction(823, 1024)),
    ("sic-bo-nsw-2016", "SB-1 B", "super_streak", "size", "fresh", Fraction(823, 1024)),
    ("sic-bo-nsw-2016", "SB-1 C prime", "super_streak", "even", "even 0", Fraction(-201, 2048)),
    ("sic-bo-nsw-2016", "SB-1 D", "super_streak", "size", "big waits", Fraction(-2249, 4096)),
    ("sic-bo-nsw-2016", "SB-3 paid at the end", "super_streak", "size", "big 0", Fraction(-201, 2048)),
    ("sic-bo-nsw-2016", "SB-3 unpaid past 12", "super_streak", "size", "big 0", Fraction(-1305, 8192)),
    ("sic-bo-nsw-2016", "SB-4 each rung", "super_streak", "size", "big 0", Fraction(317, 512)),
    ("sic-bo-nsw-2016", None, "even", None, "standing", Fraction(-1, 36)),
    ("sic-bo-nsw-2016", "SB-8 letter", "even", None, "standing", Fraction(-5, 18)),
    ("sic-bo-nsw-2016", "SB-8 letter, 18 wins", "even", None, "standing", Fraction(-29, 108)),
    ("sic-bo-nsw-2016", "SB-8 10 added, 18 wins", "even", None, "standing", Fraction(-1, 54)),
    ("sic-bo-nsw-2016", None, "four_number", (1, 2, 3, 4), "standing", Fraction(-1, 9)),
    ("sic-bo-nsw-2016", "SB-9 repeats", "four_number", (2, 3, 5, 6), "standing", Fraction(37, 27)),
    ("sic-bo-nsw-2016", None, "specific_double", 3, "standing", Fraction(-1, 9)),
    ("sic-bo-nsw-2016", "SB-10 triple loses", "specific_double", 3, "standing", Fraction(-1, 6)),
    ("snake-eyes-nz", None, "hardway_combo", None, "standing", Fraction(-1, 11)),
    ("snake-eyes-nz", "NZ-1 own hardway only", "hardway_combo", None, "4 6 8 10", Fraction(844771, 1343034)),
    ("snake-eyes-nz", None, "field", None, "standing", Fraction(-1, 36)),
    ("snake-eyes-nz", "NZ-4 line by line", "field", None, "standing", Fraction(-1, 12)),
    ("snake-eyes-nz", "NZ-11 letter", "hardway", 4, "standing", Fraction(-7, 9)),
    ("craps-nsw-2024", None, "win_line", None, "come out", Fraction(-7, 495)),
    ("craps-nsw-2024", None, "dont_win", None, "come out", Fraction(-3, 220)),
    ("craps-nsw-2024", None, "crap_eleven", None, "standing", Fraction(-1, 18)),
    ("craps-nsw-2024", "CR-1 whole stake back", "crap_eleven", None, "standing", Fraction(1, 36)),
    ("craps-nsw-2024", "CR-1 odds on all", "crap_eleven", None, "standing", Fraction(8, 9)),
    ("craps-nsw-2024", None, "horn", None, "standing", Fraction(-1, 18)),
    ("craps-nsw-2024", "CR-2 whole stake back", "horn", None, "standing", Fraction(5, 72)),
    ("craps-nsw-2024", "CR-3 letter", "dont_win", None, "point 4", Fraction(1, 3)),
    ("craps-nsw-2024", "CR-3 letter", "dont_win", None, "point 9", Fraction(1, 5)),
    ("craps-nsw-2024", "CR-3 letter", "dont_win", None, "point 6", Fraction(1, 11)),
    ("two-up-nsw-2016", None, "spinner", "heads", "0 up 0 odds", Fraction(-17841, 524288)),
    ("two-up-nsw-2016", "TU-1 five in all", "spinner", "tails", "0 up 0 odds", Fraction(-365, 2048)),
    ("two-up-nsw-2016", None, "heads", None, "0 odds", Fraction(-1, 32)),
]


@pytest.mark.parametrize(("book", "reading", "wager", "pick", "start", "expected"), EDGES)
def test_edges(book: str, reading: str | None, wager: str, pick: object, start: str, expected: Fraction) -> None:
    game = SHELF.game(SHELF.terms(book, None, (reading,) if reading else ()))
    machine = game.machine(wager, pick)  # type: ignore[arg-type]
    assert start in machine.starts
    assert expectation(machine, start) == expected


def test_triples_that_end_a_streak_cost_what_the_register_says() -> None:
    """SB-2 prints percentages only."""
    plain = SHELF.game(SHELF.terms("sic-bo-nsw-2016", None, ("SB-2 triple ends",))).machine("super_streak", "size")
    with_a = SHELF.terms("sic-bo-nsw-2016", None, ("SB-1 A", "SB-2 triple ends"))
    assert round(float(expectation(plain, "small 0")) * 100, 3) == -23.597
    assert round(float(expectation(SHELF.game(with_a).machine("super_streak", "size"), "small 1")) * 100, 2) == 57.17


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_register_is_complete(book_id: str) -> None:
    prefix, count = COUNTS[book_id]
    own = [reading.id for reading in SHELF.book(book_id).readings if reading.id.startswith(prefix)]
    assert own == [f"{prefix}-{n}" for n in range(1, count + 1)]
    assert [reading.id for reading in common_readings()] == [f"X-{n}" for n in range(1, 65)]


@pytest.mark.parametrize("book_id", BOOKS)
def test_readings_cite_clauses_that_exist(book_id: str) -> None:
    book = SHELF.book(book_id)
    own = [(r.id, c) for r in book.readings for c in r.clauses if not r.id.startswith("X-")]
    common = [(r.id, c.partition(" ")[2]) for r in common_readings() for c in r.clauses if c.split(" ")[0] == book_id]
    assert [(reading, clause) for reading, clause in own + common if clause not in book.citable()] == []


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_playable_rival_is_registered_and_compiles(book_id: str) -> None:
    registered = {f"{r.id} {rival.name}" for b in BOOKS for r in SHELF.book(b).readings for rival in r.rivals}
    for rival in SHELF.book(book_id).rivals:
        assert rival in registered
        book = Shelf().book(book_id, (rival,))
        for choices in all_choices(book.rules.pay_table):
            for wager in book.rules.wagers:
                for pick in book.picks(wager):
                    assert Game(book, choices).machine(wager.id, pick).table


def test_an_unknown_rival_is_refused_by_name() -> None:
    with pytest.raises(RuleBookError, match=r'no rival reading "SB-8 nonsense".*SB-8 letter'):
        Shelf().book("sic-bo-nsw-2016", ("SB-8 nonsense",))


# Chances

# A share, a probability, a count of outcomes or a long decimal; and words that speak of nothing else.
FIGURE = re.compile(r"\d\s?%|\d\s?/\s?\d|\bP ?[=(]|\d\^|\b\d{2,3} (?:wins|ways)\b|\d\.\d{3}")
TALK = re.compile(
    r"\bedges?\b|probab|\bchances?\b|\blikel|varian|correlat|statistic|expected|expectation|on average|\bfavour"
    r"|\bdominated\b|\bfair\b|\bruinous\b|\bvalues? in\b|\bat a loss\b",
    re.IGNORECASE,
)


def said_of_chances(book: Book, text: str) -> list[str]:
    """What a text says of probabilities. A rate of commission is printed in the rules and does not count."""
    rates = {Fraction(wager.commission.rate) for wager in book.rules.wagers if wager.commission}
    for rate in rates:
        text = re.sub(rf"(?<![\d.]){float(100 * rate):g}%", "", text)
    return [found[0] for pattern in (FIGURE, TALK) for found in pattern.finditer(text)]


def for_players(book: Book) -> Iterator[tuple[str, str]]:
    """Every text of the register that a house shows to everyone, unchanged."""
    for reading in book.readings:
        yield f"{reading.id} question", reading.question
        yield f"{reading.id} taken", reading.taken
        for rival in reading.rivals:
            yield f"{reading.id} {rival.name}", rival.reading


@pytest.mark.parametrize("book_id", BOOKS)
def test_what_players_read_says_nothing_of_chances(book_id: str) -> None:
    """Probabilities are in the reason or the edge, which are for those who may see PAR sheets."""
    book = SHELF.book(book_id)
    assert {where: found for where, text in for_players(book) if (found := said_of_chances(book, text))} == {}


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("The side is fixed; P(win) = 1/16.", ["P(", "1/1"]),
        ("The wager is returned with probability 15.80%.", ["0%", "probab"]),
        ("All five forms have the same edge.", ["edge"]),
        ("Even wins without triples (105 ways).", ["105 ways"]),
        ("The list as printed: 79 wins.", ["79 wins"]),
        ("It lasts 2.0571 results.", ["2.057"]),
        ("With k Odds it is worth -2^-k.", ["2^"]),
        ("Big 6/8 beside Place 6/8.", ["6/8", "6/8"]),
        ("Buy 5% of the stake, 2.5% of the outlay.", ["5%"]),
        ("Buy 5% of the stake; units of 24 (Lay 6, 8) under 6.2.25; 1,000.00 on the sign.", []),
    ],
)
def test_talk_of_chances_is_found(said: str, found: list[str]) -> None:
    assert said_of_chances(SHELF.book("craps-nsw-2024"), said) == found


@pytest.mark.parametrize(
    ("book_id", "reading_id", "figures"),
    [
        ("craps-nsw-2024", "CR-9", ["1187/7512 = 15.80%", "673/3954", "16769/91704"]),
        ("craps-nsw-2024", "CR-22", ["9.09%", "1.52%", "6.67%"]),
        ("craps-nsw-2024", "X-2", ["+36.36%", "+5975/262144 = +2.28%"]),
        ("sic-bo-nsw-2016", "SB-1", ["P(at least n) = 2^-n, P(win) = 1/16", "1053/512", "77.99", "1/8", "1/32"]),
        ("sic-bo-nsw-2016", "SB-8", ["105 ways", "78", "79", "106"]),
        ("sic-bo-nsw-2016", "SB-16", ["correlation 1/7"]),
        ("snake-eyes-nsw-2019", "SE-2", ["18/11 = 1.64 rolls"]),
        ("snake-eyes-nz", "NZ-1", ["3.874 rolls"]),
        ("two-up-nsw-2016", "TU-1", ["P = 29791/262144", "P = 99/1024"]),
        ("two-up-nsw-2016", "TU-2", ["-1/16, -1/8, -1/4, -1/2"]),
    ],
)
def test_what_there_is_to_say_of_chances_stands_in_the_edge(book_id: str, reading_id: str, figures: list[str]) -> None:
    """PAR sheets print the edge, and the pages show it to those who may see PAR sheets."""
    (edge,) = (reading.edge for reading in SHELF.book(book_id).readings if reading.id == reading_id)
    assert [figure for figure in figures if figure not in str(edge)] == []
