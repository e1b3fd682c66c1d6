"""Whatever people ask of the house, no cent is created or lost: all books agree after every order, and so do
reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial
from itertools import groupby
from random import Random
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from croupier.house import orders
from croupier.house.events import CameFromTable, Limits, Rhythm, WentToTable
from croupier.house.names import table_stream
from croupier.house.orders import Order
from croupier.house.reporting.bookkeeping import BANK, Books, account, audit, entries
from croupier.house.reporting.expected import SolvedMachines, Worths
from croupier.house.reporting.reports import Reports, Tally, show_period
from croupier.house.stored_events import Entry, StoredEvent
from croupier.ledger import CAGE, COMMISSION, DROP, FLOAT, LAYOUT, PURSE, TERMINAL, TOKENS, Ledger, hand
from croupier.money import format_cents
from croupier.rules.conduct import Conduct
from croupier.table import commands, events
from croupier.table.evolve import evolve_all
from croupier.table.state import Area, State, TableView
from tests.casino import STAFF, Casino, Streams, line_of
from tests.properties.courses import Evening
from tests.properties.nights import COURSES, PLAYERS, START, seeds
from tests.properties.test_tables import bookable
from tests.soaking import IS_SOAK, series
from tests.tables import BOOKS, SHELF

# -- whole evenings of all that a book knows, through the house --------------------------------------------------------


class NightAtTheHouse(Evening):
    """An evening in which every person has an account and every step is an order; all books are checked after each
    order."""

    @initialize(
        manual=st.booleans(),
        late=st.booleans(),
        seats=st.sampled_from([None, 3, 4]),
        high=st.sampled_from([None, 5_000]),
    )
    def open(self, manual: bool, late: bool, seats: int | None, high: int | None) -> None:
        self.now = START.replace(tzinfo=ZoneInfo("Australia/Sydney"))
        self.conduct: Conduct = SHELF.book(self.book).conduct
        self.casino = Casino(self.now)
        self.casino.open_doors(PLAYERS, 10_000_000)
        self.casino.set_table(
            "night",
            self.book,
            min="5.00",
            max=None if high is None else format_cents(high),
            seats=seats,
            dice="manual" if manual else "auto",
            late=late,
        )
        self.done = Counter()
        for player in PLAYERS[:3]:
            assert self.do(commands.SeatPlayer(player=player, chips=100_000))

    @property
    def state(self) -> State:  # type: ignore[override]
        return self.casino.game("night")

    @property
    def history(self) -> list[events.AnyEvent]:  # type: ignore[override]
        told = entries(self.casino.store.read("table/night"))
        return [entry.document.event for entry in told if type(entry.document.event).__module__ == events.__name__]  # type: ignore[misc]

    @property
    def ledger(self) -> Ledger:  # type: ignore[override]
        ledger = Ledger()
        ledger.post(self.history)
        return ledger

    def do(self, command: commands.AnyCommand) -> bool:
        self.casino.now = self.now
        done = any(self.casino.ask(who, deed)["ok"] for who, deed in self.orders_for(command))
        if done and isinstance(command, commands.PerformAct):
            self.done[command.act] += 1
        self.casino.check()
        return done

    def orders_for(self, command: commands.AnyCommand) -> list[tuple[str, Order]]:
        """The orders for this, and who could give them."""
        match command:
            case commands.SeatPlayer(player=player, chips=chips):
                return [(player, orders.Sit(table="night", cents=chips))]
            case commands.LeaveTable(player=player):
                return [(player, orders.GetUp(table="night"))]
            case commands.PlaceWager(player=player) | commands.TakeWager(player=player):
                return [(player, orders.Say(table="night", line=line_of(command)))]
        deed = orders.Say(table="night", line=line_of(command))
        if command.by is None:
            return [(person, deed) for person in STAFF]
        titled = orders.Say(table="night", line={**deed.line, "as": command.by})
        if command.by == "player":
            return [(command.who or "ann", titled)]
        role = next((role.house for role in self.conduct.roles if role.id == command.by), None)
        return [(person, titled) for person, own in STAFF.items() if own in (role, "manager")]

    @rule(seed=seeds)
    def chips_come_by_all_ways(self, seed: int) -> None:
        self.by_all_ways(Random(seed))

    def by_all_ways(self, rnd: Random) -> None:
        """Chips are bought from the account and from the dealer, for a voucher, in tokens that are laid; and the
        float moves."""
        self.act("fill_float", amount="100.00")
        player = self.somebody(rnd)
        self.casino.ask(player, orders.BuyIn(table="night", cents=5_000))
        self.act("start_cashless")
        for means in ("cash", "cashless", "voucher"):
            self.act("sell_chips", player=player, amount="20.00", means=means)
        self.act("exchange_for_chips", player=player, amount="20.00")
        self.act("exchange_voucher", player=player, amount="150.00", conditions=rnd.choice(["collected", "returned"]))
        for _ in range(3):
            for wager, pick in rnd.sample(bookable(self.book), min(4, len(bookable(self.book)))):
                laid = min(1_000, self.state.tokens.get(player, 0))
                self.do(commands.PlaceWager(player=player, wager=wager, pick=pick, amount=1_000, tokens=laid))
            self.play(rnd)
        self.act("credit_float", amount="100.00")

    @invariant()
    def every_cent_is_accounted_for(self) -> None:
        if hasattr(self, "casino"):
            self.casino.check()

    def teardown(self) -> None:
        if not hasattr(self, "casino"):
            return
        self.reached.update(self.happenings())
        self.end_the_evening()
        streams = self.casino.streams()
        assert audit(streams) == []
        assert_reports_agree(streams, self.casino.books)
        assert_nobody_is_owed(self.casino.books, "night", PLAYERS)
        assert not any(self.state.tokens.values())


def assert_nobody_is_owed(books: Books, table: str, people: list[str]) -> None:
    """When everyone has left, all existing chips are in people's accounts, or the house has won them."""
    assert [books.held(name, table) for name in (LAYOUT, PURSE, TOKENS)] == [0, 0, 0]
    assert [books.held(hand(person), table) for person in people] == [0] * len(people)
    houses = sum(books.held(name, table) for name in (FLOAT, COMMISSION, DROP, TERMINAL, CAGE))
    assert sum(books.held(account(person)) for person in people) + houses == -books.held(BANK)


def money_moved(happened: Iterable[StoredEvent]) -> Counter[str]:
    """The ways in which money has moved."""
    found: Counter[str] = Counter()
    for event in happened:
        match event:
            case events.AreaSettled(result=result, tokens=laid):
                found[result] += len(event.stakes)
                found[f"{result} in tokens"] += len(laid)
            case events.ChipsBought(means=means):
                found[f"bought {means}"] += 1
            case events.FloatMoved(cents=cents) | events.PaymentCorrected(cents=cents):
                found[f"{type(event).__name__} {'up' if cents > 0 else 'down'}"] += 1
            case events.WagerReduced() | events.PlayerLeft():
                found[type(event).__name__] += 1
    return found


# What the evenings of every book reach, and what those of a book that knows an act do.
ALWAYS = ["win", "lose", "bought None", "WagerReduced", "PlayerLeft"]
WITH = {
    "void_wagers": ["void"],
    "sell_chips": ["bought cash"],
    "exchange_voucher": ["win in tokens", "lose in tokens"],
    "fill_float": ["FloatMoved up"],
    "credit_float": ["FloatMoved down"],
    "reimburse": ["PaymentCorrected up"],
    "give_back": ["PaymentCorrected down"],
}


@pytest.mark.parametrize("book", BOOKS)
def test_no_cent_is_made_or_lost_in_whole_evenings(book: str) -> None:
    """Usual evenings first, so that what is reached does not depend on luck; then evenings in any order."""
    moved: Counter[str] = Counter()
    night = type("HouseNightAt", (NightAtTheHouse,), {"book": book, "reached": Counter()})
    for number in series(14, in_a_soak=40):
        rnd, evening = Random(f"{book} {number}"), night()
        evening.open(manual=number % 4 < 2, late=number % 3 < 2, seats=3 + number % 2, high=[None, 5_000][number % 2])
        for played in rnd.sample(COURSES, len(COURSES)):
            played(evening, rnd.getrandbits(32))
        evening.by_all_ways(rnd)
        evening.teardown()
        moved += money_moved(evening.history)
    acts = SHELF.book(book).conduct.by_id
    wanted = ALWAYS + [name for act, names in WITH.items() if act in acts for name in names]
    assert IS_SOAK or [name for name in wanted if not moved[name]] == []
    run_state_machine_as_test(night, settings=few())


def few() -> settings:
    """Far fewer evenings than the profile asks for: each step here is an order, stored and audited."""
    return settings(max_examples=max(5, settings().max_examples // 12))


# -- several tables at once, one of them on a clock --------------------------------------------------------------------

PEOPLE = ["ann", "bob", "cy"]
people = st.sampled_from(PEOPLE)
amounts = st.one_of(st.integers(1, 300).map(lambda n: n * 100), st.sampled_from([0, -100, 1, 10**9]))
tables = st.sampled_from(["one", "two", "clock"])


class Floor(RuleBasedStateMachine):
    """Three tables with three books, people who move between them, and a clock."""

    books: tuple[str, ...]
    moved: ClassVar[Counter[str]]

    @initialize()
    def open(self) -> None:
        self.casino = Casino()
        self.casino.open_doors(PEOPLE, 100_000)
        self.at = dict(zip(("one", "two", "clock"), self.books, strict=True))
        for table, book in self.at.items():
            self.casino.set_table(table, book, Rhythm() if table == "clock" else None)
        for person in PEOPLE[:2]:
            self.casino.do(person, orders.Sit(table="one", cents=20_000))
            self.casino.do(person, orders.Sit(table="clock", cents=20_000))

    def staff_say(self, table: str, word: str, **said: object) -> bool:
        return any(self.casino.say(person, table, word, **said)["ok"] for person in STAFF)

    # What a person does

    @rule(person=people, table=tables, cents=amounts, more=st.booleans())
    def brings_chips(self, person: str, table: str, cents: int, more: bool) -> None:
        deed = orders.BuyIn(table=table, cents=cents) if more else orders.Sit(table=table, cents=cents)
        self.casino.ask(person, deed)

    @rule(person=people, table=tables)
    def gets_up(self, person: str, table: str) -> None:
        for wager in [each for each in self.casino.game(table).wagers() if each[0] == person]:
            self.take(table, *wager[:2])
        self.casino.ask(person, orders.GetUp(table=table))

    def take(self, table: str, person: str, area: Area, amount: str | None = None) -> None:
        pick = TableView(SHELF, self.casino.game(table)).shown_pick(area)
        some = {} if amount is None else {"amount": amount}
        self.casino.say(person, table, "take", wager=area.wager, pick=pick, **some)

    @rule(person=people, loss=st.sampled_from([None, 50_000]))
    def sets_limits(self, person: str, loss: int | None) -> None:
        self.casino.do(person, orders.SetLimits(person=person, limits=Limits(loss=loss)))

    # What is played

    @rule(seed=seeds)
    def rounds_are_played(self, seed: int) -> None:
        rnd = Random(seed)
        for _ in range(rnd.randint(1, 6)):
            for table in self.at:
                self.bets(rnd, table)
                self.takes(rnd, table)
            for table in ("one", "two"):
                self.throws(rnd, table)
            self.time_passes(rnd.randint(1, 4))

    def bets(self, rnd: Random, table: str) -> None:
        for person in self.casino.game(table).seats:
            for wager, pick in rnd.sample(bookable(self.at[table]), 2):
                amount = rnd.choice([100, 700, 1_000, 2_000, 6_000])
                said = {"wager": wager, "pick": pick, "amount": format_cents(amount)}
                laid = min(amount, self.casino.game(table).tokens.get(person, 0))
                if not laid or not self.casino.say(person, table, "bet", **said, tokens=format_cents(laid))["ok"]:
                    self.casino.say(person, table, "bet", **said)

    def takes(self, rnd: Random, table: str) -> None:
        wagers = self.casino.game(table).wagers()
        if wagers and rnd.random() < 0.4:
            self.take(table, *rnd.choice(wagers)[:2], rnd.choice([None, "1.00", "10.00"]))

    def throws(self, rnd: Random, table: str) -> None:
        self.staff_say(table, "no_more_bets")
        line = line_of(commands.Throw(faces=rnd.choice(SHELF.book(self.at[table]).outcomes.all)))
        assert self.staff_say(table, str(line.pop("do")), **line)

    def time_passes(self, steps: int) -> None:
        for _ in range(steps):
            for when, table in self.casino.house.due():
                self.casino.now = max(self.casino.now, when)
                self.casino.do(None, orders.RunOn(table=table))
        self.casino.now += timedelta(minutes=1)

    # What the staff do

    @rule(seed=seeds, table=tables)
    def voids(self, seed: int, table: str) -> None:
        void = SHELF.book(self.at[table]).rules.void
        grounds = [*void.grounds, *(void.invalidated.grounds if void.invalidated is not None else [])]
        self.staff_say(table, "void", reason=Random(seed).choice(grounds))

    @rule(person=people, table=tables, winners=st.sampled_from(["collected", "returned"]))
    def hand_out_tokens(self, person: str, table: str, winners: str) -> None:
        self.staff_say(table, "exchange_voucher", player=person, amount="60.00", conditions=winners)

    @rule(person=people, table=tables, word=st.sampled_from(["sell_chips", "exchange_for_chips"]))
    def sell_chips(self, person: str, table: str, word: str) -> None:
        said = {"means": "cash"} if word == "sell_chips" else {}
        self.staff_say(table, word, player=person, amount="20.00", **said)

    @rule(person=people, table=tables, way=st.sampled_from(["overpaid", "underpaid"]))
    def put_a_payment_right(self, person: str, table: str, way: str) -> None:
        case = f"case-{self.casino.house.head(table_stream(table)).version}"
        self.staff_say(table, "report_mispayment", case=case, way=way, amount="5.00", player=person, wager="field")
        self.staff_say(table, "enquire", case=case, finding="unintentional")
        self.staff_say(table, "reimburse", case=case)
        self.casino.say(person, table, "give_back", case=case)

    @rule(table=tables, word=st.sampled_from(["fill_float", "credit_float"]))
    def move_the_float(self, table: str, word: str) -> None:
        self.staff_say(table, word, amount="100.00")

    @rule(person=people, cents=amounts)
    def grant_chips(self, person: str, cents: int) -> None:
        self.casino.ask("olga", orders.GrantChips(person=person, cents=cents, reason="a good customer"))

    @rule(person=people, table=tables, word=st.sampled_from(["exclude_from_game", "exclude_from_casino"]))
    def send_away(self, person: str, table: str, word: str) -> None:
        self.staff_say(table, word, player=person)

    @invariant()
    def all_books_agree(self) -> None:
        if hasattr(self, "casino"):
            self.casino.check()

    def teardown(self) -> None:
        if hasattr(self, "casino"):
            streams = self.casino.streams()
            assert audit(streams) == []
            assert posted_in_any_order(streams, Random(3)).balances() == self.casino.books.balances()
            assert_reports_agree(streams, self.casino.books)
            for table in self.at:
                assert_laws_hold(streams[table_stream(table)])
            self.moved.update(money_moved(entry.document.event for each in streams.values() for entry in each))


def assert_reports_agree(streams: Streams, books: Books) -> None:
    """What reports count is what the books hold, and reading the streams in different portions makes no difference."""
    whole, pieces = Reports(SHELF), Reports(SHELF)
    for stream, stored in streams.items():
        whole.take_in(stream, stored)
        for place in range(0, len(stored), 7):
            pieces.take_in(stream, stored[place : place + 7])
            pieces.house("month")
    assert [show_period(each) for each in pieces.house()] == [show_period(each) for each in whole.house()]
    for table in whole.tables:
        years = whole.table(table, "year")
        win, vouchers, *moved = (sum(getattr(year, name) for year in years) for name in COUNTED)
        assert win == booked_win(books, table) + vouchers
        assert moved == sent(streams, table)
        assert sum(year.expected.standing for year in years) == sum(each.worth for each in whole.standing(table))
        assert sum(each.stake for each in whole.standing(table)) == books.held(LAYOUT, table)
    assert sum(year.win for year in whole.house("year")) == sum(day.win for day in whole.house("day"))


COUNTED = ("win", "vouchers", "drop", "cashed_out")


def booked_win(books: Books, table: str) -> int:
    """The win according to the ledger, plus vouchers: the float sold chips for them too, and it was filled."""
    return sum(books.held(name, table) for name in (FLOAT, COMMISSION, CAGE, DROP, TERMINAL))


def sent(streams: Streams, table: str) -> list[int]:
    """What all accounts say that they sent to a table and got back."""
    happened = [entry.document.event for stored in streams.values() for entry in stored]
    there = sum(event.cents for event in happened if isinstance(event, WentToTable) and event.table == table)
    back = sum(event.cents for event in happened if isinstance(event, CameFromTable) and event.table == table)
    return [there, back]


def assert_laws_hold(stored: list[Entry]) -> None:
    """What is computed for each throw, from the wagers before it, is what it did to the house's win and prospects."""
    courses, state = SolvedMachines(SHELF), State()
    for _, written in groupby(stored, key=lambda entry: entry.document.order):
        happened: list[Any] = [entry.document.event for entry in written]
        played = [event for event in happened if type(event).__module__ == events.__name__]
        after, tally = evolve_all(state, played), Tally()
        for event in played:
            tally.enter(event)
        if tally.throws and not any(isinstance(event, events.ResultTakenBack) for event in played):
            thrown = next(event for event in played if isinstance(event, events.Thrown))
            law = Worths(courses).throw(state, thrown.faces)
            worth = Worths(courses).standing(after) - Worths(courses).standing(state)
            assert law.came == tally.settled + tally.commission + worth
        state = after


def posted_in_any_order(streams: Streams, rnd: Random) -> Books:
    """Books kept from the same streams, which came in another order and in portions."""
    books, rest = Books(), {stream: list(stored) for stream, stored in streams.items()}
    while rest:
        stream = rnd.choice(sorted(rest))
        size = rnd.randint(1, 20)
        books.post(stream, rest[stream][:size])
        rest[stream] = rest[stream][size:]
        if not rest[stream]:
            del rest[stream]
    return books


@pytest.mark.parametrize("first", range(len(BOOKS)))
def test_no_cent_is_made_or_lost_between_tables(first: int) -> None:
    books = tuple(BOOKS[(first + place) % len(BOOKS)] for place in range(3))
    moved: Counter[str] = Counter()
    floor = type("FloorWith", (Floor,), {"books": books, "moved": moved})
    for number in series(5, in_a_soak=15):
        an_afternoon(floor(), Random(f"{books} {number}"))
    wanted = [*ALWAYS, *WITH["fill_float"], *WITH["credit_float"]]
    assert IS_SOAK or [name for name in wanted if not moved[name]] == []
    run_state_machine_as_test(floor, settings=few())


def an_afternoon(floor: Any, rnd: Random) -> None:  # noqa: ANN401  # a rule has no type
    """Everything three times, in some order, so that what is reached does not depend on luck."""
    floor.open()
    names: list[str] = list(floor.at)
    table: Callable[[], str] = partial(rnd.choice, names)
    person: Callable[[], str] = partial(rnd.choice, PEOPLE)
    steps: list[Callable[[], None]] = [
        lambda: floor.rounds_are_played(rnd.getrandbits(32)),
        lambda: floor.brings_chips(person(), table(), rnd.choice([100, 5_000, 10**9]), rnd.random() < 0.5),
        lambda: floor.gets_up(person(), table()),
        lambda: floor.voids(rnd.getrandbits(32), table()),
        lambda: floor.hand_out_tokens(person(), table(), rnd.choice(["collected", "returned"])),
        lambda: floor.sell_chips(person(), table(), rnd.choice(["sell_chips", "exchange_for_chips"])),
        lambda: floor.put_a_payment_right(person(), table(), rnd.choice(["overpaid", "underpaid"])),
        lambda: floor.move_the_float(table(), rnd.choice(["fill_float", "credit_float"])),
        lambda: floor.grant_chips(person(), 10_000),
    ]
    for step in rnd.sample(steps * 3, len(steps) * 3):
        step()
        floor.all_books_agree()
    floor.teardown()
