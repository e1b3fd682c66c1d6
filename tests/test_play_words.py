"""What a player types: every wager by its id, its name, the words on the felt, or the beginning of these."""

from __future__ import annotations

import pytest

from croupier.felt.areas import Spot, spots_of, typed_name
from croupier.play.input import Names, Unclear, read_amount, read_bet, read_line
from tests.tables import BOOKS, SHELF

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016", "snake-eyes-nsw-2019"


def bettable(book_id: str) -> list[Spot]:
    return [spot for spot in spots_of(SHELF.book(book_id)) if not spot.travelled]


def names(book_id: str) -> Names:
    return Names(spots_of(SHELF.book(book_id)), bettable(book_id))


@pytest.mark.parametrize(
    ("text", "cents"),
    [("10", 1000), ("$10", 1000), ("10.5", 1050), ("10.50", 1050), ("1,000", 100000), ("1,000.00", 100000), ("0", 0)],
)
def test_amounts(text: str, cents: int) -> None:
    assert read_amount(text) == cents


@pytest.mark.parametrize("text", ["", "-5", "1e3", "10.005", "1,00", "ten", "٣", "1" * 20, "$", "."])
def test_no_amounts(text: str) -> None:
    assert read_amount(text) is None


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("", ("roll", None, [])),
        ("   ", ("roll", None, [])),
        ("r", ("roll", None, [])),
        ("roll", ("roll", None, [])),
        ("SPIN", ("roll", None, [])),
        ("bet 10 win_line", ("bet", 1000, ["win_line"])),
        ("b 10 hard 8", ("bet", 1000, ["hard", "8"])),
        ("10 field", ("bet", 1000, ["field"])),
        ("field 10", ("bet", None, ["field", "10"])),
        ("take hard 8", ("take", None, ["hard", "8"])),
        ("take 5 hard 8", ("take", 500, ["hard", "8"])),
        ("off hard 8", ("off", None, ["hard", "8"])),
        ("on", ("on", None, [])),
        ("u", ("undo", None, [])),
        ("re", ("rebet", None, [])),
        ("d", ("double", None, [])),
        ("q", ("quit", None, [])),
        ("exit", ("quit", None, [])),
        ("? field", ("help", None, ["field"])),
        ("rules 6.2.1", ("rules", None, ["6.2.1"])),
    ],
)
def test_lines(line: str, asked: tuple[str, int | None, list[str]]) -> None:
    read = read_line(line)
    assert (read.verb, read.amount, read.words) == asked


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_wager_is_found_by_its_id_its_name_and_its_typed_form(book_id: str) -> None:
    for spot in bettable(book_id):
        pick = typed_name("", spot.pick)
        for called in (typed_name(*spot.key), f"{spot.wager.id} {pick}", f"{spot.wager.name} {pick}"):
            assert names(book_id).find(called.split()) == spot.key, called


@pytest.mark.parametrize(
    ("book_id", "typed", "wager", "pick"),
    [
        (CRAPS, "win", "win_line", None),
        (CRAPS, "don't win", "dont_win", None),
        (CRAPS, "hard 8", "hardway", 8),
        (CRAPS, "hard eight", "hardway", 8),
        (CRAPS, "the field", "field", None),
        (CRAPS, "place 6", "place_to_win", 6),
        (CRAPS, "lose 6", "place_to_lose", 6),
        (CRAPS, "behind win", "behind_win_line", None),
        (CRAPS, "behind come 9", "behind_come", 9),
        (CRAPS, "any 7", "any_seven", None),
        (CRAPS, "craps 12", "craps_twelve", None),
        (CRAPS, "c&e", "crap_eleven", None),
        (CRAPS, "hi 11", "horn_high", 11),
        (CRAPS, "big 6", "big_6", None),
        (SIC_BO, "comb 1 2", "combination", (1, 2)),
        (SIC_BO, "comb 21", "combination", (1, 2)),
        (SIC_BO, "combination 5-6", "combination", (5, 6)),
        (SIC_BO, "four 1234", "four_number", (1, 2, 3, 4)),
        (SIC_BO, "triple 6", "specific_triple", 6),
        (SIC_BO, "double 3", "specific_double", 3),
        (SIC_BO, "any triple", "any_triple", None),
        (SIC_BO, "total 12", "total", 12),
        (SIC_BO, "single five", "single_die", 5),
        (SIC_BO, "streak size", "super_streak", "size"),
        (SIC_BO, "super streak par", "super_streak", "parity"),
        (TWO_UP, "heads", "heads", None),
        (TWO_UP, "spinner heads", "spinner", "heads"),
        (TWO_UP, "spin t", "spinner", "tails"),
        (SNAKE_EYES, "hard 10", "hardway", 10),
        (SNAKE_EYES, "combo", "hardway_combo", None),
        (SNAKE_EYES, "snake eyes", "craps_two", None),
        (SNAKE_EYES, "5", "five", None),
        (SNAKE_EYES, "eleven", "eleven_in_one", None),
    ],
)
def test_shortcuts(book_id: str, typed: str, wager: str, pick: object) -> None:
    assert names(book_id).find(typed.split()) == (wager, pick)


@pytest.mark.parametrize(
    ("book_id", "typed", "wager", "pick"),
    [
        (CRAPS, "hard", "hardway", None),
        (SNAKE_EYES, "hard", "hardway", None),
        (CRAPS, "hard 5", "hardway", 5),
        (CRAPS, "field 6", "field", 6),
        (SIC_BO, "comb 1 7", "combination", [1, 7]),
    ],
)
def test_a_missing_or_wrong_pick_is_left_for_the_table_to_refuse(
    book_id: str, typed: str, wager: str, pick: object
) -> None:
    assert names(book_id).find(typed.split()) == (wager, pick)


def test_a_wager_is_never_taken_for_another_that_has_no_pick() -> None:
    with pytest.raises(Unclear, match='"any triple" or "specific triple"'):
        names(SIC_BO).find(["triple"])


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("behind 6", 'That could be "behind dont come 6" or "behind come 6".'),
        ("roulette", 'There is no "roulette" on this felt'),
        ("!!", "On what?"),
        ("", "On what?"),
    ],
)
def test_what_cannot_be_understood_is_asked_back(typed: str, sentence: str) -> None:
    with pytest.raises(Unclear) as unclear:
        names(CRAPS).find(typed.split())
    assert sentence in str(unclear.value)


@pytest.mark.parametrize(
    ("line", "bet"),
    [
        ("10 hard 8", (1000, "hardway", 8)),
        ("hard 8 10", (1000, "hardway", 8)),
        ("hard 8", (None, "hardway", 8)),
        ("field 5", (500, "field", None)),
        ("field", (None, "field", None)),
    ],
)
def test_the_amount_may_come_last(line: str, bet: object) -> None:
    assert read_bet(read_line(line), names(CRAPS)) == bet
