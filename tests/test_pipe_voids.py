"""Results that a supervisor invalidates: riot, fire, fraud (reading X-5). The grounds of "no roll" and the like are
tested with their books."""

from __future__ import annotations

import pytest

from tests.talk import CLOSED_BOOKS, CRAPS, PLAIN, SIC_BO, SNAKE_NSW, TWO_UP, Talk, settled

INVALIDATED = [
    *[(book, f"9.4.{limb}") for book in (SIC_BO, TWO_UP, SNAKE_NSW) for limb in (1, 2)],
    (CRAPS, "10.5.1"),
    (CRAPS, "10.5.2"),
]


@pytest.mark.clause(CRAPS, "10.5.1", "10.5.2", "10.6")
@pytest.mark.clause(SIC_BO, "9.4.1", "9.4.2", "9.5")
@pytest.mark.clause(TWO_UP, "9.4.1", "9.4.2", "9.5")
@pytest.mark.clause(SNAKE_NSW, "9.4.1", "9.4.2", "9.5")
@pytest.mark.parametrize(("book", "reason"), INVALIDATED)
def test_an_invalidated_outcome_refunds_the_wagers_that_it_could_have_decided(book: str, reason: str) -> None:
    talk = Talk(book, seats={"ann": "100.00"})
    talk.bet(PLAIN[book], "10.00")
    if book in CLOSED_BOOKS:
        talk.do("no_more_bets")
    else:
        talk.do("dice_out", **{"as": "casino supervisor"})
    reply = talk.do("void", reason=reason)
    assert settled(reply) == {PLAIN[book]: ("void", "10.00", "0.00", "10.00")}
    assert (talk.chips(), talk.standing()) == ("100.00", {})


@pytest.mark.clause(CRAPS, "10.6")
@pytest.mark.clause(SIC_BO, "9.5")
@pytest.mark.clause(TWO_UP, "9.5")
@pytest.mark.clause(SNAKE_NSW, "9.5")
@pytest.mark.parametrize(("book", "reason"), INVALIDATED)
def test_before_anything_is_thrown_no_outcome_is_invalidated(book: str, reason: str) -> None:
    """It is never about the next throw; the message says what to do instead."""
    talk = Talk(book, seats={"ann": "100.00"})
    talk.bet(PLAIN[book], "10.00")
    reply = talk.ask("void", reason=reason)
    assert (reply["ok"], reply["code"]) == (False, "no_result")
    assert "Nothing has been thrown" in reply["message"]
    assert "refuse it" in reply["message"]
    assert talk.standing() == {PLAIN[book]: "10.00"}


@pytest.mark.clause(CRAPS, "10.6")
def test_an_invalidated_craps_roll_leaves_the_wagers_that_slept() -> None:
    talk = Talk(CRAPS, seats={"ann": "100.00"})
    for name in ("win_line", "place_to_lose:8", "place_to_win:6", "hardway:4"):
        talk.bet(name, "10.00")
    talk.do("dice_out", **{"as": "stickperson"})
    talk.do("void", reason="10.5.1")
    assert talk.standing() == {"place_to_win:6": "10.00", "hardway:4": "10.00"}
    assert talk.chips() == "80.00"
