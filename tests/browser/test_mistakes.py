"""A whole evening of mistakes at each of the five games: a dealer, a supervisor and two players, each with a browser.

Wrong dice are entered and corrected twice, a chip comes late, someone who is offered the dice does not answer, a
vacated place is taken, a wager is found that was never entered, a dispute is decided and paid, and the shooter is
excluded. At the end the books of the house balance, and a replay of the table gives the same state to the byte.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec
import pytest
from playwright.sync_api import expect

from croupier.house import table_state
from croupier.house.names import table_stream
from croupier.house.reporting.bookkeeping import audit, entries
from croupier.house.stored_events import encode, read
from croupier.house.table_state import TableState
from croupier.money import parse_cents
from tests.browser.consoles import WORK, AtConsole, Faces, expect_same, named
from tests.browser.felts import AtFelt, dealt_table
from tests.browser.looks import PHONE
from tests.browser.sheets import fill_in
from tests.browser.visiting import Visitors
from tests.serving import Running

CRAPS, SIC_BO, TWO_UP = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016"
SNAKE_EYES, NEW_ZEALAND = "snake-eyes-nsw-2019", "snake-eyes-nz"
TUMBLES = 3
WAYS = {"Pay": 1, "Put back": 1, "Take": -1, "Take back": -1}  # out of the rack, or into it


class Game(NamedTuple):
    """What the two players bet on; how a result is entered, corrected and corrected again; what is found and wins."""

    ann: tuple[str, ...]
    ben: tuple[str, ...]
    wrong: Faces
    still_wrong: Faces
    right: Faces
    late: str  # why a chip is refused once the bets are closed
    found: str
    second: Faces
    needed: tuple[str, ...] = ()  # what whoever throws must bet on once more
    things: str = "dice"
    throws: str = "Throw the dice"
    decides: str = "Decide the dispute … with …"
    due: str = "Decide that … is due in … because …"


THROWN = "The dice have been thrown, and the bets are closed."
CLOSED = "The bets are closed"
GAMES = {
    CRAPS: Game(
        ("Field", "Any Seven"), ("Win Line", "Field"), (4, 2), (4, 3), (1, 2), THROWN, "Field", (6, 6), ("Win Line",)
    ),
    SNAKE_EYES: Game(
        ("Field", "Any Seven"), ("Field", "Hardways 8"), (4, 2), (4, 3), (1, 2), THROWN, "Field", (6, 6), ("Any Seven",)
    ),
    NEW_ZEALAND: Game(
        ("Field Bet", "Any 7"),
        ("Field Bet", "Any 7"),
        (4, 2),
        (4, 3),
        (1, 2),
        THROWN,
        "Field Bet",
        (6, 6),
        ("Any 7",),
        decides="Give the final decision on … with …",
        due="Decide finally that … is due in … because …",
    ),
    TWO_UP: Game(
        ("Heads",),
        ("Spinner's bet heads", "Tails"),
        ("H", "H"),
        ("H", "T"),
        ("T", "T"),
        CLOSED,
        "Tails",
        ("T", "T"),
        ("Spinner's bet heads",),
        things="coins",
        throws="Spin the coins",
    ),
    SIC_BO: Game(("Small", "Any Triple"), ("Big", "Odd"), (1, 2, 4), (2, 2, 2), (6, 5, 6), CLOSED, "Big", (4, 5, 6)),
}


class Evening:
    """Dora deals and sam supervises; ann plays at a desk, ben on a phone."""

    def __init__(self, house: Running, visit: Visitors, book: str) -> None:
        self.house, self.visit, self.book, self.game = house, visit, book, GAMES[book]
        self.table = dealt_table(house, book, dice="manual", min="1.00", max="100.00")
        self.dora = AtConsole(visit(house, "dora"), self.table)
        self.sam = AtConsole(visit(house, "sam"), self.table)
        self.ann = AtFelt(visit(house, "ann"), self.table)
        self.ben = AtFelt(visit(house, "ben", PHONE), self.table)
        self.players = {"ann": self.ann, "ben": self.ben}
        self.thrower = self.ben
        for felt in self.players.values():
            felt.visitor.allow("status of 422")  # what is refused to them is told below
        self.dora.take_post()
        self.sam.take_post("supervisor")

    @property
    def is_handed_round(self) -> bool:
        """Whether the players throw in turn."""
        return self.book != SIC_BO

    def expect_same(self) -> None:
        """Everyone sees what the house reports."""
        for console in (self.dora, self.sam):
            expect_same(console, self.players)

    # -- a throw -------------------------------------------------------------------------------------------------------

    def bring_dice(self) -> None:
        """Bring the dice where two people have to inspect them before they are used."""
        if self.book == NEW_ZEALAND:
            self.dora.step("Bring the dice").click()
            fill_in(self.dora.page.get_by_role("dialog"), {"Count": "5"})
            self.dora.press("Inspect the dice")
            self.sam.press("Inspect the dice")

    def hand_over(self, name: str) -> None:
        """Offer the dice or coins; they are accepted and chosen."""
        felt, things = self.players[name], self.game.things
        self.dora.press(f"Offer the {things} to {name}")
        felt.says(f"Accept the {things}")
        if felt.saying(f"Choose two {things}").count():  # the dice in use may stay in use, as in Snake Eyes 3.9
            felt.says(f"Choose two {things}")
        self.thrower = felt

    def hand_round(self) -> None:
        """If no one has the dice or coins, hand them to the next in turn."""
        offer = self.dora.step(f"Offer the {self.game.things} to")
        if offer.count():
            self.hand_over(offer.inner_text().split()[-1])

    def throw(self) -> None:
        """Close the bets while the throw is out of sight or in the air; a player throws where players do."""
        if self.book == SIC_BO:
            for done in range(TUMBLES):
                self.dora.press(f"Tumble ({done} of {TUMBLES} done)")
        if self.dora.drawing["closes_bets"]:
            self.dora.press("No more bets")
        if self.book == TWO_UP:
            self.thrower.says("Lay the coins on the kip")
        if self.is_handed_round:
            self.thrower.says(self.game.throws)
        expect(self.ann.page.locator(".status .bets")).to_have_text("No more bets")
        expect(self.dora.page.locator(".bets")).to_have_text("bets closed")

    def read(self, faces: Faces) -> None:
        """Call the result, enter it where there is a terminal, confirm and settle it."""
        fell = len(self.dora.told()["results"])
        self.dora.press("Uncover the dice" if self.book == SIC_BO else f"The {self.game.things} rest")
        for words in ("Call what lies there", "Enter the result on the terminal")[: 2 if self.book == SIC_BO else 1]:
            expect(self.dora.page.locator(".entry h2")).to_have_text(words)
            self.dora.put_in(faces)
            self.dora.again()
            self.dora.answered()
        self.dora.press("Confirm")
        expect(self.dora.page.locator(".results li")).to_have_count(fell + 1)

    # -- what people say of it -----------------------------------------------------------------------------------------

    def expect_corrected(self, was: Faces, now: Faces) -> None:
        """Everyone is told the old and the new result, and what that means for their chips."""
        told = f"Result corrected: {named(was)} becomes {named(now)}"
        for felt in self.players.values():
            expect(felt.page.locator(".status .corrected")).to_have_text(told)
            expect(felt.page.locator(".calls")).to_contain_text(told)
        expect(self.dora.page.locator("section.pay h2")).to_contain_text("Correction")
        back = self.dora.events("result_taken_back")[-1]
        for row in back["undone"]:
            kind = {
                "win": f"the {row['paid']} it was paid is taken back",
                "lose": f"the {row['stake']} it lost is restored",
            }
            line = f"{self.dora.name(row)}: {kind[row['result']]}"
            expect(self.players[row["player"]].page.locator(".calls")).to_contain_text(line)
        self.expect_put_right(back["undone"])

    def expect_put_right(self, undone: list[dict[str, Any]]) -> None:
        """The dealer's list moves between the rack and the players exactly what the correction moved."""
        rows = self.dora.events("result_taken_back", "thrown", "wager_settled")
        begun = max(place for place, row in enumerate(rows) if row["type"] != "wager_settled")
        settled = rows[begun + 1 :]
        decided = {(row["player"], row["wager"], row["pick"]) for row in settled}
        moved = sum(map(_from_rack, settled)) - sum(map(_from_rack, undone))
        for row in undone:  # a winner's stake comes from the hand, and goes to the layout
            if (row["player"], row["wager"], row["pick"]) not in decided and row["result"] == "win":
                moved -= parse_cents(row["stake"])
        work = self.dora.page.locator(".pay-list > li:not(.soft)").evaluate_all(WORK)
        assert sum(WAYS[verb] * parse_cents(amount) for verb, _, amount in work if verb in WAYS) == moved, work


def _from_rack(row: dict[str, Any]) -> int:
    return parse_cents(row["returned"]) - parse_cents(row["stake"])


@pytest.mark.parametrize("book", GAMES)
def test_an_evening_of_mistakes(house: Running, visit: Visitors, book: str) -> None:
    evening = Evening(house, visit, book)
    game, dora, sam, ann, ben = evening.game, evening.dora, evening.sam, evening.ann, evening.ben
    ann.sit_down("200", place=1)
    ben.sit_down("300", place=3)
    evening.bring_dice()

    # Ann is offered the dice and says nothing
    if evening.is_handed_round:
        dora.press(f"Offer the {game.things} to ann")
        dora.press("Ask ann again")
        dora.press("ann does not answer: go on")
        evening.hand_over("ben")
    ben.bet(*game.ben)
    ann.bet(*game.ann)

    # A chip comes late: it is refused, and nothing of it is paid
    evening.throw()
    ann.click(game.found)
    expect(ann.expect_called("refused")).to_contain_text(game.late)
    evening.read(game.wrong)
    evening.expect_same()

    # What lay there was read wrong, and the first correction was wrong as well
    for was, now in ((game.wrong, game.still_wrong), (game.still_wrong, game.right)):
        sam.correct(was, now)
        evening.expect_same()
        evening.expect_corrected(was, now)
    for somebody in (dora, sam, ann, ben):
        somebody.visitor.axe()

    # A chip that lay there in time was not entered: it is found, and it wins
    evening.hand_round()
    evening.thrower.bet(*game.needed)
    evening.throw()
    dora.do("Find (amount)", {"Amount": "5.00", "Player": "ann", "Wager": game.found})
    expect(ann.page.locator(".calls")).to_contain_text(f"5.00 of yours was found on {game.found} and counts")
    evening.read(game.second)
    evening.expect_same()
    assert [(row["player"], row["result"]) for row in dora.events("wager_settled")][-1:] == [("ann", "win")]

    # Ann says that it was more than that; she is believed, and paid
    before = parse_cents(dora.told()["chips"]["ann"])
    said = {"Wager": game.found, "Case name": "a1", "About what": "there were two chips"}
    ann.do("Raise the dispute", said, how="Dispute … in … because …")
    judge = sam
    if book == NEW_ZEALAND:  # the casino operator decides, and no one else
        judge = AtConsole(visit(house, "otto"), evening.table)
        judge.take_post("operator")
    due = {"Amount": "5.00", "Decision": "the camera shows two"}
    judge.do_in_case("a1", game.decides, due, how=game.due)
    dora.do_in_case("a1", "Reimburse", {})
    expect(ann.page.locator(".calls")).to_contain_text("A payment was corrected: 5.00 to you")
    assert parse_cents(dora.told()["chips"]["ann"]) == before + 5_00
    evening.expect_same()

    # The two change places: who is quicker has the place that the other left
    for felt in (ann, ben):
        felt.clear()
        felt.get_up()
    ben.sit_down("100", place=1)
    expect(ann.page.get_by_label("Place", exact=True).locator("option:disabled")).to_have_text(["1, taken"])
    ann.sit_down("100", place=3)
    rows = dora.page.get_by_role("region", name="Players").locator("tbody tr")
    expect(rows).to_have_text([re.compile("^1ben"), re.compile("^3ann")])
    evening.hand_round()
    evening.thrower.bet(*(game.needed or game.ben))
    evening.expect_same()

    if book != NEW_ZEALAND:  # its book has no clause that excludes anyone
        expect_excluded(evening)
    expect_balanced(evening)


def expect_excluded(evening: Evening) -> None:
    """The thrower is found with a device: their chips, dice and seat are taken, and the others play on."""
    game, dora, sam = evening.game, evening.dora, evening.sam
    [out, other] = sorted(evening.players, key=lambda name: evening.players[name] is not evening.thrower)
    sam.do("Find that … used a device", {"Person": out})
    sam.do("Declare the wagers of … void", {"Player": out})
    sam.do("Exclude … from the game", {"Person": out})
    expect(evening.players[out].page.locator(".calls")).to_contain_text("You are excluded from the game")
    expect(dora.page.get_by_role("region", name="Players").locator("tbody tr")).to_have_count(1)
    felt = evening.players.pop(out)
    expect(felt.page.locator(".calls li").first).to_contain_text(
        "You were removed from your seat: 100.00 went to your account"
    )
    felt.page.get_by_role("button", name="Sit down").click()
    expect(felt.page.locator(".seat .problem")).to_contain_text("You are excluded from the game.")
    evening.hand_round()
    assert not evening.is_handed_round or evening.thrower is evening.players[other]
    evening.players[other].bet(*(game.needed or game.ann))
    evening.throw()
    evening.read(game.wrong)
    evening.expect_same()


def expect_balanced(evening: Evening) -> None:
    """The books of the house balance; the table replayed from its record is the same, to the byte."""
    store, house = evening.house.running_house.store, evening.house.running_house.house
    records = {head.stream: store.read(head.stream) for head in store.heads()}
    assert audit({stream: entries(stored) for stream, stored in records.items()}) == []
    own = [read(record) for record in records[table_stream(evening.table)]]
    replayed, live = table_state.evolve(TableState(), own), house.table(evening.table)
    assert msgspec.msgpack.encode(replayed) == msgspec.msgpack.encode(live)
    assert [encode(entry.document) for entry in own] == [entry.stored for entry in own]
