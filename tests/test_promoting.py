"""Promotions in the house: who may do what, entries and the draw, and what is stored of claimants."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier.house import orders
from croupier.house.events import DrawCommitted, DrawShown, PlayCounted, PrizesPassedOn
from croupier.house.live_streams import restored, taken
from croupier.house.names import promotion_stream
from croupier.house.orders import promotions as deeds
from croupier.house.orders.promotions import claimant_secret, draw_secret, seal_of
from croupier.house.views.promotions import Looker, may_see, show_promotion
from croupier.prizes import events
from croupier.prizes.draw_verification import verify_draw
from croupier.prizes.reading import COMMANDS, fields_of, read_line
from croupier.prizes.terms import Earning, Entry
from croupier.store.records import Secret, Write
from croupier.table.refusals import Refusal
from tests.houses import SHELF
from tests.promoting import AWARD, CLOSE, NAME, Promoting
from tests.promotions import CRAPS, HOUR, PRIZE_BOOKS, SECOND, SIC_BO, a_prize

SUE = orders.Personal("Sue Winner", "1 Harbour Street, Sydney")


def record_of(promoting: Promoting) -> list[bytes]:
    """The public record in its published form."""
    return list(promoting.state.record())


# Beginning


def test_a_promotion_has_a_name_and_a_book_that_knows_prizes() -> None:
    house = Promoting().house
    for deed, code in (
        (orders.OpenPromotion(promotion=NAME, book=CRAPS, title="Again"), "name_taken"),
        (orders.OpenPromotion(promotion="Not A Name", book=CRAPS, title="Bad"), "bad_name"),
        (orders.OpenPromotion(promotion="no-title", book=CRAPS, title=" "), "bad_name"),
        (orders.OpenPromotion(promotion="coins", book="two-up-nsw-2016", title="Coins"), "no_prizes"),
        (orders.OpenPromotion(promotion="cards", book="baccarat", title="Cards"), "no_prizes"),
        (orders.Promote(promotion="nowhere", line={"do": "file_terms"}), "no_such_promotion"),
    ):
        assert house.refused(deed, "mia") == code, deed


@pytest.mark.parametrize("book", PRIZE_BOOKS)
def test_terms_come_back_as_they_were_said(book: str) -> None:
    promoting = Promoting(book)
    terms = promoting.terms(a_prize(promoting.rules, "travel", 1_234_56), earning=Earning(10_00, ("dealt",)))
    promoting.says("draft_terms", terms=terms)
    told = show_promotion(
        SHELF,
        promoting.state,
        promoting.house.house.head(promotion_stream(NAME)),
        Looker("mia", True),
        promoting.house.at,
    )
    assert msgspec.to_builtins(told["form"]) == terms
    assert terms["prizes"][0]["said"]["value"] == "1234.56"


def test_a_line_that_nobody_can_read_is_refused_with_a_sentence() -> None:
    promoting = Promoting()
    for line, code in (
        ({}, "unknown_command"),
        ({"do": 7}, "unknown_command"),
        ({"do": "close_entries"}, "unknown_command"),
        ({"do": "file_terms", "why": "because"}, "unknown_field"),
        ({"do": "make_claim", "award": 1, "claimant": "ann", "name": "Ann"}, "unknown_field"),
        ({"do": "draft_terms", "terms": {"said": {}}}, "not_readable"),
        ({"do": "draft_terms", "terms": 5}, "not_readable"),
        ({"do": "draft_terms", "terms": {"prizes": [5]}}, "not_readable"),
        ({"do": "draft_terms", "terms": {"prizes": [], "earning": {"amount": "ten"}}}, "bad_amount"),
        ({"do": "draft_terms", "terms": {"prizes": [], "earning": {"amount": 10}}}, "bad_amount"),
        ({"do": "tell_winner", "award": "one", "way": "mail", "reached": True}, "not_readable"),
    ):
        refusal = read_line(promoting.rules, line, "mia")
        assert isinstance(refusal, Refusal), line
        assert (refusal.code, refusal.message[-1]) == (code, "."), refusal


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ({"do": "draft_terms", "terms": {"said": {}}}, "prizes"),
        ({"do": "draft_terms", "terms": {"prizes": [], "earning": {"per": "10.00"}}}, "amount"),
        ({"do": "pay_prize", "award": 1, "parts": [{"form": "cash"}]}, "amount"),
    ],
)
def test_what_a_line_leaves_out_is_named(line: dict[str, Any], missing: str) -> None:
    refusal = read_line(Promoting().rules, line, "mia")
    assert isinstance(refusal, Refusal)
    assert refusal.message == f"The line cannot be read: {missing} is missing."


# Who may


def test_players_speak_for_themselves_and_managers_run_it() -> None:
    promoting = Promoting().started().entered("ann").closed().says("draw_prizes")
    assert promoting.refused("make_claim", "ben", award=1, claimant="ann") == "not_your_own"
    promoting.says("make_claim", "ann", award=1, claimant="ann")
    assert promoting.refused("choose_forms", "ben", award=1, forms=["crossed_cheque"]) == "not_your_own"
    promoting.says("raise_dispute", "ben", patron="ben", about="The draw was too late.")
    promoting.says("decide_dispute", dispute="dispute-1", decision="It was in time.")
    assert promoting.refused("note_dissatisfied", "ann", dispute="dispute-1") == "not_your_own"
    promoting.says("note_dissatisfied", "ben", dispute="dispute-1")
    own = {
        "make_claim",
        "choose_alternative",
        "undo_alternative",
        "choose_forms",
        "lapse_award",
        "raise_dispute",
        "note_dissatisfied",
    }
    said = {
        "terms": promoting.terms(), "reference": "R", "means": "M", "in_marketing": True, "entries": [], "name": "N",
        "reason": "R", "finding": "F", "award": 1, "way": "mail", "reached": True, "parts": [], "claim": "claim-1",
        "dispute": "dispute-1", "decision": "D", "restores": 1,
    }  # fmt: skip
    for do, kind in COMMANDS.items():
        if do not in own:
            line = {name: said[name] for name in fields_of(kind)}
            assert promoting.refused(do, "ann", None, **line) == "not_allowed", do


def test_what_is_not_filed_is_seen_by_nobody_but_those_who_manage() -> None:
    promoting = Promoting().says("draft_terms", terms=Promoting().terms())
    assert not may_see(promoting.state, Looker("ann"))
    assert may_see(promoting.state, Looker("mia", True))
    promoting.says("file_terms")
    assert may_see(promoting.state, Looker())


def test_who_is_late_changes_nothing() -> None:
    promoting = Promoting()
    version = promoting.house.house.head(promotion_stream(NAME)).version
    deed = orders.Promote(promotion=NAME, version=version, line={"do": "draft_terms", "terms": promoting.terms()})
    promoting.house.ok(deed, "mia")
    assert promoting.house.refused(deed, "mia") == "promotion_moved_on"


# Entries and the draw


def test_the_clock_closes_the_entries_with_those_that_play_has_earned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deeds, "MOST_ENTRIES", 3)  # in one event
    promoting = Promoting().started(earning=Earning(10_00)).entered("ann")
    earned = tuple(Entry(f"play-{n}", f"p{n}", n + 1) for n in range(4))
    deed = orders.CloseEntries(promotion=NAME, entries=earned, tables={"dealt": 12})
    assert promoting.at(CLOSE - SECOND).house.refused(deed) == "too_early"
    assert promoting.at(CLOSE).house.refused(deed, "mia") == "not_allowed"
    promoting.house.ok(deed)
    taken_ = [event for event in promoting.events() if isinstance(event, events.EntriesTaken)]
    assert [len(event.entries) for event in taken_] == [1, 3, 1]
    (counted,) = [event for event in promoting.events() if isinstance(event, PlayCounted)]
    assert counted.tables == {"dealt": 12}
    assert promoting.house.refused(deed) == "wrong_stage"


def test_staff_and_excluded_people_are_in_no_draw() -> None:
    promoting = Promoting().started(earning=Earning(10_00))
    house = promoting.house
    house.person("dora", "dealer", "player")
    house.ok(orders.Exclude(person="cy"), "cy")
    for entrant, code in (("dora", "not_in_a_draw"), ("cy", "not_in_a_draw"), ("nobody", "unknown_entrant")):
        assert promoting.refused("take_entries", entries=[{"id": "e1", "entrant": entrant}], reason="A coupon.") == code
    earned = tuple(Entry(person, person, 2) for person in ("ann", "cy", "dora"))
    promoting.at(CLOSE)
    house.ok(orders.CloseEntries(promotion=NAME, entries=earned, tables={}))
    assert [entry.entrant for entry in promoting.state.promotion.entries.values()] == ["ann"]
    (counted,) = [event for event in promoting.events() if isinstance(event, PlayCounted)]
    assert counted.without == ("cy", "dora")


def test_what_was_refused_to_its_winner_is_drawn_again_once_they_were_told_why() -> None:
    promoting = Promoting().started().entered("ann", "ben").closed().says("draw_prizes")
    winner = promoting.state.promotion.awards[0].entrant
    promoting.says("make_claim", winner, SUE, award=1, claimant=winner)
    promoting.says("deny_claim", claim="claim-1", reason="Not a member.")
    assert promoting.refused("draw_prizes") == "reason_not_told"
    promoting.says("tell_reason", claim="claim-1").says("draw_prizes")
    assert verify_draw(record_of(promoting)).finding is None


@pytest.mark.parametrize("book", PRIZE_BOOKS)
def test_anybody_can_repeat_the_draw_from_the_public_record(book: str) -> None:
    promoting = Promoting(book).started(a_prize(Promoting(book).rules, count=2))
    announced = record_of(promoting)
    assert verify_draw(announced).finding is None
    promoting.entered("ann", "ben", "cy", "ann").closed()
    closed = record_of(promoting)
    assert verify_draw(closed).finding is None
    assert closed[:1] == announced[:1]
    promoting.says("draw_prizes")
    drawn = record_of(promoting)
    assert verify_draw(drawn).finding is None
    assert drawn[: len(closed) - 1] == closed[:-1]
    names = {person: promoting.state.tickets()[n].entrant for n, person in enumerate(("ann", "ben", "cy"))}
    winners = [award.entrant for award in promoting.state.promotion.awards]
    shown = [msgspec.json.decode(line) for line in drawn]
    assert [line["entrant"] for line in shown if "draw" in line] == [names[winner] for winner in winners]
    assert len(set(winners)) == 2
    assert not any(person.encode() in line for line in drawn for person in ("ann", "ben"))
    assert promoting.refused("draw_prizes") == "nothing_to_draw"


def test_the_secret_is_in_no_event_before_it_is_shown_and_in_the_vault_until_then() -> None:
    promoting = Promoting().started().entered("ann")
    secret = promoting.house.store.secret(draw_secret(NAME))
    assert secret is not None
    assert not any(isinstance(event, DrawShown) for event in promoting.events())
    promoting.house.restart()
    promoting.closed().says("draw_prizes")
    (shown,) = [event for event in promoting.events() if isinstance(event, DrawShown)]
    assert shown.secret == secret.hex()
    assert promoting.house.store.secret(draw_secret(NAME)) is None


def test_a_draw_whose_secret_is_lost_can_only_be_cancelled() -> None:
    promoting = Promoting().started().entered("ann")
    promoting.house.store.commit([Write(vault=(Secret(draw_secret(NAME), None),))])
    promoting.house.restart()
    promoting.closed()
    assert promoting.refused("draw_prizes") == "secret_missing"
    promoting.says("cancel_draw", reason="The secret was lost.")


def test_what_nobody_claims_is_drawn_again_and_the_record_says_why() -> None:
    promoting = Promoting(SIC_BO).started().entered("ann", "ben").closed().says("draw_prizes")
    first = promoting.state.promotion.awards[0]
    promoting.says("tell_winner", award=1, way="mail", reached=False).at(AWARD + 49 * HOUR)
    promoting.says("lapse_award", award=1, reason="Nobody came.").says("draw_prizes")
    second = promoting.state.promotion.awards[1]
    assert {first.entrant, second.entrant} == {"ann", "ben"}
    (passed,) = [event for event in promoting.events() if isinstance(event, PrizesPassedOn)]
    assert passed.passed == ((1, "unclaimed"),)
    assert verify_draw(record_of(promoting)).finding is None
    promoting.says("tell_winner", award=2, way="mail", reached=False).at(AWARD + 99 * HOUR)
    promoting.says("lapse_award", award=2, reason="Nobody came.").says("draw_prizes")
    assert promoting.state.promotion.nobody == ("first",)
    assert verify_draw(record_of(promoting)).finding is None
    assert promoting.refused("draw_prizes") == "nothing_to_draw"
    promoting.says("close_promotion")


def test_an_award_that_a_dispute_gives_back_is_neither_passed_on_nor_drawn_again() -> None:
    promoting = Promoting().started().entered("ann", "ben").closed().says("draw_prizes")
    winner = promoting.state.promotion.awards[0].entrant
    promoting.says("make_claim", winner, award=1, claimant=winner, claim="c1")
    promoting.says("deny_claim", claim="c1", reason="Another's card.", personal=orders.Personal("A", "1 Street"))
    promoting.says("tell_reason", claim="c1")
    promoting.says("raise_dispute", winner, patron=winner, about="My card.", dispute="d1")
    assert promoting.refused("decide_dispute", winner, dispute="d1", decision="Mine.", restores=1) == "not_allowed"
    promoting.says("decide_dispute", dispute="d1", decision="It was theirs.", restores=1)
    assert promoting.refused("draw_prizes") == "nothing_to_draw"
    assert promoting.refused("close_promotion") == "not_given"
    promoting.says("make_claim", winner, award=1, claimant=winner).house.restart()
    promoting.says("pay_prize", award=1, parts=[{"form": "crossed_cheque", "amount": "500.00"}])
    assert promoting.state.passed == ()
    assert verify_draw(record_of(promoting)).finding is None


def test_where_nobody_entered_nothing_is_drawn_and_it_can_be_closed() -> None:
    promoting = Promoting().started().closed()
    assert promoting.refused("draw_prizes") == "nothing_to_draw"
    promoting.says("close_promotion")


def test_a_winner_may_decline_at_once_and_the_record_says_so() -> None:
    promoting = Promoting().started().entered("ann", "ben").closed().says("draw_prizes")
    winner = promoting.state.promotion.awards[0].entrant
    other = "ben" if winner == "ann" else "ann"
    why = "No room for it."
    assert promoting.refused("lapse_award", winner, award=1, reason=why) == "not_your_own"
    assert promoting.refused("lapse_award", other, award=1, reason=why, declined=True) == "not_your_own"
    assert promoting.refused("lapse_award", award=1, reason=why) == "too_early"
    assert promoting.refused("lapse_award", award=1, reason=why, declined=True) == "winner_not_told"
    promoting.says("lapse_award", winner, award=1, reason=why, declined=True).says("draw_prizes")
    assert promoting.state.passed == ((1, "declined"),)
    assert [award.entrant for award in promoting.state.promotion.awards] == [winner, other]
    assert verify_draw(record_of(promoting)).finding is None


def test_a_draw_that_is_cancelled_before_the_close_was_never_closed() -> None:
    promoting = Promoting().started().entered("ann").says("cancel_draw", reason="Doubts.")
    verdict = verify_draw(record_of(promoting))
    assert (verdict.finding, verdict.stage) == (None, "announced")


def test_amended_prizes_are_announced_again_with_the_same_secret() -> None:
    promoting = Promoting().started()
    (first,) = [event for event in promoting.events() if isinstance(event, DrawCommitted)]
    promoting.says("amend_terms", terms=promoting.terms(a_prize(promoting.rules, count=2)))
    _, second = [event for event in promoting.events() if isinstance(event, DrawCommitted)]
    assert (first.commitment, first.key) == (second.commitment, second.key)
    assert (len(first.prizes), len(second.prizes)) == (1, 2)
    promoting.says("publish_terms", means="a secure website", in_marketing=True)
    promoting.entered("ann", "ben", "cy").closed()
    assert promoting.refused("amend_terms", terms=promoting.terms()) == "draw_fixed"
    promoting.says("draw_prizes")
    assert len(promoting.state.promotion.awards) == 2
    assert verify_draw(record_of(promoting)).finding is None


# Who claimants are


def test_name_and_address_are_in_the_vault_and_in_nothing_else() -> None:
    promoting = Promoting().started().entered("ann").closed().says("draw_prizes")
    promoting.says("make_claim", "ann", SUE, award=1, claimant="ann")
    assert promoting.refused("tell_winner", "mia", SUE, award=1, way="mail", reached=True) == "not_personal"
    assert promoting.refused("make_claim", "ann", SUE, award=1, claimant="ann") == "claim_open"
    store = promoting.house.store
    everything = [record.document for stream in store.streams() for record in store.read(stream)]
    everything += [refusal.document for refusal in store.refusals()]
    assert len(store.refusals()) == 2
    for document in everything:
        assert not any(word.encode() in document for word in ("Winner", "Harbour"))
    kept = msgspec.json.decode(store.secret(claimant_secret(NAME, "claim-1")) or b"", type=dict[str, str])
    assert (kept["name"], kept["address"]) == (SUE.name, SUE.address)
    assert promoting.state.promotion.seals == {"claim-1": seal_of(SUE, kept["salt"])}


def test_a_claim_that_is_denied_keeps_who_made_it() -> None:
    promoting = Promoting().started().entered("ann").closed().says("draw_prizes")
    promoting.says("make_claim", "ben", award=1, claimant="ben")
    assert promoting.refused("deny_claim", claim="claim-1", reason="Ann won it.") == "name_or_address_missing"
    promoting.says("deny_claim", "mia", SUE, claim="claim-1", reason="Ann won it.")
    assert promoting.house.store.secret(claimant_secret(NAME, "claim-1")) is not None
    assert promoting.state.promotion.claims["claim-1"].kept


# Keeping


def test_a_promotion_is_the_same_after_a_restart_and_from_a_snapshot() -> None:
    promoting = Promoting().started(earning=Earning(10_00)).entered("ann", "ben").closed().says("draw_prizes")
    promoting.says("make_claim", "ann", SUE, award=1, claimant="ann")
    house, stream = promoting.house, promotion_stream(NAME)
    before, head = promoting.state, house.house.head(stream)
    snapshot = taken(stream, before, head)
    assert snapshot is not None
    again = restored(snapshot)
    assert again is not None
    assert (again.state, again.head) == (before, head)
    house.restart()
    house.load(stream)
    assert promoting.state == before
