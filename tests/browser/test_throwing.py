"""A throw, then its result: the order is watched change by change in the page, with and without motion."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.browser.felts import AtFelt, dealt_table
from tests.browser.looks import Look
from tests.browser.visiting import Visitor, Visitors
from tests.serving import Person, Running, did

MOVING = Look(still=False)
CRAPS = "craps-nsw-2024"
LINES = "/tables/dealt/lines"


class Game(NamedTuple):
    """Bets at a table, of which some win and some lose, and the throw that decides them."""

    book: str
    bets: tuple[tuple[str, Any], ...]
    field: str
    fell: Any
    called: str
    before: tuple[list[int], ...] = ()  # throws after the first bet
    beside: str = ""


GAMES = {
    "craps": Game(
        CRAPS,
        (("win_line", None), ("hardway", 8), ("field", None), ("come", None)),
        "dice",
        [4, 4],
        "8",
        ([5, 3],),
        "Hard eight, point made",
    ),
    "sic-bo": Game(
        "sic-bo-nsw-2016",
        (("big", None), ("small", None), ("total", 11)),
        "dice",
        [2, 4, 5],
        "2 4 5, 11",
        (),
        "Big · Odd",
    ),
    "two-up": Game("two-up-nsw-2016", (("heads", None), ("tails", None)), "coins", "HH", "Heads"),
    "snake-eyes": Game(
        "snake-eyes-nsw-2019", (("craps_two", None), ("any_seven", None)), "dice", [1, 1], "2", (), "Snake eyes"
    ),
}
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)

# What can be seen, noted at every change of the page and in every frame. `moving` are the properties that are animated.
_WATCH = """() => {
    const one = selector => document.querySelector(selector);
    const seen = () => ({
        flying: document.querySelectorAll(".solid-die, .tossed-coin, .shaker").length > 0,
        called: one(".status .called")?.textContent ?? "",
        beside: one(".fell-call")?.textContent ?? "",
        puck: one(".marker.there")?.getAttribute("class") ?? "",
        results: one(".history")?.textContent ?? "",
        lights: [...document.querySelectorAll(".status .lamps .lit")].length,
        wins: document.querySelectorAll(".area.won").length,
        chips: document.querySelectorAll(".chips .stack").length,
        paid: document.querySelectorAll(".payment").length,
        hand: one(".purse .in-hand dd")?.textContent ?? "",
        banner: one(".round-banner")?.textContent ?? "",
        step: one(".felt-box").dataset.show ?? "",
    });
    window.noted = [];
    window.animated = new Set();
    const note = () => {
        const now = seen();
        if (JSON.stringify(now) !== JSON.stringify(noted.at(-1))) noted.push(now);
    };
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    const own = ["offset", "computedOffset", "easing", "composite"];
    const frame = () => {
        note();
        if (one(".felt-box").dataset.show)
            for (const each of document.getAnimations())
                for (const keys of each.effect.getKeyframes())
                    for (const key of Object.keys(keys)) if (!own.includes(key)) animated.add(key);
        requestAnimationFrame(frame);
    };
    frame();
}"""


class Playing:
    """Ann has bet at a table with staff, and Dora throws."""

    def __init__(self, house: Running, visitor: Visitor, game: Game) -> None:
        self.game = game
        self.ann, self.dora = house.person("ann"), house.person("dora")
        dealt_table(house, game.book)
        did(self.dora, "/tables/dealt/post", {"role": "dealer"})
        did(self.ann, "/tables/dealt/seat", {"chips": "500.00"})
        self.bet(*game.bets[0])
        for fell in game.before:
            self.throw(fell)
        for wager, pick in game.bets[1:]:
            self.bet(wager, pick)
        self.felt = AtFelt(visitor, "dealt")
        self.page: Page = self.felt.page
        expect(self.page.locator(".chips .stack")).to_have_count(len(game.bets))
        self.page.evaluate(_WATCH)

    def bet(self, wager: str, pick: object) -> None:
        line = {"do": "bet", "wager": wager, "amount": "10.00", **({} if pick is None else {"pick": pick})}
        did(self.ann, LINES, {"line": line})

    def throw(self, fell: object = None) -> None:
        if self.game.book in ("sic-bo-nsw-2016", "two-up-nsw-2016"):
            did(self.dora, LINES, {"line": {"do": "no_more_bets"}})
        did(self.dora, LINES, {"line": {"do": self.command, self.game.field: fell or self.game.fell}})

    @property
    def command(self) -> str:
        return "spin" if self.game.field == "coins" else "roll"

    def at(self, step: str) -> None:
        """Wait for a step."""
        expect(self.page.locator(f'.felt-box[data-show="{step}"]')).to_have_count(1)

    def over(self) -> None:
        """Wait until all is shown."""
        expect(self.page.locator(".status .called")).to_have_text(self.game.called)
        expect(self.page.locator(".felt-box[data-show]")).to_have_count(0)

    def noted(self) -> list[dict[str, Any]]:
        seen: list[dict[str, Any]] = self.page.evaluate("noted")
        return seen

    def hand(self) -> str:
        told = self.ann.get("/tables/dealt").json()
        hand: str = told["chips"]["ann"]
        return hand


def first(noted: list[dict[str, Any]], what: str) -> int:
    """When something is first other than it was before the throw, and than nothing."""
    return next(place for place, seen in enumerate(noted) if seen[what] and seen[what] != noted[0][what])


@every_game
@pytest.mark.parametrize("look", [MOVING, Look()], ids=["moving", "still"])
def test_the_throw_comes_before_all_that_it_decides(house: Running, visit: Visitors, game: Game, look: Look) -> None:
    playing = Playing(house, visit(house, look=look, person="ann"), game)
    before = playing.noted()[-1]
    playing.throw()
    playing.over()
    noted = [before, *playing.noted()]
    order = ["flying", "called", *(["puck"] if before["puck"] else []), "wins", "paid", "banner"]
    places = [first(noted, what) for what in order]
    assert places == sorted(set(places)), dict(zip(order, places, strict=True))
    called = places[1]
    for seen in noted[places[0] : called]:
        assert seen["called"] == "", "the last result is not shown as the new one"
        assert seen["beside"] == ""
        assert seen["wins"] == 0
        same = ("puck", "results", "lights", "chips", "hand")
        assert [seen[what] for what in same] == [before[what] for what in same], "nothing tells the result yet"
    assert first(noted, "results") >= called
    assert first(noted, "hand") == first(noted, "banner"), "the money changes once, when all is paid"
    assert {seen["hand"] for seen in noted} == {before["hand"], playing.hand()}
    lost = next(place for place, seen in enumerate(noted) if seen["chips"] < before["chips"])
    assert places[-3] < lost < places[-2], "losers go after the winners are lit, and before they are paid"
    assert game.beside in noted[first(noted, "paid")]["beside"]
    moved = set(playing.page.evaluate("[...animated]"))
    assert moved <= ({"transform", "opacity"} if look is MOVING else {"opacity"})


def test_one_line_says_what_the_round_brought(house: Running, visit: Visitors) -> None:
    playing = Playing(house, visit(house, look=MOVING, person="ann"), GAMES["craps"])
    playing.throw()
    banner = playing.page.locator(".round-banner")
    expect(banner).to_have_text("You won 105.00round +95.00")  # line 10.00 and hard eight 95.00, less the field's 10.00
    expect(playing.page.locator("#say")).to_contain_text("You won 105.00, round +95.00")
    expect(playing.page.locator("#say")).not_to_contain_text("Win Line wins")
    playing.over()
    expect(playing.page.locator(".calls li.win")).to_have_count(2)
    playing.felt.expect_staked("Come 8", "10.00")


def test_a_loss_is_stated_and_not_golden(house: Running, visit: Visitors) -> None:
    playing = Playing(house, visit(house, look=MOVING, person="ann"), GAMES["craps"])
    playing.throw([3, 4])
    banner = playing.page.locator(".round-banner")
    expect(banner).to_have_text("10.00 won, 30.00 lostround -20.00")  # Come wins
    expect(banner).not_to_have_class("round-banner up")
    assert "Seven out" in playing.page.locator(".fell-call").inner_text()


def test_odds_light_a_lamp_and_the_bets_stand(house: Running, visit: Visitors) -> None:
    playing = Playing(house, visit(house, look=MOVING, person="ann"), GAMES["two-up"])
    playing.throw("HT")
    expect(playing.page.locator(".fell-call")).to_contain_text("Bets stand")
    expect(playing.page.locator(".status .lamps .yellow.lit")).to_have_count(1)
    expect(playing.page.locator(".felt-box[data-show]")).to_have_count(0)
    expect(playing.page.locator(".chips .stack")).to_have_count(2)
    assert all(seen["paid"] == 0 and seen["banner"] == "" for seen in playing.noted())


def test_a_bet_where_bets_are_open_ends_the_show_and_counts(house: Running, visit: Visitors) -> None:
    playing = Playing(house, visit(house, look=MOVING, person="ann"), GAMES["craps"])
    playing.throw()
    playing.at("tumble")
    playing.felt.area("Any Seven").click()
    expect(playing.page.locator(".felt-box[data-show]")).to_have_count(0)
    playing.felt.expect_staked("Any Seven", "5.00")
    expect(playing.page.locator(".status .called")).to_have_text("8")


_AWAY = """
    Object.defineProperty(Document.prototype, "hidden", { get: () => window.isAway === true });
    window.leave = () => { window.isAway = true; document.dispatchEvent(new Event("visibilitychange")); };
"""


@pytest.mark.parametrize("when", ["before", "during"])
def test_a_hidden_page_shows_the_end_at_once(house: Running, visit: Visitors, when: str) -> None:
    visitor = visit(house, look=MOVING, person="ann")
    visitor.context.add_init_script(_AWAY)
    playing = Playing(house, visitor, GAMES["craps"])
    if when == "before":
        playing.page.evaluate("leave()")
        playing.throw()
    else:
        playing.throw()
        playing.at("tumble")
        playing.page.evaluate("leave()")
    expect(playing.page.locator(".status .called")).to_have_text("8")
    steps = {seen["step"] for seen in playing.noted()}
    assert steps == ({""} if when == "before" else {"", "tumble"})
    expect(playing.page.locator(".calls li.win")).to_have_count(2)
    assert playing.felt.in_hand() == playing.hand()


def test_a_second_throw_ends_the_first_show(house: Running, visit: Visitors) -> None:
    playing = Playing(house, visit(house, look=MOVING, person="ann"), GAMES["craps"])
    playing.throw([5, 6])
    playing.at("tumble")
    playing.throw([4, 4])
    playing.over()
    called = [seen["called"] for seen in playing.noted()]
    assert called.index("11") < called.index("8"), "the first is told before the second"
    expect(playing.page.locator(".calls li.call", has_text="11")).to_have_count(1)
    assert playing.felt.in_hand() == playing.hand()


def test_a_page_opened_later_shows_no_throw(house: Running, visit: Visitors) -> None:
    playing = Playing(house, visit(house, look=MOVING, person="ann"), GAMES["craps"])
    playing.throw()
    playing.at("tumble")
    playing.page.reload()
    expect(playing.page.locator(".status .called")).to_have_text("8")
    expect(playing.page.locator(".stage")).to_have_count(0)
    expect(playing.page.locator(".round-banner")).to_have_count(0)


SLOW = {"open": 30.0, "last_call": 1.0, "shut": 0.1, "show": 30.0, "waits": True, "numbers": 10.0}


def test_a_press_during_the_payment_skips_to_the_end(house: Running, visit: Visitors) -> None:
    mia: Person = house.person("mia")
    did(mia, "/tables", {"table": "slow", "title": "Slow", "line": {"book": CRAPS}, "rhythm": SLOW})
    felt = AtFelt(visit(house, look=MOVING), "slow")
    felt.play()
    felt.area("Field").click()
    felt.expect_staked("Field", "5.00")
    felt.drive.click()
    expect(felt.page.locator('.felt-box[data-show="pay"]')).to_have_count(1)
    felt.area("Any Seven").click()
    expect(felt.page.locator(".felt-box[data-show]")).to_have_count(0)
    expect(felt.page.locator(".stage")).to_have_count(0)
    expect(felt.page.locator(".bubble")).to_be_hidden()
    felt.expect_staked("Any Seven", None)


# Sound

_EARS = """
    window.heard = [];
    window.sounded = 0;
    const node = () => new Proxy(() => {}, {
        get: (_, name) => name === "start" ? () => { window.sounded += 1; } : name === "getChannelData" ? () => [] : node(),
        set: () => true,
        apply: () => node(),
    });
    window.AudioContext = class {
        constructor() {
            window.opened = true;
            Object.assign(this, { currentTime: 0, sampleRate: 100, state: "running", destination: {} });
            for (const made of ["createGain", "createOscillator", "createBufferSource", "createBiquadFilter", "createBuffer"])
                this[made] = node;
        }
        suspend() {}
    };
    window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
    Object.defineProperty(window, "speechSynthesis", { value: { speak: one => heard.push(one.text), cancel() {} } });
"""


def test_sound_is_off_until_it_is_switched_on(house: Running, visit: Visitors) -> None:
    visitor = visit(house, look=MOVING, person="ann")
    visitor.context.add_init_script(_EARS)
    playing = Playing(house, visitor, GAMES["craps"])
    playing.throw()
    playing.over()
    assert playing.page.evaluate("[window.opened ?? false, sounded, heard]") == [False, 0, []]


def test_the_sound_switch_is_kept_and_calls_are_spoken(house: Running, visit: Visitors) -> None:
    visitor = visit(house, look=MOVING, person="ann")
    visitor.context.add_init_script(_EARS)
    playing = Playing(house, visitor, GAMES["craps"])
    switch = playing.page.locator(".sound")
    for name in ("Sound: off", "Sound: on", "Sound: on, with calls"):
        expect(switch).to_have_accessible_name(name)
        if name != "Sound: on, with calls":
            switch.click()
    playing.page.reload()
    expect(switch).to_have_accessible_name("Sound: on, with calls")
    playing.page.evaluate(_WATCH)
    playing.throw()
    playing.over()
    heard = playing.page.evaluate("heard")
    assert heard[-2:] == ["8", "Hard eight, point made"]
    assert playing.page.evaluate("sounded") > 10  # dice, chips and the chord
    visitor.axe_by_day_and_night()
    switch.click()
    expect(switch).to_have_accessible_name("Sound: off")
