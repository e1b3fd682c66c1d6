"""What the felt prints means that area; if it cannot, the game asks the player, and nothing is bet."""

from __future__ import annotations

import pytest

from croupier.felt.areas import Spot, typed_name
from croupier.play.felt import label_forms
from croupier.play.input import Unclear, pick_texts, typed_words
from croupier.table.events import WagerPlaced
from tests.seated import CRAPS, SIC_BO, SNAKE_EYES, TWO_UP, said, sit_down
from tests.tables import BOOKS, SHELF

FIRST = {SIC_BO: (1, 1, 2), TWO_UP: ("H", "H")}  # a throw after which every kind of wager is open, where it matters


def bet(book_id: str, line: str) -> tuple[str, set[object]]:
    """The reply to a line at a new table, and the areas on which it put chips."""
    playing = sit_down(book_id, FIRST.get(book_id, (1, 2)))
    said(playing, "")
    told = said(playing, line)
    placed = [event for event in playing.session.table.history if isinstance(event, WagerPlaced)]
    return told, {(event.wager, event.area.pick) for event in placed}


def names_it(told: str, spot: Spot) -> bool:
    """Whether a question or refusal names an area: its wager and its pick."""
    rest = told.replace(spot.wager.name, "").replace(typed_name(spot.wager.id, None), "")
    return rest != told and all(word in rest for word in pick_texts(spot.pick))


def means(book_id: str, label: str, told: str, spot: Spot) -> bool:
    """Whether the refusal was about this area, or the question names it."""
    playing = sit_down(book_id)
    try:
        return playing._felt.find(typed_words(label)) == spot.key or names_it(told, spot)
    except Unclear as unclear:
        return names_it(str(unclear), spot)


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_label_is_its_own_area_or_a_question_that_names_it(book_id: str) -> None:
    for spot in sit_down(book_id).session.spots:
        for label in (spot.label, spot.label.lower(), f"the  {spot.label.replace(' ', '  ')} "):
            for amount in ("10", "20.00", "bet $30"):
                told, placed = bet(book_id, f"{amount} {label}")
                assert placed == {spot.key} if placed else means(book_id, label, told, spot), (label, told, placed)


@pytest.mark.parametrize("book_id", BOOKS)
def test_only_labels_that_are_printed_twice_or_cannot_be_bet_are_asked_about(book_id: str) -> None:
    spots = sit_down(book_id).session.spots
    for spot in spots:
        alone = [other.label.lower() for other in spots].count(spot.label.lower()) == 1
        told, placed = bet(book_id, f"20 {spot.label}")
        is_refused = any(words in told for words in (" is made ", " can be made ", " takes exactly ", "Behind"))
        if alone and not spot.travelled and not is_refused:
            assert placed == {spot.key}, (spot.label, told)


@pytest.mark.parametrize("book_id", BOOKS)
def test_a_label_alone_bets_nothing_and_is_no_command(book_id: str) -> None:
    for spot in sit_down(book_id).session.spots:
        told, placed = bet(book_id, spot.label)
        fixed = spot.wager.fixed_stake is not None
        assert placed == ({spot.key} if fixed else set()), spot.label
        asked = f'How much? Type an amount first, such as "10 {spot.label.lower()}".'
        assert fixed or asked in told or names_it(told, spot), (spot.label, told)


@pytest.mark.parametrize("book_id", BOOKS)
def test_no_shortened_label_looks_like_another_area(book_id: str) -> None:
    spots = sit_down(book_id).session.spots
    labels = {spot.label for spot in spots}
    for spot in spots:
        for width in range(4, 30):
            assert not {form for form in label_forms(spot.label, width) if form != spot.label} & labels, spot.label


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("10 1 2", ("combination", (1, 2))),
        ("10 3 4", ("combination", (3, 4))),
        ("10 5 6", ("combination", (5, 6))),
        ("10 11", ("total", 11)),
        ("10 12", ("total", 12)),
        ("10 4", ("total", 4)),
        ("10 four", ("single_die", 4)),
        ("10 FOUR", ("single_die", 4)),
        ("10 4 4", ("specific_double", 4)),
        ("10 4 4 4", ("specific_triple", 4)),
        ("10 111", ("specific_triple", 1)),
        ("10 1 2 3 4", ("four_number", (1, 2, 3, 4))),
        ("10 1234", ("four_number", (1, 2, 3, 4))),
        ("one 10", ("single_die", 1)),
        ("10 total 7", ("total", 7)),
        ("10 three dice totals 7", ("total", 7)),
    ],
)
def test_sic_bo_by_what_is_printed(line: str, key: object) -> None:
    assert bet(SIC_BO, line)[1] == {key}


@pytest.mark.parametrize("line", ["10 22", "10 3 7", "10 4 10", "10 2 1", "4 4 10", "10 18"])
def test_figures_that_are_not_printed_are_no_area(line: str) -> None:
    told, placed = bet(SIC_BO, line)
    assert placed == set()
    assert "on this felt" in told


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("4 4", 'Is that "total 4" with 4.00, or "specific double 4"?'),
        ("5 6", 'Is that "total 6" with 5.00, or "combination 5 6"?'),
        ("1 1 1", 'Is that "specific double 1" with 1.00, or "specific triple 1"?'),
    ],
)
def test_figures_that_could_be_an_amount_or_a_label_are_asked_about(line: str, question: str) -> None:
    told, placed = bet(SIC_BO, line)
    assert placed == set()
    assert question in told


@pytest.mark.parametrize(("typed", "number"), [("4", 4), ("SIX", 6), ("6", 6), ("nine", 9), ("10", 10)])
def test_a_box_that_wagers_travel_to_says_what_can_be_made_there(typed: str, number: int) -> None:
    told, placed = bet(CRAPS, f"20 {typed}")
    assert placed == set()
    assert f'("come {number}")' in told
    for name in ("place to win", "place to lose", "buy", "lay"):
        assert f'"{name} {number}"' in told
    assert "behind" not in told


def test_a_number_that_is_a_wager_s_name_is_that_wager() -> None:
    assert bet(SNAKE_EYES, "10 5")[1] == bet(SNAKE_EYES, "10 five")[1] == {("five", None)}
    assert bet(SNAKE_EYES, "10 11 in 1")[1] == bet(SNAKE_EYES, "11 in 1 10")[1] == {("eleven_in_one", None)}


def test_what_can_be_made_now_is_offered_and_nothing_else() -> None:
    playing = sit_down(CRAPS, (2, 2), (3, 3))
    none = said(playing, "20 behind")
    assert all(f"behind {flat}" in none for flat in ("win line", "dont win", "come 4, 5, 6", "dont come 4, 5, 6"))
    told = said(playing, "10 win", "", "20 behind")
    assert told == 'Do you mean "behind win line"? No other "behind" can be made now.'
    told = said(playing, "10 come", "", "20 behind")
    assert told == 'Which "behind"? Now it can be "behind win line" or "behind come 6".'
    assert "10.00 on Behind the Come 6" in said(playing, "10 behind 6")


def test_a_label_printed_on_several_areas_is_the_one_that_can_be_bet() -> None:
    playing = sit_down(CRAPS, (2, 2), (3, 3))
    assert "20.00 on Behind the Come 6" in said(playing, "", "10 come", "", "20 behind")


def test_what_stands_is_taken_by_its_label() -> None:
    playing = sit_down(SIC_BO)
    assert said(playing, "take 1 2") == 'You have no wager "1 2" on the layout.'
    said(playing, "10 1 2; 10 4; 10 4 4; 10 ONE")
    assert "10.00 back from Dice Combinations 1 2" in said(playing, "take 1 2")
    assert 'Is that "total 4" with 4.00, or "specific double 4"?' in said(playing, "take 4 4")
    assert "10.00 back from Single Die Bet 1" in said(playing, "take one")
    assert "10.00 back from Three Dice Totals 4" in said(playing, "take 4")
    assert "10.00 back from Specific Doubles 4" in said(playing, "take 4 4")


def test_taking_what_does_not_stand_is_said_to_be_so() -> None:
    playing = sit_down(CRAPS)
    assert said(playing, "take field") == 'You have no wager "field" on the layout.'
    assert said(playing, "10 win; 5 hard 8", "take field") == 'You have no wager "field" on the layout.'
    assert said(playing, "take hard 6") == 'You have no wager "hard 6" on the layout.'
    assert 'There is no "roulette" on this felt' in said(playing, "take roulette")
    assert playing.session.on_layout == 1500


def test_take_alone_takes_nothing_down() -> None:
    playing = sit_down(CRAPS)
    assert said(playing, "10 win; 5 field", "take").startswith("Take what?")
    assert playing.session.on_layout == 1500
    said(playing, "clear field")
    assert [held.name for held in playing.session.standing] == ["Win Line"]
    said(playing, "take all")
    assert playing.session.on_layout == 0


def test_every_book_s_areas_are_tried() -> None:
    assert {len(sit_down(book_id).session.spots) > 3 for book_id in BOOKS} == {True}
    assert all(SHELF.book(book_id).layout is not None for book_id in BOOKS)
