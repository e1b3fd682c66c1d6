"""Reports of tables and of the house: by hand from the rules, and expected wins compared with the exact analysis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction
from itertools import count
from math import sqrt
from random import Random
from statistics import fmean
from typing import Any

import msgspec
import pytest

from croupier.contract import management
from croupier.house import orders
from croupier.house.reporting.bookkeeping import BANK, account
from croupier.house.reporting.expected import Pile, SolvedMachine, SolvedMachines, Worths
from croupier.house.reporting.reports import (
    Expected,
    Handle,
    Open,
    Report,
    Reports,
    Tally,
    csv_text,
    period_rows,
    show_open,
    show_period,
    wager_rows,
)
from croupier.house.stored_events import FORMAT, Document, Entry, stamp
from croupier.ledger import CAGE, COMMISSION, DROP, FLOAT, LAYOUT, PURSE, TERMINAL, TOKENS, hand, tokens
from croupier.maths.chain import machine_chain, solve
from croupier.maths.figures import Figures, Lives, valued
from croupier.maths.plan import Staked
from croupier.money import commission_cents
from croupier.rules.game import Game
from croupier.rules.machine import Entry as Cell
from croupier.rules.machine import Machine, Pick
from croupier.rules.offers import commission_rate
from croupier.table import commands, events
from croupier.table.commands import Settings
from croupier.table.decide import decide
from croupier.table.evolve import evolve_all
from croupier.table.refusals import Refusal
from croupier.table.state import Area, Stake, Stakes, State, TableView
from tests.casino import Casino
from tests.properties.test_tables import bookable
from tests.tables import BOOKS, SHELF
from tests.test_docs import first_column, in_backticks

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, SNAKE_EYES_NZ = BOOKS
DAY = datetime(2024, 8, 19, 10, tzinfo=UTC)
MONDAY = "2024-08-19"


class Record:
    """A table in play, and the entries that a store would have of it."""

    def __init__(self, book: str, players: tuple[str, ...] = ("ann",), **settings: Any) -> None:  # noqa: ANN401
        self.state, self.now = State(), DAY
        self.entries: list[Entry] = []
        self._versions = count(1)
        self.do(commands.OpenTable(terms=SHELF.terms(book), settings=Settings(**settings)))
        for player in players:
            self.do(commands.SeatPlayer(player=player, chips=10_000_000))

    def do(self, command: commands.AnyCommand) -> None:
        assert self.tried(command), command

    def tried(self, command: commands.AnyCommand) -> bool:
        decision = decide(SHELF, self.state, command)
        if isinstance(decision, Refusal):
            return False
        self.happened(*decision)
        return True

    def happened(self, *happened: events.AnyEvent) -> None:
        self.state = evolve_all(self.state, happened)
        for event in happened:
            document = Document(FORMAT, stamp(self.now), event)
            self.entries.append(Entry(next(self._versions), b"", b"", document))

    def bet(self, wager: str, cents: int, pick: object = None, player: str = "ann", laid: int = 0) -> None:
        self.do(commands.PlaceWager(player=player, wager=wager, pick=pick, amount=cents, tokens=laid))

    def throw(self, *faces: int | str) -> None:
        self.tried(commands.CloseBets())
        self.do(commands.Throw(faces=faces))

    def read(self) -> Reports:
        reports = Reports(SHELF)
        reports.take_in("table/pit", self.entries)
        return reports

    def day(self) -> Report:
        """The only day there is."""
        (report,) = self.read().table("pit")
        return report

    @property
    def expected(self) -> Expected:
        return self.day().expected


# -- drop, win, hold, turnover -----------------------------------------------------------------------------------------


@pytest.fixture
def craps() -> Casino:
    """A point of 4 is made with a seven in between: win line and field lose, place 6 stays up; ann leaves after
    that."""
    casino = Casino(DAY)
    casino.open_doors(["ann", "bob"], 100_000)
    casino.set_table("pit", CRAPS)
    casino.do("ann", orders.Sit(table="pit", cents=30_000))
    casino.do("bob", orders.Sit(table="pit", cents=10_000))
    casino.do("bob", orders.BuyIn(table="pit", cents=5_000))
    _say(casino, "ann", "bet", wager="win_line", amount="10.00")
    _say(casino, "bob", "bet", wager="field", amount="20.00")
    _say(casino, "dot", "roll", dice=[2, 2])  # field pays even money on 4, the point is 4
    _say(casino, "ann", "bet", wager="buy", pick=5, amount="40.00")  # 5 per cent: 2.00
    _say(casino, "bob", "bet", wager="any_seven", amount="5.00")
    _say(casino, "dot", "roll", dice=[5, 2])  # any seven pays 4 for 1 less the stake; the others lose
    return casino


def _say(casino: Casino, who: str, word: str, **said: object) -> None:
    reply = casino.say(who, "pit", word, **said)
    assert reply["ok"], reply


def reports_of(casino: Casino) -> Reports:
    reports = Reports(SHELF)
    for stream, stored in casino.streams().items():
        reports.take_in(stream, stored)
    return reports


def test_a_day_at_craps_by_hand(craps: Casino) -> None:
    """Field 20.00 pays 20.00, any seven 5.00 pays 20.00; win line 10.00 and buy 40.00 lose, with commission of 2.00."""
    (day,) = reports_of(craps).table("pit")
    assert (day.table, day.period) == ("pit", MONDAY)
    assert (day.drop, day.cashed_out, day.vouchers) == (45_000, 0, 0)
    assert day.win == -2_000 - 2_000 + 1_000 + 4_000 + 200
    assert (day.commission, day.corrections, day.returned) == (200, 0, 0)
    assert (day.turnover, day.wagers, day.average_stake) == (7_500, 4, Fraction(1_875))
    assert day.hold == Fraction(1_200, 45_000)
    assert (day.rounds, day.throws, day.players) == (2, 2, 2)
    assert day.handle == (
        Handle("any_seven", 500, 1, -2_000),
        Handle("buy", 4_000, 1, 4_200),
        Handle("field", 2_000, 1, -2_000),
        Handle("win_line", 1_000, 1, 1_000),
    )


def test_the_house_is_all_its_tables_and_who_plays_at_two_is_one_player(craps: Casino) -> None:
    craps.set_table("coins", TWO_UP)
    craps.do("ann", orders.Sit(table="coins", cents=5_000))
    assert craps.say("ann", "coins", "bet", wager="heads", amount="50.00")["ok"]
    assert craps.say("dot", "coins", "no_more_bets")["ok"]
    assert craps.say("dot", "coins", "spin", coins="TT")["ok"]
    reports = reports_of(craps)
    (house,) = reports.house()
    assert reports.tables == ["coins", "pit"]
    assert (house.table, house.drop, house.win, house.players) == (None, 50_000, 6_200, 2)
    assert csv_text(period_rows([show_period(house)])).splitlines()[1].startswith(f",{MONDAY},500.00,62.00,")
    assert (house.rounds, house.turnover) == (3, 12_500)
    assert [each.wager for each in house.handle] == ["any_seven", "buy", "field", "heads", "win_line"]
    parts = [reports.table(table)[0].expected for table in reports.tables]
    assert house.expected.win == sum(each.win for each in parts)
    assert house.expected.variance == sum(each.variance for each in parts)


def test_corrections_and_refunds(craps: Casino) -> None:
    """Bob gets the 5.00 by which he was underpaid; ann's new wagers are returned, with the commission of one."""
    said = {"case": "one", "way": "underpaid", "amount": "5.00", "player": "bob", "wager": "field"}
    for person in ("sue", "max"):
        if craps.say(person, "pit", "report_mispayment", **said)["ok"]:
            break
    craps.say("sue", "pit", "enquire", case="one", finding="unintentional")
    assert any(craps.say(person, "pit", "reimburse", case="one")["ok"] for person in ("dot", "sue", "max"))
    _say(craps, "ann", "bet", wager="buy", pick=10, amount="20.00")
    _say(craps, "ann", "bet", wager="any_craps", amount="3.00")
    _say(craps, "ann", "take", wager="buy", pick=10)
    _say(craps, "dot", "dice_out")
    _say(craps, "sue", "void", reason="10.5.1")
    craps.do("ann", orders.GetUp(table="pit"))
    (day,) = reports_of(craps).table("pit")
    assert (day.corrections, day.win) == (500, 1_200 - 500)
    assert (day.commission, day.returned) == (200, 300)
    assert (day.turnover, day.cashed_out) == (7_500, 30_000 - 1_000 - 4_200)
    assert day.expected.luck == reports_of_first(craps).luck  # what people decide is no luck


def reports_of_first(casino: Casino) -> Expected:
    """The report of the same day up to its second throw."""
    reports = Reports(SHELF)
    stored = casino.streams()["table/pit"]
    throws = [place for place, entry in enumerate(stored) if isinstance(entry.document.event, events.Thrown)]
    reports.take_in("table/pit", stored[: throws[1] + 1])
    return reports.table("pit")[0].expected


def test_a_wager_that_goes_back_takes_its_commission_with_it() -> None:
    record = Record(CRAPS)
    record.bet("buy", 2_000, pick=10)
    record.throw(2, 2)
    assert record.day().win == 100
    record.do(commands.PerformAct(act="dice_out", by="stickperson"))
    record.do(commands.VoidThrow(reason="10.5.1"))
    assert (record.day().win, record.day().commission, record.day().returned) == (0, 0, 2_000)
    assert record.day().handle == (Handle("buy", 0, 0, 0),)


def test_a_round_may_take_several_throws() -> None:
    record = Record(TWO_UP)
    record.bet("heads", 1_000)
    for coins in ("HT", "TH", "HH"):
        record.throw(*coins)
    assert (record.day().throws, record.day().rounds, record.day().wagers) == (3, 1, 1)


def test_vouchers_and_tokens_are_no_drop() -> None:
    """Chips for a voucher are a gift from the float. A losing token counts as nothing won; a winning one is paid and
    collected."""
    record = Record(SNAKE_EYES)
    record.happened(events.ChipsBought("ann", 2_000, "voucher"), events.ChipsBought("ann", 1_000, "cash"))
    record.happened(events.TokensIssued("ann", 5_000, "collected", "1.1"))
    record.bet("six", 2_000, laid=1_500)
    record.throw(3, 4)  # a seven loses
    assert record.day().win == 500
    record.bet("six", 1_000, laid=1_000)
    record.throw(3, 3)
    day = record.day()
    assert (day.drop, day.vouchers) == (10_000_000 + 1_000, 2_000)
    paid = next(e.document.event for e in reversed(record.entries) if isinstance(e.document.event, events.AreaSettled))
    assert paid.result == "win"
    assert day.win == 500 - paid.stakes[0][2]
    assert day.turnover == 3_000


# -- days, months, years -----------------------------------------------------------------------------------------------


def test_days_are_those_of_the_table() -> None:
    """In summer, midnight in Sydney is one in the afternoon at Greenwich; in Auckland it is eleven in the morning."""
    sydney, auckland = Record(TWO_UP), Record(SNAKE_EYES_NZ)
    for record, wager in ((sydney, "heads"), (auckland, "six")):
        for hour, minute in ((10, 59), (11, 0), (12, 59), (13, 0)):
            record.now = datetime(2024, 12, 31, hour, minute, tzinfo=UTC)
            record.bet(wager, 1_000)
            record.throw(*(("H", "H") if record is sydney else (3, 4)))
    reports = Reports(SHELF)
    reports.take_in("table/sydney", sydney.entries)
    reports.take_in("table/auckland", auckland.entries)
    rounds = {table: {day.period: day.rounds for day in reports.table(table)} for table in reports.tables}
    assert rounds == {
        "sydney": {MONDAY: 0, "2024-12-31": 3, "2025-01-01": 1},
        "auckland": {MONDAY: 0, "2024-12-31": 1, "2025-01-01": 3},
    }
    assert [(each.period, each.rounds) for each in reports.house("month")] == [
        ("2024-08", 0),
        ("2024-12", 4),
        ("2025-01", 4),
    ]
    assert [(each.period, each.rounds) for each in reports.house("year")] == [("2024", 4), ("2025", 4)]


def test_days_add_up_to_months_and_years_even_where_a_clock_goes_back() -> None:
    rnd, record = Random(4), Record(CRAPS, ("ann", "bob"))
    for day in (3, 4, 2, 30, 4):
        record.now = datetime(2024, 6, day, 3, tzinfo=UTC)
        play(record, rnd, CRAPS, rounds=6)
    record.now = datetime(2024, 7, 1, 3, tzinfo=UTC)
    play(record, rnd, CRAPS, rounds=6)
    reports = record.read()
    days, months, (year,) = (reports.table("pit", "day"), reports.table("pit", "month"), reports.table("pit", "year"))
    assert [day.period for day in days] == [
        "2024-06-02",
        "2024-06-03",
        "2024-06-04",
        "2024-06-30",
        "2024-07-01",
        MONDAY,
    ]
    for name in ("drop", "win", "turnover", "returned", "rounds", "throws", "wagers", "commission"):
        assert sum(getattr(day, name) for day in days) == getattr(year, name), name
        assert sum(getattr(month, name) for month in months) == getattr(year, name), name
    for name in ("win", "variance", "standing", "luck", "throws"):
        assert sum(getattr(day.expected, name) for day in days) == getattr(year.expected, name), name
    assert year.players == 2
    assert year.expected.standing == sum(each.worth for each in reports.standing("pit"))


def test_a_wager_that_stands_over_midnight_is_expected_when_it_was_made() -> None:
    """There is a point of 4 at midnight: the house then wins 10.00 with probability 2/3, a third of the stake on
    average."""
    record = Record(CRAPS)
    record.now = datetime(2024, 6, 3, 3, tzinfo=UTC)
    record.bet("win_line", 1_000)
    record.throw(2, 2)
    record.now = datetime(2024, 6, 4, 3, tzinfo=UTC)
    record.throw(3, 4)
    first, second, _opened = record.read().table("pit")
    assert (first.win, first.expected.win, first.expected.standing) == (0, 1_000 * Fraction(7, 495), Fraction(1_000, 3))
    assert (second.win, second.expected.standing) == (1_000, -Fraction(1_000, 3))
    assert second.expected.win == 0
    assert second.expected.luck == Fraction(2_000, 3)


# -- what was to be expected -------------------------------------------------------------------------------------------


def test_one_wager_on_the_win_line() -> None:
    """7/495 of the stake, from when it is made until it is decided, whatever is thrown."""
    record = Record(CRAPS)
    record.bet("win_line", 1_000)
    assert record.expected == Expected(1_000 * Fraction(7, 495), Fraction(0), 1_000 * Fraction(7, 495), Fraction(0), 0)
    assert record.expected.z is None
    record.throw(6, 5)
    assert (record.day().win, record.expected.win) == (-1_000, Fraction(7_000, 495))
    assert record.expected.standing == 0
    assert record.expected.luck == -1_000 - Fraction(7_000, 495)
    assert record.expected.throws == 1


def test_the_variance_of_a_throw_by_hand() -> None:
    """Any seven pays 4 to 1: 40.00 for 10.00 with probability 1/6, which is 5/36 of (10 + 40) squared."""
    record = Record(CRAPS)
    record.bet("any_seven", 1_000)
    record.throw(1, 1)
    assert record.expected.variance == Fraction(5, 36) * 5_000**2
    assert record.expected.win == Fraction(1_000, 6)
    assert record.expected.sd == sqrt(Fraction(5, 36) * 5_000**2)
    assert record.expected.low == pytest.approx(1_000 / 6 - 1.96 * sqrt(5) / 6 * 5_000)
    assert record.expected.high == pytest.approx(1_000 / 6 + 1.96 * sqrt(5) / 6 * 5_000)
    assert record.expected.z == pytest.approx((1_000 - 1_000 / 6) / (sqrt(5) / 6 * 5_000))
    assert record.expected.is_rough


def test_wagers_on_one_throw_are_not_independent() -> None:
    """Twice the stake has four times the variance, by one player or two; heads against tails leaves hardly any."""

    def variance(*bets: tuple[str, str]) -> Fraction:
        record = Record(TWO_UP, ("ann", "bob"))
        for player, wager in bets:
            record.bet(wager, 1_000, player=player)
        record.throw("H", "H")
        return record.expected.variance

    one = variance(("ann", "heads"))
    assert variance(("ann", "heads"), ("bob", "heads")) == 4 * one
    # Five odds in a row take both: that is worth 1/32 of each, and after one throw nothing, or twice as much.
    assert variance(("ann", "heads"), ("bob", "tails")) == Fraction(2 * 1_000, 32) ** 2


def states_of(game: Game, wager: str, pick: Pick, staked: Staked) -> Iterator[tuple[str, State]]:
    """A table with only this wager up, in each of its states, with the wager awake on the next throw."""
    rules = game.wager(wager)
    for state in game.machine(wager, pick).table:
        rate = commission_rate(game, rules, pick, game.machine(wager, pick).starts[0])
        stake = Stake(staked.stake, commission_cents(staked.stake, rate), True if rules.sleeps else None)
        stakes: Stakes = {"ann": stake}
        phases = {name: phase.start for name, phase in game.book.phases.items()}
        yield (
            state,
            State(
                settings=Settings(chip=staked.chip),
                terms=(SHELF.terms(game.book.id),),
                phases=phases,
                layout={Area(wager, pick, state, 0): stakes},
            ),
        )


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("chips", [1, 60])
def test_every_wager_is_worth_what_the_analysis_says(book: str, chips: int) -> None:
    """Mean and variance, summed from throw to throw, of every wager: at 1 chip, with rounding, and at 60, without.

    Wagers behind one that may be decided while it sleeps are left out: their results do not depend on their machine
    alone.
    """
    game = SHELF.game(SHELF.terms(book))
    lives, courses, compared = Lives(game), SolvedMachines(SHELF), 0
    for wager, pick in ((each, pick) for each in game.book.rules.wagers for pick in game.book.picks(each)):
        if wager.behind is not None and wager.sleeps is not None:
            continue
        start = game.machine(wager.id, pick).starts[0]
        staked = Staked(100 * chips * (wager.multiple.chips if wager.multiple else 1), 100)
        figures: Figures = valued(lives, wager.id, pick, start, staked)
        worth, variances = {}, {}
        for state, table in states_of(game, wager.id, pick, staked):
            law = Worths(courses).throw(table, game.book.outcomes.all[0])
            assert law.mean == 0
            variances[state] = {"": law.variance}
            worth[state] = Worths(courses).standing(table)
        paid = commission_cents(staked.stake, commission_rate(game, wager, pick, start))
        assert worth[start] + paid == -figures.ev * staked.stake, (wager.id, pick)
        chain = machine_chain(game.machine(wager.id, pick))
        assert solve(chain.moves, variances)[start][""] == figures.variance * staked.stake**2, (wager.id, pick)
        compared += 1
    assert compared > 3


@pytest.mark.parametrize("book", BOOKS)
def test_every_throw_does_what_was_reckoned_before_it(book: str) -> None:
    """From crowded layouts each outcome is thrown: rounding, commission, tokens, calls, wagers of which a part wins."""
    rnd, record = Random(f"throws at {book}"), Record(book, ("ann", "bob", "cy"))
    for player, then in (("ann", "collected"), ("bob", "returned")):
        record.happened(events.TokensIssued(player, 100_000_000, then, "1.1"))
    courses, met = SolvedMachines(SHELF), Counter[str]()
    kept = Worths(courses)
    for number in range(12):
        lay(record, rnd, book)
        if number == 6:  # what stands is paid in other chips from now on
            record.happened(events.SignChanged(msgspec.structs.replace(record.state.settings, chip=200), "1.1"))
        before, laws, worth = record.state, Worths(courses), Worths(courses).standing(record.state)
        assert kept.standing(before) == worth
        assert kept.throw(before, (faces := SHELF.book(book).outcomes.all[-1])) == laws.throw(before, faces)
        changed = []
        for faces in SHELF.book(book).outcomes.all:
            thrown = decide(SHELF, before, commands.Throw(faces=faces))
            assert not isinstance(thrown, Refusal)
            tally = Tally()
            for event in thrown:
                tally.enter(event)
                met[getattr(event, "result", "")] += bool(getattr(event, "tokens", ()))
            after = Worths(courses).standing(evolve_all(before, thrown))
            changed.append(tally.settled + tally.commission + after - worth)
            assert laws.throw(before, faces).came == changed[-1], (faces, before.layout)
        law, mean = laws.throw(before, faces), sum(changed, Fraction(0)) / len(changed)
        assert (law.mean, law.variance) == (mean, sum((each - mean) ** 2 for each in changed) / len(changed))
        record.throw(*rnd.choice(SHELF.book(book).outcomes.all))
    assert met["win"] > 0
    assert met["lose"] > 0


def lay(record: Record, rnd: Random, book: str) -> None:
    """Lay a dozen wagers, some in tokens, some called On or Off; close the bets where the book does that."""
    for _ in range(25):
        (wager, pick), player = rnd.choice(bookable(book)), rnd.choice(record.state.seats)
        amount = rnd.choice([100, 400, 500, 700, 1_000, 2_000, 6_000])
        laid = rnd.choice([0, 100, amount]) if player in record.state.tokens else 0
        record.tried(commands.PlaceWager(player=player, wager=wager, pick=pick, amount=amount, tokens=laid))
    for player, area, _ in record.state.wagers():
        if rnd.random() < 0.5:
            pick = TableView(SHELF, record.state).shown_pick(area)
            record.tried(commands.CallWager(player=player, wager=area.wager, pick=pick, on=rnd.random() < 0.5))
    record.tried(commands.CloseBets())


def test_a_wager_that_goes_back_asleep_with_the_one_before_it() -> None:
    """Behind the Come, 7 at 6 to 5 is rounded up to 9: the house loses by it when awake, and nothing when it is
    returned (CR-9).

    Asleep on a come out roll, it is returned when a 6 or a 7 decides the Come: 11 outcomes of 36.
    """
    record = Record(CRAPS)
    record.bet("win_line", 1_000)
    record.throw(2, 2)
    record.bet("come", 1_000)
    record.throw(4, 2)
    record.bet("behind_come", 700, pick=6)
    record.throw(1, 3)  # the point is made: a come out roll follows
    area = next(area for area in record.state.layout if area.wager == "behind_come")
    worths = Worths(SolvedMachines(SHELF))
    worth = worths.by_area(record.state)[area]
    assert worth == Fraction(6, 11) * 700 - Fraction(5, 11) * 900
    laws = [worths.throw(record.state, faces) for faces in SHELF.book(CRAPS).outcomes.all]
    law = worths.throw(record.state, (4, 3))
    assert law.mean == -worth * Fraction(11, 36)
    assert law.variance == sum(each.luck**2 for each in laws) / 36
    before = record.expected
    record.throw(4, 3)
    assert record.day().win == 1_000 - 1_000  # the win line won 10.00 before, the Come lost 10.00 now
    assert record.day().returned == 700
    assert record.expected.win - before.win == law.mean


def test_what_is_taken_down_is_expected_no_longer() -> None:
    """A Don't Win on the point 4 is worth a third of its stake to the player, who gives that up by taking it down."""
    record = Record(CRAPS)
    record.bet("dont_win", 1_200)
    record.throw(2, 2)
    assert record.expected.standing == -400
    before = record.expected
    record.do(commands.TakeWager(player="ann", wager="dont_win"))
    assert record.expected.standing == 0
    assert record.expected.win == before.win + 400
    assert record.expected.luck == before.luck


def test_commission_goes_back_with_a_wager_that_is_void() -> None:
    """It was won when it was paid; one time in three it is lost again."""
    cells = (Cell("win", "1.1", 0, odds=Fraction(1)), Cell("lose", "1.2", 1), Cell("void", "1.3", 2))
    pile = Pile(
        SolvedMachine(Machine("some", None, ("on",), {"on": cells * 2})), [Stake(1_000, 30), Stake(500, 15)], chip=100
    )
    assert pile.worth("on") == Fraction(-1_500 + 1_500 - 45, 3)
    assert sorted(pile.changes("on").values) == sorted([-4_500 + 45, 4_500 + 45, -3 * 45 + 45])


def test_a_wager_that_is_never_decided_is_worth_nothing() -> None:
    stays = Machine("ever", None, ("on",), {"on": (Cell("stay", "1.1", 0),) * 36})
    pile = Pile(SolvedMachine(stays), [Stake(1_000)], chip=100)
    assert pile.worth("on") == 0
    assert pile.changes("on").values == [0]


def play(record: Record, rnd: Random, book: str, rounds: int) -> None:
    """Random wagers by everyone on random throws; whatever the table accepts."""
    outcomes = SHELF.book(book).outcomes.all
    for _ in range(rounds):
        for player in record.state.seats:
            wager, pick = rnd.choice(bookable(book))
            amount = rnd.choice([1_000, 2_000, 6_000])
            record.tried(commands.PlaceWager(player=player, wager=wager, pick=pick, amount=amount))
        record.throw(*rnd.choice(outcomes))


@pytest.mark.parametrize("book", BOOKS)
def test_a_long_run_is_as_far_from_its_mean_as_it_should_be(book: str) -> None:
    """Many runs: the mean of z is about zero, and that of its square about one. Their sum stays within 4 as well."""
    rnd, found = Random(f"a long run at {book}"), []
    total, variance = Fraction(0), Fraction(0)
    for _ in range(30):
        record = Record(book, ("ann", "bob", "cy"))
        play(record, rnd, book, rounds=30)
        expected = record.expected
        assert expected.z is not None
        found.append(expected.z)
        total, variance = total + expected.luck, variance + expected.variance
    assert abs(float(total)) < 4 * sqrt(variance)
    assert abs(fmean(found)) < 4 / sqrt(len(found))
    assert 0.4 < fmean(z * z for z in found) < 2.2


# -- open positions, rows ----------------------------------------------------------------------------------------------


def test_open_positions() -> None:
    record = Record(CRAPS, ("ann", "bob"))
    record.bet("win_line", 1_000)
    record.bet("win_line", 500, player="bob")
    record.throw(2, 2)
    record.bet("buy", 2_000, pick=10, player="bob")
    record.bet("come", 3_000)
    record.throw(3, 3)
    found = record.read().standing("pit")
    assert found == [
        Open("pit", "win_line", None, "point 4", 2, 1_500, 0, 0, Fraction(1_500, 3)),
        Open("pit", "buy", 10, "standing", 1, 2_000, 0, 100, Fraction(0)),
        Open("pit", "come", 6, "point 6", 1, 3_000, 0, 0, Fraction(3_000, 11)),
    ]
    assert msgspec.to_builtins(show_open(found[1])) == {
        "table": "pit",
        "wager": "buy",
        "pick": 10,
        "state": "standing",
        "wagers": 1,
        "stake": "20.00",
        "tokens": "0.00",
        "commission": "1.00",
        "worth": 0.0,
    }
    assert Reports(SHELF).standing("pit") == []


def test_rows_for_other_programs() -> None:
    record = Record(CRAPS)
    record.bet("any_seven", 1_000)
    record.throw(1, 1)
    day = record.day()
    shown = show_period(day)
    row = msgspec.to_builtins(shown.figures)
    assert row == {
        "table": "pit",
        "period": MONDAY,
        "drop": "100000.00",
        "win": "10.00",
        "hold": 0.0001,
        "turnover": "10.00",
        "wagers": 1,
        "rounds": 1,
        "throws": 1,
        "players": 1,
        "average_stake": 10.0,
        "expected": 10 / 6,
        "standing": 0.0,
        "sd": day.expected.sd / 100,
        "low": day.expected.low / 100,
        "high": day.expected.high / 100,
        "z": day.expected.z,
        "rough": True,
        "commission": "0.00",
        "corrections": "0.00",
        "returned": "0.00",
        "vouchers": "0.00",
        "cashed_out": "0.00",
    }
    assert msgspec.json.encode(shown) == msgspec.json.encode(show_period(record.day()))
    assert csv_text(period_rows([shown])).splitlines()[0] == ",".join(
        [*row, *(f"{name}_exact" for name in shown.exact)]
    )
    assert csv_text(wager_rows([shown])) == (
        f"table,period,wager,turnover,wagers,win\npit,{MONDAY},any_seven,10.00,1,10.00\n"
    )
    assert csv_text([]) == ""


def test_the_page_has_every_column_and_every_account() -> None:
    columns = first_column("ledger.md", "Reports")
    assert columns == set(management.Figures.__struct_fields__)
    words = in_backticks("ledger.md")
    assert {BANK, account("PERSON"), hand("PLAYER"), tokens("PLAYER")} <= words
    assert {LAYOUT, FLOAT, COMMISSION, DROP, TERMINAL, TOKENS, CAGE, PURSE} <= words


def test_a_table_without_players_has_a_report_and_no_hold() -> None:
    (day,) = Record(SIC_BO, players=()).read().table("pit")
    figures = show_period(day).figures
    assert (day.hold, day.average_stake, figures.hold, figures.z) == (None, None, None, None)
    assert Reports(SHELF).table("nowhere") == []
    assert Reports(SHELF).house("year") == []
