"""A house in which everything happened that the registers record, for tests: three tables, one promotion, two
months."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from croupier.house import orders
from croupier.house.registers import EVERYTHING, Registers, Scope
from croupier.house.registers.register_files import Followed, claimants_of
from croupier.house.registers.register_rows import read_period
from croupier.store.contract import Reading
from tests.houses import SHELF, TestHouse
from tests.promoting import Promoting
from tests.promotions import a_prize

CRAPS, SIC_BO, SNAKES, NEW_ZEALAND = "craps-nsw-2024", "sic-bo-nsw-2016", "snake-eyes-nsw-2019", "snake-eyes-nz"
TABLES = {"craps-1": CRAPS, "sic-1": SIC_BO, "snakes-1": SNAKES, "auckland": NEW_ZEALAND}
NOVEMBER = "2026-11"
CLAIMANT = orders.Personal("Cy Claimant", "3 Harbour Street, Sydney")


class Floor:
    """A house with staff at every table; dora deals at the first, dora-2 at the next. A line takes a second."""

    def __init__(self, house: TestHouse | None = None, tables: dict[str, str] | None = None) -> None:
        self.house = house or TestHouse()
        people = {"sue": "supervisor", "otto": "operator", "ivy": "inspector"}
        for person, role in people.items():
            self.house.person(person, role, cents=0, card=False)
        for person in ("nora", "ned"):
            self.house.person(person, cents=100_000_00)
        for number, (table, book) in enumerate((TABLES if tables is None else tables).items(), 1):
            self.house.dealt_table(book, table, min="5.00")
            dealer = self.house.person("dora" if number == 1 else f"dora-{number}", "dealer", cents=0, card=False)
            self.house.ok(orders.TakePost(table=table, role="dealer"), dealer)
            for person, role in people.items():
                self.house.ok(orders.TakePost(table=table, role=role), person)
            for person in ("nora", "ned"):
                self.house.ok(orders.Sit(table=table, cents=5_000_00), person)

    def says(self, table: str, who: str, do: str, **said: object) -> None:
        """Give a line that must not be refused."""
        self.house.at += timedelta(seconds=1)
        reply = self.house.say(table, who, do, **said)
        assert reply["ok"], reply

    def wrong_payment(self, case: str, amount: str, way: str = "overpaid", **said: object) -> None:
        """A wrong payment that is discovered now."""
        self.says("craps-1", "dora", "report_mispayment", case=case, way=way, amount=amount, wager="field", **said)

    @property
    def registers(self) -> Registers:
        """Everything in the store."""
        return read(self.house.store)


def read(store: Reading) -> Registers:
    """The registers of a store, from its first event on."""
    return Followed(SHELF).up_to(store)


def rows(
    registers: Registers, register: str, period: str = NOVEMBER, scope: Scope = EVERYTHING
) -> list[dict[str, str]]:
    """The rows of a register, by the ids of its columns, without names."""
    made = registers.register(register, read_period(period), scope)
    return [dict(zip([column.id for column in made.columns], row, strict=True)) for row in made.rows]


def an_evening() -> Floor:
    """Everything at the tables, in November 2026; the promotion was in March."""
    floor = Floor(promotion().house)
    floor.house.at = datetime(2026, 11, 15, 1, 0, tzinfo=UTC)  # noon in Sydney
    _payments(floor)
    _disputes(floor)
    _exclusions(floor)
    _outcomes(floor)
    _signs(floor)
    _equipment(floor)
    return floor


def promotion() -> Promoting:
    """A promotion with two claims denied, one of them small, a dispute, and a postponed draw."""
    running = Promoting(CRAPS)
    prizes = (a_prize(running.rules, value=500_00), a_prize(running.rules, value=100_00, name="second"))
    running.started(*prizes).entered("ann", "ben").closed()
    running.says("postpone", reason="a ticket was seen twice").says("tell_inspector")
    running.says("validate", finding="it was the same ticket").says("draw_prizes")
    running.says("make_claim", claim="c1", award=1, claimant="cy", personal=CLAIMANT)
    running.says("deny_claim", claim="c1", reason="not the winner").says("tell_reason", claim="c1")
    running.says("make_claim", claim="c2", award=2, claimant="cy").says("deny_claim", claim="c2", reason="nor this one")
    running.says("raise_dispute", "ann", dispute="d1", patron="ann", about="the closing time")
    running.says("decide_dispute", dispute="d1", decision="It closed when the terms said.")
    running.says("note_dissatisfied", "ann", dispute="d1").says("advise_of_right", dispute="d1")
    return running


def _payments(floor: Floor) -> None:
    floor.wrong_payment("large", "1200.00", player="nora")
    floor.wrong_payment("just above", "1000.01", "underpaid")
    floor.wrong_payment("exactly", "1000.00")
    floor.says("craps-1", "sue", "enquire", case="large", finding="unintentional")
    floor.says("craps-1", "nora", "give_back", case="large", amount="200.00")


def _disputes(floor: Floor) -> None:
    floor.says("craps-1", "nora", "raise_dispute", case="late", about="a late bet")
    floor.says("craps-1", "sue", "decide_dispute", case="late", decision="=too+late")
    floor.says("craps-1", "otto", "final_decision", case="late", decision="too late 漢")
    floor.says("craps-1", "nora", "dissatisfied", case="late")
    floor.says("craps-1", "sue", "tell_right", case="late")
    floor.says("craps-1", "nora", "complain", case="late")
    floor.says("craps-1", "ivy", "receive_complaint", case="late")
    floor.says("auckland", "otto", "operator_decides", about="the cloth", decision="green")


def _exclusions(floor: Floor) -> None:
    floor.says("craps-1", "dora", "report_device", person="ned")
    floor.says("craps-1", "sue", "find_device", person="ned")
    floor.says("craps-1", "sue", "exclude_from_casino", person="ned")
    until = (floor.house.at + timedelta(days=30)).isoformat()
    floor.house.ok(orders.Exclude(person="ben", until=until), "sue")
    floor.house.ok(orders.LetIn(person="ben"), "otto")
    floor.house.ok(orders.Exclude(person="cy", until=None), "cy")


def _outcomes(floor: Floor) -> None:
    floor.says("craps-1", "nora", "bet", wager="field", amount="30.00")
    assert floor.house.say("craps-1", "dora", "dice_out")["ok"]
    floor.says("craps-1", "sue", "void", reason="10.5.1")
    floor.says("craps-1", "nora", "bet", wager="field", amount="25.00")
    assert floor.house.say("craps-1", "dora", "dice_out")["ok"]
    floor.says("craps-1", "sue", "void", reason="10.5.2", forfeit=["nora"])
    floor.says("craps-1", "nora", "bet", wager="field", amount="20.00")
    floor.says("craps-1", "dora", "find_invalid", player="nora", reason="a card of another person")


def _signs(floor: Floor) -> None:
    stated = floor.house.at + timedelta(minutes=5)
    floor.says("craps-1", "sue", "post_minimum_sign", minimum="10.00", time=stated.isoformat())
    floor.house.wait(20 * 60)
    floor.says("craps-1", "sue", "set_minimum", minimum="10.00")
    floor.says("craps-1", "sue", "set_minimum", minimum="5.00")
    floor.says("craps-1", "sue", "set_maximum", wager="field", maximum="500.00")
    floor.says("craps-1", "sue", "set_unit", amount="5.00")
    floor.says("craps-1", "sue", "one_per_area")
    floor.says("snakes-1", "otto", "adopt", book=SNAKES, pay_table="two")


def _equipment(floor: Floor) -> None:
    floor.says("sic-1", "dora-2", "report_malfunction", what="lights")
    floor.says("sic-1", "dora-2", "notify_inspector")
    floor.says("sic-1", "sue", "rectify")


def claimants(floor: Floor) -> dict[tuple[str, str], tuple[str, str]]:
    """Who claimed, as the store keeps it."""
    return claimants_of(floor.house.store)
