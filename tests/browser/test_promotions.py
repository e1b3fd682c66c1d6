"""Promotions in the browser: a manager drafts, files, runs and closes one; a player wins, claims and is paid."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from croupier.house import orders
from croupier.prizes.draw_verification import verify_draw
from tests.browser.looks import PHONE, Look, every_size, fits
from tests.browser.promotions import PATH, Promoted, point, step
from tests.browser.visiting import Visitor, Visitors
from tests.clocks import MovedClock
from tests.promoting import AWARD, CLOSE, FILING, Promoting
from tests.promotions import CRAPS, SIC_BO, a_prize, prizes_of
from tests.serving import Person, Running, running

FIRST_DAY = datetime(2026, 2, 25, 9, tzinfo=UTC)
STARTS = datetime(2026, 3, 1, 9, tzinfo=UTC)  # eight in the evening where the browser is
CLOSES, DRAWN = STARTS + timedelta(days=7), STARTS + timedelta(days=7, hours=2)
SAID = {
    "awarded_at": "2026-03-08T22:00",
    "entries_close": "2026-03-08T20:00",
    "starts": "2026-03-01T20:00",
    "manner": "By a draw.",
    "awarded_where": "At the desk.",
    "eligibility": "Everybody of age.",
    "held_where": "At all craps tables.",
    "winner_told": "By telephone.",
    "results_published": "On this page.",
}


@pytest.fixture
def clock() -> MovedClock:
    return MovedClock(FIRST_DAY)


@pytest.fixture
def house(tmp_path: Path, clock: MovedClock) -> Iterator[Running]:
    """The demonstration house with a clock that is moved by hand. One sign-in lasts for all of it."""
    with running(tmp_path, clock=clock, session_hours=10_000) as opened:
        yield opened


@pytest.fixture
def promoted(house: Running, clock: MovedClock) -> Promoted:
    """A draft with complete terms: $500 in money."""
    clock.move_to(FILING)
    return Promoted(house, clock)


def done(who: Person, path: str, body: object) -> None:
    reply = who.do(path, body)
    assert reply.status_code == 200, reply.text


def answer(page: Page, term: str, word: str) -> None:
    point(page, term).get_by_label(word, exact=True).check()


def begun(page: Page) -> None:
    """A new draft, started from the list of promotions."""
    page.get_by_text("New promotion").click()
    page.get_by_label("Title for patrons").fill("Spring draw")
    expect(page.get_by_label("Name in addresses and records")).to_have_value("spring-draw")
    page.get_by_label("Rules").select_option("craps-nsw-2024")
    page.get_by_role("button", name="Start a draft").click()
    expect(page.get_by_role("heading", name="Spring draw")).to_be_visible()


def written(page: Page) -> None:
    """All points but one, with a prize of money above the scrutineer's threshold, and play that earns entries."""
    for term, text in SAID.items():
        point(page, term).locator("input, textarea").fill(text)
    answer(page, "presence_required", "No")
    page.get_by_label("Kind of the new prize").select_option("motor_vehicle")
    page.get_by_role("button", name="Add a prize").click()
    expect(point(page, "vehicle_make")).to_contain_text("rule 11.7.11.2(i)")
    page.get_by_role("combobox", name="Kind", exact=True).select_option("money")
    expect(point(page, "vehicle_make")).to_have_count(0)
    for term, text in {"nature": "Money", "details": "Paid by cheque.", "value": "$12,000"}.items():
        point(page, term).locator("input, textarea").fill(text)
    page.get_by_label("Play at the tables earns entries").check()
    page.get_by_label("Amount staked for each ticket").fill("10")


def plays(house: Running, *stakes: str) -> None:
    """Ann stakes this much, throw after throw, at a table that dora deals."""
    otto, dora, ann = (house.person(name) for name in ("otto", "dora", "ann"))
    done(otto, "/tables", {"table": "pit", "title": "Pit", "line": {"book": "craps-nsw-2024", "min": "5.00"}})
    done(dora, "/tables/pit/post", {"role": "dealer"})
    done(ann, "/tables/pit/seat", {"chips": "100.00"})
    for stake, dice in zip(stakes, cycle(([2, 1], [5, 2])), strict=False):  # won, lost, won, …
        done(ann, "/tables/pit/lines", {"line": {"do": "bet", "wager": "field", "amount": stake}})
        done(dora, "/tables/pit/lines", {"line": {"do": "roll", "dice": dice}})


def says(page: Page, button: str) -> None:
    page.get_by_role("button", name=button, exact=True).click()


def refused(page: Page, button: str, clause: str) -> None:
    """The draft is refused, with the clause behind the refusal."""
    form = page.locator("form").filter(has=page.get_by_role("button", name=button, exact=True))
    form.get_by_role("button", name=button, exact=True).click()
    expect(form.get_by_role("alert").get_by_role("link", name=f"rule {clause}", exact=True)).to_be_visible()


def test_a_manager_drafts_files_runs_and_closes_a_promotion(house: Running, clock: MovedClock, visit: Visitors) -> None:
    mia = visit(house, "mia")
    mia.allow("status of 422")
    page = mia.go("/promotions")
    begun(page)
    written(page)
    filed(page)
    started(page, clock)
    ann = visit(house, "ann", PHONE)
    entered(house, page, ann, clock)
    drawn(house, page, clock)
    paid(page, ann)
    says(page, "Close the promotion")
    expect(step(page)).to_contain_text("Closed")
    expect(page.get_by_role("button", name="Save the draft")).to_have_count(0)


def filed(page: Page) -> None:
    """One point is missing: the refusal appears there, with its clause, and everything written is kept."""
    expect(page.locator(".editor-bar")).to_contain_text("13 of 14 required points written")
    says(page, "Save and file with the NICC")
    missing = point(page, "claim_method")
    expect(missing).to_contain_text("The terms do not say how a prize is claimed.")
    expect(missing.locator(".problem").get_by_role("link")).to_have_attribute("href", "/rules/craps-nsw-2024/11.7.8")
    expect(missing).to_be_in_viewport()
    expect(missing.locator("textarea")).to_be_focused()
    page.reload()
    for term, text in SAID.items():
        expect(point(page, term).locator("input, textarea")).to_have_value(text)
    expect(point(page, "value").locator("input")).to_have_value("12000.00")
    point(page, "claim_method").locator("textarea").fill("On this page.")
    says(page, "Save and file with the NICC")
    expect(step(page)).to_contain_text("Filed")


def started(page: Page, clock: MovedClock) -> None:
    """The promotion starts at its time, once patrons can get the terms."""
    page.get_by_label("How patrons can get the terms").fill("This page")
    page.get_by_label("The marketing refers to the terms").check()
    says(page, "Record")
    expect(page.get_by_role("region", name="Progress")).to_contain_text("the marketing refers to it")
    refused(page, "Start the promotion", "11.7.7")
    clock.move_to(STARTS)
    says(page, "Start the promotion")
    expect(step(page)).to_contain_text("Running")


def entered(house: Running, page: Page, ann: Visitor, clock: MovedClock) -> None:
    """Ann plays; when entries close, the house counts her play."""
    plays(house, "20.00", "20.00")
    own = ann.go("/promotions/spring-draw").get_by_role("region", name="Your part")
    expect(own).to_contain_text("Counted from your play when entries close")
    expect(own).to_contain_text("Tickets so far4")
    says(page, "Count the play so far")
    expect(page.get_by_role("row", name="ann 40.00 4")).to_be_visible()
    clock.move_to(CLOSES + timedelta(seconds=2))
    expect(step(page)).to_contain_text("Entries closed")


def drawn(house: Running, page: Page, clock: MovedClock) -> None:
    """The draw, under a scrutineer; anyone can verify it."""
    page.get_by_label("Who oversees the draw").fill("Sue Scrutiny")
    says(page, "Name the scrutineer")
    expect(page.get_by_role("region", name="Progress")).to_contain_text("Sue Scrutiny")
    clock.move_to(DRAWN)
    refused(page, "Draw the prizes", "11.2")
    says(page, "The scrutineer is here")
    expect(page.get_by_role("region", name="Progress")).to_contain_text("is here")
    says(page, "Draw the prizes")
    expect(step(page)).to_contain_text("Drawn")
    record = house.nobody().get("/promotions/spring-draw/record")
    verdict = verify_draw(record.content.splitlines(keepends=True))
    assert (verdict.finding, verdict.stage) == (None, "drawn")
    link = page.get_by_role("link", name="Check the draw in your browser")
    expect(link).to_have_attribute("href", "/check?promotion=spring-draw")
    checker = page.context.new_page()
    checker.goto("/check?promotion=spring-draw")
    expect(checker.get_by_role("heading", level=1)).to_have_text("This draw checks out.")
    checker.close()


def paid(page: Page, ann: Visitor) -> None:
    """The winner is notified, claims the prize, and is paid."""
    page.get_by_label("How the winner was told").select_option("telephone")
    page.get_by_label("It reached the winner").check()
    says(page, "Record the attempt")
    expect(page.get_by_role("region", name="Awards")).to_contain_text("Telephone: reached")
    claims(ann)
    award = page.get_by_role("region", name="Award 1")
    expect(award).to_contain_text("ann claims it")
    expect(page.get_by_text("1 Harbour Street")).to_have_count(0)
    award.get_by_role("button", name="Show name and address").click()
    expect(award).to_contain_text("Ann Able, 1 Harbour Street as recorded")
    says(page, "Pay $12,000")
    expect(award).to_contain_text("paid: $12,000 by a crossed cheque made out to the winner")
    expect(ann.page.get_by_role("region", name="Your part")).to_contain_text("You have received it.")


def claims(ann: Visitor) -> None:
    """On a phone: what was won, and who can claim it. The page updates itself."""
    own = ann.page.get_by_role("region", name="Your part")
    expect(own).to_contain_text("You have won: Money")
    expect(own).to_contain_text("4 tickets")
    expect(own.get_by_role("region", name="Your play so far")).to_have_count(0)
    expect(ann.page.get_by_role("row").filter(has=ann.page.get_by_text("you", exact=True))).to_contain_text(
        "First prize"
    )
    own.get_by_label("Your full name").fill("Ann Able")
    own.get_by_label("Your address").fill("1 Harbour Street")
    own.get_by_role("button", name="Claim it").click()
    expect(own).to_contain_text("You claimed it")
    fits(ann.page)


def earned_by_play(promoted: Promoted) -> None:
    """A running promotion in which play earns a ticket for each $15; ann has been given three tickets by hand."""
    terms = promoted.terms | {"earning": {"amount": "15.00", "tables": [], "wagers": []}}
    promoted.says("draft_terms", terms=terms).running()


def test_players_see_the_tickets_of_their_own_play_so_far(promoted: Promoted, visit: Visitors) -> None:
    earned_by_play(promoted)
    ann, ben = visit(promoted.house, "ann", PHONE), visit(promoted.house, "ben")
    part = ann.go(PATH).get_by_role("region", name="Your part")
    play = part.get_by_role("region", name="Your play so far")
    expect(play).to_contain_text("Tickets so far0")
    expect(play).to_contain_text("Until the next ticket$15 more")
    plays(promoted.house, "20.00", "12.00", "5.00")
    play.get_by_role("button", name="Count again").click()
    expect(play).to_contain_text("Staked so far$37")
    expect(play).to_contain_text("Tickets so far2")
    expect(play).to_contain_text("Until the next ticket$8 more")
    expect(play).to_contain_text("The house makes the final count when entries close.")
    expect(part).to_contain_text("3 tickets (entry 1 of the record)")
    fits(ann.page)
    ann.axe()
    of_ben = ben.go(PATH).get_by_role("region", name="Your play so far")
    expect(of_ben).to_contain_text("Tickets so far0")
    expect(of_ben).not_to_contain_text("$37")


def test_who_is_in_no_draw_sees_that_play_earns_them_nothing(promoted: Promoted, visit: Visitors) -> None:
    earned_by_play(promoted)
    promoted.did("sam", "/accounts/ann/exclusion", {})
    play = visit(promoted.house, "ann").go(PATH).get_by_role("region", name="Your play so far")
    expect(play).to_contain_text("Your play earns no tickets at present")
    expect(play.get_by_role("link", name="rule 11.7.3")).to_be_visible()
    expect(play).not_to_contain_text("Tickets so far")


def test_a_prohibited_prize_is_refused_at_its_declaration(promoted: Promoted, visit: Visitors) -> None:
    mia = visit(promoted.house, "mia")
    mia.allow("status of 422")
    page = mia.go(PATH)
    page.get_by_text("Prohibited contents").click()
    page.get_by_label("Litres of liquor").fill("20.5")
    says(page, "Save and file with the NICC")
    declared = page.locator("details.declared .problem")
    expect(declared).to_contain_text("more than 20 litres of liquor")
    expect(declared.get_by_role("link", name="rule 11.5.4")).to_be_in_viewport()


def test_an_amendment_after_the_start_waits_for_approval_where_the_book_wants_it(
    house: Running, clock: MovedClock, visit: Visitors
) -> None:
    clock.move_to(FILING)
    promoted = Promoted(house, clock, SIC_BO).running()
    page = visit(house, "mia").go(PATH)
    page.get_by_text("Change the terms").click()
    point(page, "manner").locator("textarea").fill("By another draw.")
    says(page, "Propose the amendment")
    expect(page.get_by_text("The amendment awaits approval")).to_be_visible()
    in_force = page.get_by_role("region", name="Terms and conditions")
    expect(in_force).not_to_contain_text("By another draw.")
    page.get_by_label("Reference of the approval").fill("L-17")
    says(page, "Record the approval")
    expect(in_force).to_contain_text("By another draw.")
    assert promoted.house.running_house.house.promotion("autumn").promotion.terms.said["manner"] == "By another draw."


def test_an_amendment_after_the_start_is_sent_again_where_the_book_wants_that(
    promoted: Promoted, visit: Visitors
) -> None:
    promoted.running()
    page = visit(promoted.house, "mia").go(PATH)
    page.get_by_text("Change the terms").click()
    point(page, "manner").locator("textarea").fill("By another draw.")
    says(page, "Amend the terms")
    expect(page.get_by_role("region", name="Terms and conditions")).to_contain_text("By another draw.")
    says(page, "Send the amended terms to the NICC")
    expect(page.get_by_role("button", name="Send the amended terms to the NICC")).to_have_count(0)
    amendments = promoted.house.running_house.house.promotion("autumn").promotion.amendments
    assert [one.sent is None for one in amendments] == [False]


def test_it_is_put_off_the_inspector_is_told_and_it_goes_on(promoted: Promoted, visit: Visitors) -> None:
    promoted.running()
    page = visit(promoted.house, "mia").go(PATH)
    doubts = page.get_by_role("region", name="Integrity")
    doubts.get_by_text("Postpone the draw").first.click()
    doubts.get_by_label("Why its integrity is in doubt").first.fill("The box was open.")
    doubts.get_by_role("button", name="Postpone the draw").click()
    expect(page.locator(".pill.stage")).to_have_text("postponed")
    expect(doubts).to_contain_text("The inspector must be told by")
    says(page, "Record that the inspector was told")
    expect(doubts).to_contain_text("The inspector was told")
    doubts.get_by_label("How its integrity was validated").fill("Nothing is missing.")
    says(page, "Continue the promotion")
    expect(page.locator(".pill.stage")).to_have_text("running")


def test_a_claim_is_refused_and_a_dispute_decided(promoted: Promoted, visit: Visitors) -> None:
    promoted.drawn().says("make_claim", who="ben", award=1, claimant="ben")
    mia = visit(promoted.house, "mia")
    mia.allow("status of 422")
    page = mia.go(PATH)
    award = page.get_by_role("region", name="Award 1")
    award.get_by_text("Refuse the claim").click()
    award.get_by_label("Why it is refused").fill("Not the winner.")
    refused(page, "Refuse", "11.9.1")
    award.get_by_label("Full name of the claimant").fill("Ben Bold")
    award.get_by_label("Address of the claimant").fill("2 Quay")
    says(page, "Refuse")
    expect(award).to_contain_text("Refused: Not the winner.")
    says(page, "Record that the claimant was told why")
    expect(award).to_contain_text("the claimant was told why")

    ben = visit(promoted.house, "ben", PHONE)
    own = ben.go(PATH).get_by_role("region", name="Your part")
    own.get_by_text("Raise a dispute").click()
    own.get_by_label("What you dispute").fill("I won it.")
    own.get_by_role("button", name="Raise the dispute").click()
    expect(own).to_contain_text("“I won it.”")
    disputes = page.get_by_role("region", name="Disputes")
    disputes.get_by_label("The decision, which is final").fill("Ann won it.")
    says(page, "Decide")
    expect(own).to_contain_text("Decided: Ann won it.")
    own.get_by_role("button", name="I am not satisfied").click()
    expect(own).to_contain_text("You are not satisfied.")
    expect(page.get_by_role("region", name="Duties")).to_contain_text("the right to complain to an inspector")
    disputes.get_by_role("button", name="Tell the patron of the right to complain").click()
    expect(own).to_contain_text("You may complain to an inspector under section 33")


def test_a_decision_gives_an_award_back(promoted: Promoted, visit: Visitors) -> None:
    promoted.drawn().says("make_claim", who="ann", award=1, claimant="ann", claim="c1")
    promoted.says("deny_claim", claim="c1", reason="Another's card.", personal={"name": "Ann", "address": "1 Quay"})
    promoted.says("raise_dispute", who="ann", patron="ann", about="It is my card.")
    own = visit(promoted.house, "ann", PHONE).go(PATH).get_by_role("region", name="Your part")
    expect(own).to_contain_text("You had won")
    page = visit(promoted.house, "mia").go(PATH)
    disputes = page.get_by_role("region", name="Disputes")
    disputes.get_by_label("The decision, which is final").fill("It was hers.")
    disputes.get_by_label("The prize").select_option("Restore award 1")
    says(page, "Decide")
    expect(page.get_by_role("region", name="Award 1")).to_contain_text("to be given")
    expect(page.get_by_text("The award was given back")).to_be_visible()
    expect(own.get_by_role("button", name="Claim it")).to_be_visible()


def test_an_amount_that_cannot_be_read_is_shown_where_it_stands(promoted: Promoted, visit: Visitors) -> None:
    mia = visit(promoted.house, "mia")
    mia.allow("status of 422")
    page = mia.go(PATH)
    page.get_by_role("button", name="Add a prize").click()
    value = point(page, "value").nth(1)
    value.locator("input").fill("12.000")
    says(page, "Save the draft")
    expect(value.locator(".problem")).to_contain_text("Write an amount above zero")
    expect(point(page, "value").nth(0).locator(".problem")).to_be_empty()
    value.locator("input").fill("12000")
    page.get_by_label("Play at the tables earns entries").check()
    says(page, "Save the draft")
    expect(page.locator(".earning .problem")).to_contain_text("how much play earns a ticket")
    expect(page.get_by_label("Amount staked for each ticket")).to_be_focused()


def test_money_has_no_money_instead(promoted: Promoted, visit: Visitors) -> None:
    page = visit(promoted.house, "mia").go(PATH)
    expect(point(page, "value")).to_be_visible()
    expect(point(page, "alternative")).to_have_count(0)
    page.get_by_role("combobox", name="Kind", exact=True).select_option("travel")
    expect(point(page, "alternative")).to_be_visible()


def test_a_winner_takes_money_instead_says_why_and_undoes_it(promoted: Promoted, visit: Visitors) -> None:
    promoted.terms["prizes"] = Promoting().terms(a_prize(prizes_of(CRAPS), "other", 900_00))["prizes"]
    promoted.says("draft_terms", terms=promoted.terms).drawn().says("offer_alternative", award=1)
    page = visit(promoted.house, "ann", PHONE).go(PATH)
    own = page.get_by_role("region", name="Your part")
    own.get_by_label("Why you take the money").fill("No room for it.")
    says(page, "Take $900 instead")
    expect(own).to_contain_text("You take $900 instead.")
    desk = visit(promoted.house, "mia").go(PATH)
    expect(desk.get_by_text("The winner takes the money instead (award 1): No room for it.")).to_be_visible()
    expect(desk.get_by_text("The winner wants the prize after all")).to_have_count(0)  # no one else undoes it
    own.get_by_text("I want the prize after all").click()
    own.get_by_label("Why you want the prize after all").fill("There is room.")
    says(page, "Take the prize, not the money")
    expect(own.get_by_role("button", name="Take $900 instead")).to_be_visible()


def test_a_prize_that_is_not_drawn_again_has_its_reason(promoted: Promoted, visit: Visitors) -> None:
    promoted.drawn().says("lapse_award", who="ann", award=1, reason="Not for me.", declined=True)
    page = visit(promoted.house, "mia").go(PATH)
    page.get_by_label("Why a prize is not drawn again").fill("Nobody else came.")
    says(page, "Close the promotion")
    expect(step(page)).to_contain_text("Closed")
    expect(page.get_by_text("The promotion was closed: Nobody else came.")).to_be_visible()


def test_what_is_given_up_before_its_start_never_ran(promoted: Promoted, visit: Visitors) -> None:
    promoted.filed()
    page = visit(promoted.house, "mia").go(PATH)
    page.get_by_text("Abandon it before it starts").click()
    says(page, "Abandon the promotion")
    expect(step(page)).to_contain_text("Closed")
    course = page.get_by_label("Progress of the promotion").locator("li")
    assert [one.startswith("✓") for one in course.all_inner_texts()] == [True, True, False, False, False, True]
    patron = visit(promoted.house, "ben", PHONE).go(PATH)
    expect(patron.get_by_text("It ended before it started.")).to_be_visible()
    expect(patron.get_by_text("How to enter")).to_have_count(0)


def test_a_winner_at_the_desk_chooses_and_is_paid_in_parts(house: Running, clock: MovedClock, visit: Visitors) -> None:
    clock.move_to(FILING)
    promoted = Promoted(house, clock, SIC_BO)
    promoted.terms["prizes"][0]["said"]["value"] = "12000.00"
    promoted.says("draft_terms", terms=promoted.terms).says("name_scrutineer", name="Sue Scrutiny").running()
    clock.move_to(CLOSE)
    house.call(house.running_house.own_order(orders.CloseEntries(promotion="autumn")))
    clock.move_to(AWARD)
    promoted.says("note_scrutineer").says("draw_prizes")
    promoted.says("tell_winner", award=1, way="telephone", reached=False)
    promoted.says("make_claim", award=1, claimant="ann")
    page = visit(house, "mia").go(PATH)
    award = page.get_by_role("region", name="Award 1")
    award.get_by_label("Cash", exact=True).check()
    award.get_by_label("An electronic transfer to the winner").check()
    says(page, "Record the winner's choice")
    expect(award).to_contain_text("the winner chose cash and an electronic transfer")
    award.get_by_label("Amount of part 1").fill("$2,000")
    award.get_by_label("Amount of part 2").fill("10000")
    says(page, "Pay $12,000")
    expect(award).to_contain_text("paid: $2,000 by cash, $10,000 by an electronic transfer")
    history = page.get_by_role("region", name="History")
    expect(history).to_contain_text("The winner was not reached (award 1): telephone")
    ann = visit(house, "ann", PHONE).go("/promotions")
    expect(ann.get_by_role("listitem").filter(has_text="Autumn draw")).to_contain_text("you have won")


def test_an_inspector_sees_all_of_it_and_says_nothing(promoted: Promoted, visit: Visitors) -> None:
    promoted.drawn()
    page = visit(promoted.house, "ivy").go(PATH)
    expect(page.get_by_role("region", name="Award 1")).to_contain_text("ann")
    for name in ("Progress", "Duties", "Integrity", "Disputes", "History", "Terms and conditions"):
        expect(page.get_by_role("region", name=name)).to_be_visible()
    expect(page.locator("main form")).to_have_count(0)


def test_what_somebody_writes_stays_when_another_was_quicker(promoted: Promoted, visit: Visitors) -> None:
    mia = visit(promoted.house, "mia")
    mia.allow("status of 409")
    page = mia.go(PATH)
    manner = point(page, "manner").locator("textarea")
    manner.fill("By lot.")
    promoted.says("draft_terms", who="otto", terms={**promoted.terms, "one_prize_each": False})
    expect(page.get_by_text("This promotion has changed.")).to_be_visible()
    says(page, "Save the draft")
    expect(page.locator(".editor-bar").get_by_role("alert")).to_contain_text("shows the latest state")
    expect(manner).to_have_value("By lot.")
    says(page, "Save the draft")
    expect(page.locator(".editor-bar .problem")).to_be_empty()
    expect(page.get_by_role("listitem").filter(has_text="Terms were written")).to_have_count(3)


def test_nobody_sees_a_draft_and_everybody_the_terms(promoted: Promoted, visit: Visitors) -> None:
    page = visit(promoted.house).go("/promotions")
    expect(page.get_by_role("heading", name="Promotions")).to_be_visible()
    expect(page.get_by_role("link", name="Autumn draw")).to_have_count(0)
    page.goto(PATH)
    expect(page.get_by_role("heading", name="No such promotion")).to_be_visible()
    promoted.filed()
    page.goto("/promotions")
    page.get_by_role("link", name="Autumn draw").click()
    terms = page.get_by_role("region", name="Terms and conditions")
    expect(terms).to_contain_text("Sun, 1 Mar 2026, 20:00 AEDT")
    expect(terms.get_by_role("link", name="rule 11.7.8").first).to_have_attribute(
        "href", "/rules/craps-nsw-2024/11.7.8"
    )
    expect(page.locator("main form")).to_have_count(0)


def looked_at(visitor: Visitor, path: str, shows: Locator) -> None:
    """A page that is there, fits, and is accessible."""
    visitor.go(path)
    expect(shows).to_be_visible()
    fits(visitor.page)
    # At the end of the page the bar of the form lies over nothing; elsewhere it may cut a link, which scrolls free.
    visitor.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    visitor.axe_by_day_and_night()


@every_size
def test_they_are_accessible_on_every_screen(promoted: Promoted, visit: Visitors, look: Look) -> None:
    mia, ann = visit(promoted.house, "mia", look), visit(promoted.house, "ann", look)
    looked_at(mia, PATH, mia.page.get_by_role("button", name="Save the draft"))
    promoted.drawn()
    looked_at(mia, "/promotions", mia.page.get_by_role("link", name="Autumn draw"))
    looked_at(mia, PATH, mia.page.get_by_role("button", name="Record the attempt"))
    looked_at(ann, PATH, ann.page.get_by_role("button", name="Claim it"))
    promoted.says("make_claim", award=1, claimant="ann")
    looked_at(mia, PATH, mia.page.get_by_role("button", name="Pay $500"))
