"""A player's felt in all its states: payouts, undo and rebet, refusals, signs, other pages, signing out."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.felts import AtFelt, dealt_table
from tests.browser.looks import DESKTOP, PHONE, Look, every_size
from tests.browser.visiting import Visitors
from tests.serving import Person, Running

CRAPS = "craps-nsw-2024"
REFUSED = "status of 4(01|09|22)"
LINES = re.compile(r"/tables/dealt/lines$")


def _dealer(house: Running) -> Person:
    dora = house.person("dora")
    assert dora.do("/tables/dealt/post", {"role": "dealer"}).status_code == 200
    return dora


def _roll(dora: Person, *dice: int) -> None:
    assert dora.do("/tables/dealt/lines", {"line": {"do": "roll", "dice": list(dice)}}).status_code == 200


def _supervise(house: Running, **line: object) -> None:
    sam = house.person("sam")
    assert sam.do("/tables/dealt/post", {"role": "supervisor"}).status_code == 200
    done = sam.do("/tables/dealt/lines", {"line": line})
    assert done.status_code == 200, done.text


def _seated(house: Running, visit: Visitors, look: Look = DESKTOP, book: str = CRAPS, **line: object) -> AtFelt:
    """Ann with 200 at a table with staff."""
    table = dealt_table(house, book, **line)
    visitor = visit(house, "ann", look)
    visitor.allow(REFUSED)
    felt = AtFelt(visitor, table)
    felt.sit_down("200")
    return felt


def _button(felt: AtFelt, name: str) -> Locator:
    return felt.page.get_by_role("button", name=name, exact=True)


def test_what_an_area_pays_is_at_hand_without_betting(house: Running, visit: Visitors) -> None:
    visitor = visit(house, look=PHONE)
    felt = AtFelt(visitor, dealt_table(house, CRAPS, min="5.00", max="100.00"))
    expect(felt.page.locator(".at-hand")).to_contain_text("Minimum 5.00, maximum 100.00")
    _button(felt, "Payouts").tap()
    dialog = felt.page.get_by_role("dialog", name="Payouts and limits")
    rows = dialog.get_by_role("row")
    expect(rows.filter(has_text="Lay 4, 10")).to_contain_text("1 to 2")
    field = rows.filter(has=felt.page.get_by_role("rowheader", name="Field", exact=True))
    expect(field).to_contain_text("2 or 12 at 2 to 1")
    expect(field).to_contain_text("5.00 to 100.00")
    assert visitor.context.request.get(field.get_by_role("link").get_attribute("href") or "").status == 200
    visitor.axe()
    dialog.get_by_role("button", name="Close").tap()
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize("look", [PHONE, DESKTOP], ids=str)
def test_stake_limits_time_and_net_stay_in_view(house: Running, visit: Visitors, look: Look) -> None:
    felt = _seated(house, visit, look, max="100.00")
    felt.tap("Field") if look is PHONE else felt.click("Field")
    felt.expect_staked("Field", "5.00")
    felt.page.evaluate("scrollTo(0, document.querySelector('.felt').getBoundingClientRect().top + scrollY)")
    expect(felt.page.locator(".at-hand")).to_contain_text("your stake 5.00")
    expect(felt.page.locator(".at-hand")).to_contain_text("up to 100.00")
    for name in ("In hand", "Net", "At the table"):
        row = felt.page.locator(".purse div").filter(has_text=name)
        expect(row).to_be_in_viewport(ratio=1)
    assert felt.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing lies beyond the edge"


def test_undo_takes_back_what_has_no_answer_yet(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit)
    felt.click("Field")
    felt.expect_staked("Field", "5.00")
    held: list[Route] = []
    felt.page.route(LINES, lambda route: held.append(route), times=1)
    with felt.page.expect_request(LINES):
        felt.click("Any Seven")
    expect(felt.page.locator(".stack.ghost")).to_have_count(1)
    _button(felt, "Undo").click()
    held[0].continue_()
    expect(felt.page.locator(".stack.ghost")).to_have_count(0)
    felt.expect_staked("Any Seven", None)
    felt.expect_staked("Field", "5.00")
    assert [row["wager"] for row in felt.told()["wagers"]] == ["field"]


_MOVES = """async () => {
    const { BetQueue } = await import("/web/table/bet-queue.js");
    const { houseDealer } = await import("/web/table/house-dealer.js");
    const bodies = [];
    let answer;
    window.fetch = (_, how) => new Promise(done => {
        bodies.push(JSON.parse(how.body));
        answer = () => done(new Response('{"ok": true}'));
    });
    let round = 7;
    const none = () => null;
    const watching = { changed() {}, refused() {}, accepted() {}, held() {}, number: none, numbered() {} };
    const moves = new BetQueue(houseDealer("t"), { ...watching, round: () => round });
    const bet = wager => [{ do: "bet", wager, pick: null, amount: "5.00" }];
    moves.make(bet("field"));
    moves.make(bet("any_seven"));
    round = 8;
    moves.make(bet("any_seven"));
    while (moves.sent) {
        answer();
        await new Promise(done => setTimeout(done));
    }
    return bodies.map(body => [body.line.wager, body.line.amount, body.round]);
}"""


def test_a_bet_that_waits_is_still_for_the_round_it_was_made_in(house: Running, visit: Visitors) -> None:
    page = visit(house).go("/")
    sent: list[Any] = page.evaluate(_MOVES)
    assert sent == [["field", "5.00", 7], ["any_seven", "5.00", 7], ["any_seven", "5.00", 8]]


_LISTENING = """async () => {
    const { listen } = await import("/web/shared/live.js");
    const felt = 'event: felt\\ndata: {"version": 9}\\n\\n';
    const answers = [() => new Response(felt), () => new Response("", { status: 409 }), () => new Response(felt)];
    const asked = [];
    await new Promise(done => {
        window.fetch = async address => {
            asked.push(new URL(address, location.href).searchParams.get("after"));
            if (answers.length === 1) done();
            return answers.shift()();
        };
        const stop = listen("/tables/t/live", { line() {} }, { felt: true });
        window.stop = stop;
    });
    window.stop();
    return asked;
}"""


def test_a_house_that_knows_less_than_the_page_is_heard_from_the_beginning(house: Running, visit: Visitors) -> None:
    """An older copy of the store is served now: the page does not wait for events that will never come."""
    page = visit(house).go("/")
    assert page.evaluate(_LISTENING) == [None, "9", None]


_FALLEN = """async () => {
    const { Status } = await import("/web/table/status.js");
    const status = new Status();
    const results = Array.from({ length: 60 }, (_, turn) => ({ faces: [1, 2], call: "3", void: null, turn }));
    const told = { open: true, by_itself: false, bets: "open", now: new Date().toISOString(), results, version: 100 };
    const drawing = { book: "b", throw: { field: "dice" } };
    status.show(told, drawing, null);
    const before = status.result.firstElementChild;
    status.show({ ...told, version: 101 }, drawing, null);
    const still = status.result.firstElementChild === before;
    status.show({ ...told, results: [...results.slice(1), { ...results[59], turn: 60 }] }, drawing, null);
    return [still, status.result.querySelectorAll(".fallen").length];
}"""


def test_dice_fall_when_they_are_thrown_and_not_with_every_bet(house: Running, visit: Visitors) -> None:
    """This also holds late in the evening, when the oldest results are no longer sent."""
    page = visit(house).go("/")
    assert page.evaluate(_FALLEN) == [True, 2]


def test_the_same_call_of_house_and_book_is_heard_once(house: Running, visit: Visitors) -> None:
    page = visit(house).go("/")
    calls = page.evaluate(
        """async () => {
            const { Calls } = await import("/web/table/calls.js");
            const captions = new Calls("b");
            const { sayEvents } = await import("/web/table/event-words.js");
            const shut = { type: "bets_closed", call: "no more bets" };
            const events = [shut, { type: "bets_shut" }, { call: "5" }, { call: "5" }, { type: "bets_shut" }];
            for (const row of events) sayEvents({ events: [row] }, { areas: [] }, "ann", captions);
            return [...captions.list.children].map(line => line.textContent.trim()).reverse();
        }"""
    )
    assert calls == ["no more bets", "5", "5", "No more bets"], "the same result twice is two results"


def test_a_hand_of_craps_with_what_stays_travels_and_comes_again(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit)
    dora = _dealer(house)
    felt.click("Win Line")
    felt.expect_staked("Win Line", "5.00")
    _roll(dora, 4, 2)
    expect(felt.page.locator(".marker.there")).to_have_count(1)
    felt.click("Come")
    felt.expect_staked("Come", "5.00")
    _roll(dora, 3, 2)
    felt.expect_staked("Come 5", "5.00")  # it has travelled
    felt.click("Behind the Come 5")
    felt.expect_staked("Behind the Come 5", "5.00")
    felt.click("Field")
    felt.expect_staked("Field", "5.00")

    # No one bets where wagers travel to, and the page says what to do instead
    bubble = felt.page.locator(".bubble")
    expect(felt.area("Come 8")).to_be_hidden()
    felt.click("Come 5")
    expect(bubble).to_contain_text("Bet on Come")

    # Clear takes what may be taken, and says of each other one why it stays
    _button(felt, "Clear").click()
    for stays in ("Win Line", "Come 5"):
        said = bubble.locator("p").filter(has_text=f"{stays}: ")
        expect(said.get_by_role("link", name=re.compile("^rule "))).to_have_count(1)
        felt.expect_staked(stays, "5.00")
    for gone in ("Behind the Come 5", "Field"):
        felt.expect_staked(gone, None)
    _button(felt, "Undo").click()
    for back in ("Behind the Come 5", "Field"):
        felt.expect_staked(back, "5.00")

    # What travelled wins: it is made again on Come and not where it lay, so only the Field is bet again
    _roll(dora, 4, 1)
    felt.expect_staked("Come 5", None)
    _button(felt, "Rebet").click()
    felt.expect_staked("Field", "5.00")
    expect(bubble).to_be_hidden()
    assert {row["wager"] for row in felt.told()["wagers"]} == {"win_line", "field"}


def test_letters_act_only_where_the_chips_are(house: Running, visit: Visitors) -> None:
    """Someone who dictates, or moves through the page with the keyboard, clears no bets by accident."""
    felt = _seated(house, visit)
    felt.click("Field")
    felt.expect_staked("Field", "5.00")
    felt.page.locator(".sound").focus()
    felt.page.keyboard.press("d")
    felt.area("Field").focus()
    felt.page.keyboard.press("+")
    felt.expect_staked("Field", "10.00")  # and so not doubled before
    felt.page.keyboard.press("c")
    felt.expect_staked("Field", None)


def test_the_felt_is_one_stop_of_the_tab_key(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit)
    felt.page.locator(".says button").last.focus()  # what comes before the felt
    felt.page.keyboard.press("Tab")
    expect(felt.area("Win Line")).to_be_focused()
    felt.page.keyboard.press("ArrowUp")
    expect(felt.area("Don't Win")).to_be_focused()
    felt.page.keyboard.press("Tab")
    felt.page.keyboard.press("Shift+Tab")
    expect(felt.area("Don't Win")).to_be_focused()


def test_a_refusal_goes_away_by_keyboard(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit, max="50.00")
    felt.chip("100")
    area = felt.area("Field")
    area.focus()
    felt.page.keyboard.press("Enter")
    bubble = felt.page.locator(".bubble")
    expect(bubble).to_contain_text("above the maximum of 50.00")
    felt.page.keyboard.press("Escape")
    expect(bubble).to_be_hidden()
    felt.page.keyboard.press("Enter")
    bubble.get_by_role("button", name="Close").click()
    expect(bubble).to_be_hidden()
    expect(area).to_be_focused()


def test_another_sign_redraws_the_felt_and_is_told(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit, max="100.00")
    felt.area("Field").focus()
    _supervise(house, do="set_maximum", maximum="40.00")
    expect(felt.page.locator(".calls")).to_contain_text("maximum 40.00")
    expect(felt.page.locator(".at-hand")).to_contain_text("up to 40.00")
    expect(felt.area("Field")).to_be_focused()
    felt.page.keyboard.press("Enter")
    felt.expect_staked("Field", "5.00")


def test_two_pages_of_one_player_say_the_same(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit)
    other = felt.visitor.context.new_page()
    other.goto("/tables/dealt")
    other.get_by_text("You are seated").click()
    other.get_by_role("button", name="Add chips").click()
    felt.click("Field")
    for page in (felt.page, other):
        purse = page.locator(".purse")
        expect(purse.locator(".in-hand dd")).to_have_text("295.00")
        expect(purse.locator("div").filter(has_text="Net").locator("dd")).to_have_text("0.00")
        expect(page.locator('.felt .area[aria-label*="5.00 staked"]')).to_have_count(1)


def test_signed_out_elsewhere_is_said_with_a_way_back(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit)
    felt.click("Field")
    felt.expect_staked("Field", "5.00")
    other = felt.visitor.context.new_page()
    other.goto("/")
    other.get_by_role("button", name="Sign out").click()
    seat = felt.page.locator(".seat")
    expect(seat).to_contain_text("You are no longer signed in")
    felt.expect_staked("Field", None)
    felt.visitor.axe()
    seat.get_by_role("button", name="Sign in again").click()
    dialog = felt.page.get_by_role("dialog")
    dialog.get_by_label("Username").first.fill("ann")
    dialog.get_by_label("Password").first.fill("ann-at-croupier")
    dialog.get_by_role("button", name="Sign in", exact=True).click()
    felt.expect_staked("Field", "5.00")


def test_a_table_that_closes_says_so(house: Running, visit: Visitors) -> None:
    felt = AtFelt(visit(house, "ann"), dealt_table(house, CRAPS))
    expect(felt.page.get_by_role("button", name="Sit down")).to_be_visible()
    _supervise(house, do="close_table")
    expect(felt.page.locator(".seat")).to_contain_text("This table is closed")
    expect(felt.page.get_by_role("button", name="Sit down")).to_have_count(0)
    felt.click("Field")
    expect(felt.page.locator(".bubble")).to_contain_text("This table is closed")


def test_who_cannot_play_is_told_why(house: Running, visit: Visitors) -> None:
    table = dealt_table(house, CRAPS)
    ben = house.person("ben")
    assert ben.do(f"/tables/{CRAPS}/seat", {"chips": "1000.00"}).status_code == 200
    seat = AtFelt(visit(house, "ben"), table).page.locator(".seat")
    expect(seat).to_contain_text("has no play chips")
    expect(seat.get_by_role("link", name=CRAPS)).to_have_count(1)
    assert house.person("mia").do("/accounts/ann/exclusion", {"until": None}).status_code == 200
    expect(AtFelt(visit(house, "ann"), table).page.locator(".seat")).to_contain_text("excluded from play by the house")
    looking = AtFelt(visit(house, "ivy"), table).page.locator(".seat")
    expect(looking).to_contain_text("You are watching as staff")
    expect(looking.get_by_role("link")).to_have_count(0)  # an inspector has no console


def test_the_disc_lies_before_the_spinner(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit, book="two-up-nsw-2016", dice="manual")
    dora = _dealer(house)
    expect(felt.page.locator(".disc-there")).to_have_count(0)
    assert dora.do("/tables/dealt/lines", {"line": {"do": "offer", "player": "ann"}}).status_code == 200
    assert house.person("ann").do("/tables/dealt/lines", {"line": {"do": "accept"}}).status_code == 200
    expect(felt.page.locator(".disc-there")).to_contain_text("Ann")  # a name, and no id
    expect(felt.page.locator(".status")).to_contain_text(re.compile(r"Spinner\s*you"))


def test_super_streak_flashes_while_it_may_be_made(house: Running, visit: Visitors) -> None:
    felt = _seated(house, visit, book="sic-bo-nsw-2016")
    dora = _dealer(house)
    window = felt.page.locator(".felt .area.window")
    for dice, flashing in (((2, 3, 4), 2), ((1, 1, 3), 0)):  # the sides are fixed, then a first result counts
        assert dora.do("/tables/dealt/lines", {"line": {"do": "no_more_bets"}}).status_code == 200
        _roll(dora, *dice)
        expect(window).to_have_count(flashing)


@every_size
def test_a_felt_with_chips_is_accessible_and_fits(house: Running, visit: Visitors, look: Look) -> None:
    felt = _seated(house, visit, look, "sic-bo-nsw-2016")
    felt.click("Big")
    felt.expect_staked("Big", "5.00")
    felt.visitor.axe_by_day_and_night()
    assert felt.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing lies beyond the edge"
