"""What a careless or dishonest manager cannot do: terms, draws, winners and claims in the house."""

from __future__ import annotations

import pytest

from croupier.contract.management import Duty
from croupier.house import orders
from croupier.house.duties import duties_of_promotion
from croupier.house.names import promotion_stream
from croupier.house.orders.promotions import claimant_secret
from croupier.house.registers.promotion_rows import PromotionReading
from croupier.house.stored_events import read
from croupier.prizes.terms import Earning, Prize
from tests.houses import SHELF
from tests.promoting import AWARD, CLOSE, NAME, START, Promoting
from tests.promotions import CRAPS, HOUR, PRIZE_BOOKS, SECOND, SIC_BO, a_prize, changed, prizes_of

SUE = orders.Personal("Sue Winner", "1 Harbour Street, Sydney")
CHEQUE = [{"form": "crossed_cheque", "amount": "500.00"}]


def duty(promoting: Promoting, name: str) -> Duty:
    """A duty of the promotion as it is now."""
    found = duties_of_promotion(SHELF, promoting.state, promoting.house.at)
    return {one.id: one for one in found}[name]


def published(promoting: Promoting) -> Promoting:
    """Patrons can get the terms in force."""
    return promoting.says("publish_terms", means="a brochure", in_marketing=True)


# Amendments


ELSE: list[tuple[str, dict[str, object]]] = [
    ("a later close", {"entries_close": (CLOSE + HOUR).isoformat(), "awarded_at": (AWARD + HOUR).isoformat()}),
    ("other people", {"eligibility": "Friends of the manager."}),
    ("a minimum", {"wager_required": True, "minimum_wager": 100_00}),
    ("presence", {"presence_required": True}),
]


@pytest.mark.parametrize("said", [said for _, said in ELSE], ids=[name for name, _ in ELSE])
@pytest.mark.parametrize("seconds", [0, 7200], ids=["before the clock came", "after it"])
def test_what_people_entered_under_stays_once_entries_have_closed(said: dict[str, object], seconds: int) -> None:
    promoting = Promoting().started(earning=Earning(10_00)).entered("ann", "ben")
    if seconds:
        promoting.closed()
    promoting.at(CLOSE + seconds * SECOND)
    same = promoting.terms(earning=Earning(10_00))
    assert promoting.refused("amend_terms", terms=promoting.terms(earning=Earning(10_00), **said)) == "draw_fixed"
    assert promoting.refused("amend_terms", terms=promoting.terms(earning=Earning(1_00))) == "draw_fixed"
    promoting.says("amend_terms", terms={**same, "said": {**same["said"], "awarded_where": "At the other desk."}})


@pytest.mark.clause(CRAPS, "11.2")
def test_a_prize_is_not_made_smaller_after_the_close_to_be_drawn_without_a_scrutineer() -> None:
    large, small = (a_prize(prizes_of(CRAPS), value=value) for value in (50_000_00, 10_000_00))
    promoting = Promoting().started(large).entered("ann").closed()
    assert promoting.refused("amend_terms", terms=promoting.terms(small)) == "draw_fixed"
    assert promoting.refused("draw_prizes") == "scrutineer_missing"


@pytest.mark.clause(SIC_BO, "10.9.1")
def test_an_approval_that_comes_after_the_close_is_too_late_for_other_prizes() -> None:
    promoting = Promoting(SIC_BO).started().entered("ann")
    promoting.says("amend_terms", terms=promoting.terms(a_prize(promoting.rules, value=1_00)))
    promoting.closed()
    assert promoting.refused("record_approval", reference="letter 17") == "draw_fixed"
    assert promoting.state.promotion.terms.prizes[0].value == 500_00


@pytest.mark.parametrize("book", PRIZE_BOOKS)
def test_entries_are_not_closed_in_the_past(book: str) -> None:
    promoting = Promoting(book).started(earning=Earning(10_00)).at(START + 48 * HOUR)
    past, now = ((START + hours * HOUR).isoformat() for hours in (47, 48))
    terms = promoting.terms(earning=Earning(10_00), entries_close=past)
    assert promoting.refused("amend_terms", terms=terms) == "times_out_of_order"
    promoting.says("amend_terms", terms=promoting.terms(earning=Earning(10_00), entries_close=now))


def test_a_promotion_does_not_start_when_its_entries_have_closed() -> None:
    promoting = Promoting()
    promoting.says("draft_terms", terms=promoting.terms()).says("file_terms")
    assert published(promoting).at(CLOSE).refused("start_promotion") == "entries_closed"
    promoting.at(CLOSE - SECOND).says("start_promotion")


@pytest.mark.clause(CRAPS, "11.6")
def test_nothing_is_drawn_by_terms_that_patrons_cannot_get() -> None:
    promoting = Promoting().started().entered("ann")
    promoting.says("amend_terms", terms=promoting.terms(manner="By a wheel.")).closed()
    assert promoting.refused("draw_prizes") == "terms_not_available"
    promoting.says("publish_terms", means="a brochure", in_marketing=False)
    assert promoting.refused("draw_prizes") == "terms_not_referred_to"
    published(promoting).says("draw_prizes")


@pytest.mark.clause(CRAPS, "11.12.1")
def test_amended_terms_are_still_sent_when_the_draw_was_cancelled_and_then_it_closes() -> None:
    promoting = Promoting().started()
    promoting.says("amend_terms", terms=promoting.terms(manner="By a wheel."))
    promoting.says("cancel_draw", reason="The entries were altered.").says("tell_inspector")
    assert promoting.refused("close_promotion") == "duty_open"
    promoting.says("file_terms").says("close_promotion")


@pytest.mark.clause(SIC_BO, "10.12")
def test_terms_that_become_a_draft_again_leave_nothing_that_cannot_be_done() -> None:
    promoting = Promoting(SIC_BO)
    promoting.says("draft_terms", terms=promoting.terms()).says("file_terms").says("postpone", reason="A doubt.")
    promoting.says("raise_dispute", "ann", patron="ann", about="the wheel")
    promoting.says("amend_terms", terms=promoting.terms(manner="By a wheel."))
    assert promoting.state.promotion.stage == "draft"
    promoting.says("tell_inspector").says("validate", finding="All is well.")
    promoting.says("decide_dispute", dispute="dispute-1", decision="It is a fair one.")
    promoting.says("note_dissatisfied", dispute="dispute-1").says("advise_of_right", dispute="dispute-1")
    promoting.says("close_promotion")


# Entries


def test_play_earns_entries_at_tables_and_on_wagers_that_there_are() -> None:
    promoting = Promoting()
    for earning in (Earning(10_00, ("nowhere",)), Earning(10_00, (), ("no_such_wager",)), Earning(10_00, ("No Name",))):
        promoting.says("draft_terms", terms=promoting.terms(earning=earning))
        assert promoting.refused("file_terms") == "unknown_play"
    wagers = tuple(SHELF.book(CRAPS).wagers)[:2]
    promoting.says("draft_terms", terms=promoting.terms(earning=Earning(10_00, (), wagers))).says("file_terms")
    terms = promoting.terms(earning=Earning(10_00, ("nowhere",)))
    assert published(promoting).at(START).says("start_promotion").refused("amend_terms", terms=terms) == "unknown_play"


def test_the_register_says_what_entries_by_hand_weigh_and_who_oversaw_the_draw() -> None:
    promoting = Promoting().started(a_prize(prizes_of(CRAPS), value=20_000_00)).entered("ann")
    promoting.says(
        "take_entries", entries=[{"id": "x", "entrant": "ben", "weight": 1_000_000}], reason="A coupon."
    ).closed()
    promoting.says("name_scrutineer", name="Sue Scrutiny").says("note_scrutineer").says("draw_prizes")
    reading, stream = PromotionReading(SHELF, promotion_stream(NAME)), promotion_stream(NAME)
    reading.take_in(read(record) for record in promoting.house.store.read(stream))
    said = [row.what for row in reading.rows]
    assert {"takes 1 entry with 1 ticket: a coupon", "takes 1 entry with 1,000,000 tickets: A coupon."} <= {*said}
    assert "names Sue Scrutiny as scrutineer" in said
    assert any(what.startswith("draws the prizes under the scrutineer: first to ") for what in said)


# The scrutineer


def with_alternative(value: int, alternative: int) -> Prize:
    """A prize that is not money, and what may be paid instead."""
    prize = a_prize(prizes_of(SIC_BO), "other", value)
    return changed(prize, said={**prize.said, "alternative": alternative})


@pytest.mark.clause(SIC_BO, "10.2", "10.10.1")
def test_a_prize_is_worth_what_may_be_paid_instead_where_that_is_more() -> None:
    promoting = Promoting(SIC_BO).started(with_alternative(100_00, 10_000_01)).entered("ann").closed()
    assert duty(promoting, "scrutineer").clause == "10.2"
    assert promoting.refused("draw_prizes") == "scrutineer_missing"
    promoting.says("name_scrutineer", name="Sue Scrutiny").says("note_scrutineer").says("draw_prizes")
    promoting.says("make_claim", "ben", award=1, claimant="ben")
    assert promoting.refused("deny_claim", claim="claim-1", reason="Ann won it.") == "name_or_address_missing"
    Promoting(SIC_BO).started(with_alternative(10_000_00, 10_000_00)).entered("ann").closed().says("draw_prizes")


@pytest.mark.clause(CRAPS, "11.2")
def test_who_was_there_before_it_was_put_off_has_to_be_there_again() -> None:
    promoting = Promoting().started(a_prize(prizes_of(CRAPS), value=20_000_00)).entered("ann").closed()
    promoting.says("name_scrutineer", name="Sue Scrutiny").says("note_scrutineer")
    promoting.says("postpone", reason="A doubt.").at(AWARD + 300 * HOUR).says("validate", finding="All is well.")
    assert promoting.refused("draw_prizes") == "scrutineer_absent"
    promoting.says("note_scrutineer").says("draw_prizes")


# Winners and claims


@pytest.mark.clause(SIC_BO, "10.4")
def test_nobody_chooses_otherwise_for_a_winner_who_has_chosen() -> None:
    promoting = Promoting(SIC_BO).started(a_prize(prizes_of(SIC_BO), value=10_000_01)).entered("ann").closed()
    promoting.says("name_scrutineer", name="Sue Scrutiny").says("note_scrutineer").says("draw_prizes")
    promoting.says("make_claim", "ann", award=1, claimant="ann").says("choose_forms", award=1, forms=["cash"])
    promoting.says("choose_forms", "ann", award=1, forms=["electronic_transfer"])
    assert promoting.refused("choose_forms", award=1, forms=["crossed_cheque"]) == "winner_chose"
    parts = [{"form": "crossed_cheque", "amount": "10000.01"}]
    assert promoting.refused("pay_prize", award=1, parts=parts) == "not_as_chosen"
    promoting.says("choose_forms", "ann", award=1, forms=["crossed_cheque"]).says("pay_prize", award=1, parts=parts)


@pytest.mark.clause(CRAPS, "11.8")
@pytest.mark.parametrize(("hours", "standing"), [(48, "done"), (60, "done late")])
def test_an_award_that_lapses_takes_no_late_attempt_with_it(hours: int, standing: str) -> None:
    promoting = Promoting().started().entered("ann", "ben").closed().says("draw_prizes").at(AWARD + hours * HOUR)
    promoting.says("tell_winner", award=1, way="mail", reached=False).at(AWARD + 61 * HOUR)
    assert duty(promoting, "tell 1").standing == "overdue"
    promoting.says("lapse_award", award=1, reason="Nobody came.")
    assert duty(promoting, "tell 1").standing == standing
    assert duty(promoting, "tell 1").what == "Tell the winner of award 1 (tried 1 times)"


@pytest.mark.clause(CRAPS, "11.8")
def test_a_winner_who_was_reached_too_late_was_told_too_late_though_the_award_lapses() -> None:
    promoting = Promoting().started().entered("ann", "ben").closed().says("draw_prizes")
    promoting.says("tell_winner", award=1, way="mail", reached=False).at(AWARD + 60 * HOUR)
    promoting.says("tell_winner", award=1, way="telephone", reached=True).says("lapse_award", award=1, reason="No.")
    assert (duty(promoting, "tell 1").standing, duty(promoting, "tell 1").is_open) == ("done late", False)


@pytest.mark.clause(CRAPS, "11.10")
def test_a_dispute_is_decided_before_the_promotion_closes() -> None:
    promoting = Promoting().started().closed().says("raise_dispute", "ann", patron="ann", about="the wheel")
    assert (duty(promoting, "decide dispute-1").clause, duty(promoting, "decide dispute-1").due) == ("11.10", None)
    assert promoting.refused("close_promotion") == "duty_open"
    promoting.says("decide_dispute", dispute="dispute-1", decision="It is a fair one.").says("close_promotion")


@pytest.mark.clause(CRAPS, "11.9.1")
def test_a_claim_that_comes_after_the_close_is_denied_and_kept() -> None:
    promoting = Promoting().started().entered("ann").closed().says("draw_prizes")
    promoting.says("make_claim", "ann", award=1, claimant="ann").says("pay_prize", award=1, parts=CHEQUE)
    promoting.says("close_promotion").says("make_claim", "ben", SUE, award=1, claimant="ben")
    promoting.says("deny_claim", claim="claim-2", reason="Ann won it.")
    assert promoting.state.promotion.claims["claim-2"].kept
    assert duty(promoting, "reason claim-2").is_open
    promoting.says("tell_reason", claim="claim-2")


@pytest.mark.clause(CRAPS, "11.9.1")
def test_who_denies_a_claim_does_not_change_who_made_it() -> None:
    promoting = Promoting().started().entered("ann").closed().says("draw_prizes")
    promoting.says("make_claim", "ann", SUE, award=1, claimant="ann")
    kept = promoting.house.store.secret(claimant_secret(NAME, "claim-1"))
    other = orders.Personal("Nobody", "Nowhere")
    assert promoting.refused("deny_claim", "mia", other, claim="claim-1", reason="No.") == "named_already"
    promoting.says("deny_claim", claim="claim-1", reason="No.")
    assert promoting.house.store.secret(claimant_secret(NAME, "claim-1")) == kept
