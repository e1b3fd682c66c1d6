"""What can be done with an award is reported as the book would accept it: at every stage, in every book."""

from __future__ import annotations

import pytest

from croupier.house import orders
from croupier.house.views.promotions import offers
from tests.promoting import AWARD, Promoting
from tests.promotions import CRAPS, HOUR, PRIZE_BOOKS, SIC_BO, a_prize

SUE = orders.Personal("Sue Winner", "1 Harbour Street, Sydney")


def told(promoting: Promoting, who: str = "mia") -> dict[str, str]:
    """What may be done with the first award, by name: yes, or the sentence that gives the objection."""
    state = promoting.state
    found = offers(promoting.rules, state.promotion, state.promotion.awards[0], who, promoting.house.at)
    return {name: "yes" if refused is None else str(refused["message"]) for name, refused in found.items()}


def drawn(book: str, kind: str, value: int) -> Promoting:
    """A prize of a kind, drawn for ann."""
    promoting = Promoting(book)
    return promoting.started(a_prize(promoting.rules, kind, value)).entered("ann").closed().says("draw_prizes")


@pytest.mark.parametrize("book", PRIZE_BOOKS)
def test_money_is_paid_once_it_was_claimed(book: str) -> None:
    promoting = drawn(book, "money", 500_00)
    first = told(promoting)
    assert first.keys() == {"tell_winner", "choose_forms", "pay_prize", "lapse_award", "decline"}
    assert first["tell_winner"] == "yes"
    assert "not claimed" in first["pay_prize"]
    assert "not over yet" in first["lapse_award"]
    assert "winner was not reached" in first["decline"]
    promoting.says("make_claim", "ann", SUE, award=1, claimant="ann")
    second = told(promoting)
    assert second == {"tell_winner": "yes", "choose_forms": "yes", "pay_prize": "yes"}
    promoting.says("pay_prize", award=1, parts=[{"form": "crossed_cheque", "amount": "500.00"}])
    assert told(promoting) == {}


def test_above_the_amount_of_the_older_books_the_winner_chooses_first() -> None:
    promoting = Promoting(SIC_BO).started(a_prize(Promoting(SIC_BO).rules, "money", 20_000_00)).entered("ann").closed()
    promoting.says("name_scrutineer", name="Sue Scrutiny").says("note_scrutineer").says("draw_prizes")
    promoting.says("make_claim", "ann", SUE, award=1, claimant="ann")
    assert "has not chosen yet" in told(promoting)["pay_prize"]
    promoting.says("choose_forms", "ann", award=1, forms=["cash", "crossed_cheque"])
    after = told(promoting)
    assert after["pay_prize"] == "yes"
    assert "choose_forms" not in after, "nobody changes what the winner chose"
    assert told(promoting, "ann")["choose_forms"] == "yes"


@pytest.mark.parametrize(("book", "offered"), [(CRAPS, True), (SIC_BO, False)])
def test_a_prize_that_is_not_money_is_handed_over_or_exchanged(book: str, offered: bool) -> None:
    promoting = drawn(book, "other", 300_00)
    assert ("offer_alternative" in told(promoting)) is offered, "the older books want it stated in the terms"
    promoting.says("make_claim", "ann", SUE, award=1, claimant="ann")
    assert told(promoting)["hand_over"] == "yes"
    assert "pay_prize" not in told(promoting)
    if offered:
        promoting.says("offer_alternative", award=1).says("choose_alternative", "ann", award=1, reason="She has one.")
        assert told(promoting).keys() == {"tell_winner", "choose_forms", "pay_prize"}


@pytest.mark.parametrize("book", PRIZE_BOOKS)
def test_an_award_lapses_when_the_book_lets_it(book: str) -> None:
    promoting = drawn(book, "money", 500_00)
    promoting.at(AWARD + 72 * HOUR)
    assert "No attempt" in told(promoting)["lapse_award"]
    promoting.says("tell_winner", award=1, way="mail", reached=False)
    assert told(promoting)["lapse_award"] == "yes"
    promoting.says("lapse_award", award=1, reason="Nobody came.")
    assert told(promoting) == {}


def test_a_winner_is_offered_what_is_theirs() -> None:
    promoting = drawn(CRAPS, "money", 500_00)
    assert told(promoting, "ann") == {"make_claim": "yes", "choose_forms": "yes", "decline": "yes"}
    promoting.says("postpone", reason="Doubts.")
    assert "postponed" in told(promoting, "ann")["choose_forms"]
