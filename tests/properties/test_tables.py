"""Whole evenings of random commands at all five books: no cent is made or lost, whatever people try."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from croupier.ledger import COMMISSION, FLOAT, LAYOUT, PURSE, Ledger, hand
from croupier.pipe import Pipe
from croupier.table import commands, events
from croupier.table.decide import decide
from croupier.table.evolve import evolve, evolve_all
from croupier.table.exposure import standing_exposure
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.table.view import TableView
from tests.tables import BOOKS, SHELF

PLAYERS = ["ann", "bob", "cy"]
players = st.sampled_from([*PLAYERS, "nobody"])
amounts = st.one_of(st.integers(1, 60).map(lambda n: n * 100), st.sampled_from([0, -100, 1, 50, 10**9, 10**30]))


def wagers_of(book: str) -> list[tuple[str, object]]:
    rules = SHELF.book(book)
    known = [(wager.id, pick) for wager in rules.rules.wagers for pick in rules.picks(wager)]
    travelled = [(w.id, n) for w in rules.rules.wagers if w.travels for n in (4, 5, 6, 8, 9, 10)]
    return [*known, *travelled, ("nonsense", None), (known[0][0], 99), (known[-1][0], True), (known[0][0], [1, 2])]


class Evening(RuleBasedStateMachine):
    """Random play at one table."""

    book = ""

    @initialize(
        chip=st.sampled_from([25, 100, 250]),
        low=st.sampled_from([None, 500]),
        high=st.sampled_from([None, 10_000]),
        exact=st.booleans(),
        option=st.integers(0, 5),
    )
    def open(self, chip: int, low: int | None, high: int | None, exact: bool, option: int) -> None:
        choices = {c.key[-1] if c.key else "": list(c.options) for c in SHELF.book(self.book).rules.pay_table.choices}
        pay_table = choices[""][option % len(choices[""])] if "" in choices else None
        settings = commands.Settings(chip=chip, limit=commands.Limit(low, high), exact_units=exact, fixed_stakes={})
        self.shelf = SHELF
        self.state = State()
        self.history: list[events.AnyEvent] = []
        self.ledger = Ledger()
        self.placed: Counter[tuple[str, str]] = Counter()
        self.do(commands.OpenTable(terms=SHELF.terms(self.book, pay_table), settings=settings))
        for player in PLAYERS:
            self.do(commands.SeatPlayer(player=player, chips=100_000))

    def do(self, command: commands.AnyCommand) -> None:
        before = self.state
        decision = decide(self.shelf, self.state, command)
        assert decide(self.shelf, self.state, command) == decision, "the same command must lead to the same decision"
        if isinstance(decision, Refusal):
            assert decision.code, decision
            assert decision.message.endswith("."), decision
            assert self.state is before
            return
        self.state = evolve_all(self.state, decision)
        self.history.extend(decision)
        self.ledger.post(decision)
        for event in decision:
            self.count(event)

    def count(self, event: events.AnyEvent) -> None:
        """Every cent that goes onto the layout comes off it once."""
        if isinstance(event, events.WagerPlaced):
            self.placed[(event.player, event.wager)] += event.amount
        if isinstance(event, events.WagerReduced):
            self.placed[(event.player, event.wager)] -= event.amount
        if isinstance(event, events.AreaSettled):
            for player, stake, paid, returned in event.stakes:
                self.placed[(player, event.wager)] -= stake
                assert stake > 0
                assert paid >= 0
                assert (event.result == "win") == (paid > 0), event
                assert returned == (0 if event.result == "lose" else stake + paid) or event.result == "void"

    @rule(data=st.data(), player=players, amount=amounts)
    def bet(self, data: st.DataObject, player: str, amount: int) -> None:
        wager, pick = data.draw(st.sampled_from(wagers_of(self.book)))
        fixed = SHELF.book(self.book).wagers.get(wager)
        if fixed is not None and fixed.fixed_stake is not None and amount > 0:
            amount = 1000
        self.do(commands.PlaceWager(player=player, wager=wager, pick=pick, amount=amount))

    @rule(data=st.data(), player=players, amount=st.one_of(st.none(), amounts))
    def take(self, data: st.DataObject, player: str, amount: int | None) -> None:
        wager, pick = data.draw(st.sampled_from(wagers_of(self.book)))
        view = TableView(SHELF, self.state)
        standing: list[tuple[str, object]] = [(area.wager, view.shown_pick(area)) for _, area, _ in self.state.wagers()]
        if len(standing) > 0 and data.draw(st.booleans()):
            wager, pick = data.draw(st.sampled_from(standing))
        self.do(commands.TakeWager(player=player, wager=wager, pick=pick, amount=amount))

    @rule(data=st.data(), player=players, on=st.booleans())
    def call(self, data: st.DataObject, player: str, on: bool) -> None:
        wager, pick = data.draw(st.sampled_from(wagers_of(self.book)))
        self.do(commands.CallWager(player=player, wager=wager, pick=pick, on=on))

    @rule(data=st.data(), player=players, amount=amounts)
    def find(self, data: st.DataObject, player: str, amount: int) -> None:
        wager, pick = data.draw(st.sampled_from(wagers_of(self.book)))
        self.do(commands.FindWager(player=player, wager=wager, pick=pick, amount=amount))

    @rule()
    def close(self) -> None:
        self.do(commands.CloseBets())

    @rule(data=st.data(), closed_first=st.booleans())
    def throw(self, data: st.DataObject, closed_first: bool) -> None:
        if closed_first:
            self.close()
        worst = standing_exposure(SHELF, self.state)
        before = self.ledger.balances[FLOAT]
        faces = data.draw(st.sampled_from(SHELF.book(self.book).outcomes.all))
        self.do(commands.Throw(faces=faces))
        assert worst.cents is not None
        assert before - self.ledger.balances[FLOAT] <= max(worst.cents, 0)

    @rule(faces=st.lists(st.sampled_from([0, 7, -1, "H", 1.5, None, True, 3]), max_size=4))
    def throw_nonsense(self, faces: list[object]) -> None:
        if tuple(faces) not in SHELF.book(self.book).outcomes.index:
            before = self.state
            self.do(commands.Throw(faces=tuple(faces)))
            assert self.state is before

    @rule(data=st.data())
    def void(self, data: st.DataObject) -> None:
        void = SHELF.book(self.book).rules.void
        invalidated = void.invalidated.grounds if void.invalidated is not None else []
        self.do(commands.VoidThrow(reason=data.draw(st.sampled_from([*void.grounds, *invalidated, "6.1", ""]))))

    @rule(data=st.data())
    def change_pay_table(self, data: st.DataObject) -> None:
        table = SHELF.book(self.book).rules.pay_table
        options = [list(choice.options) for choice in table.choices if not choice.key]
        asked = data.draw(st.sampled_from(options[0])) if options else None
        self.do(commands.AdoptRules(terms=SHELF.terms(self.book, asked)))

    @invariant()
    def no_cent_is_made_or_lost(self) -> None:
        if not hasattr(self, "state"):
            return
        assert self.ledger.total == 0
        assert -self.ledger.balances[PURSE] == 100_000 * len(self.state.seats)
        assert {p: self.ledger.balances[hand(p)] for p in self.state.seats} == self.state.chips
        stakes = [stake for _, _, stake in self.state.wagers()]
        assert self.ledger.balances[LAYOUT] == sum(stake.amount for stake in stakes)
        assert self.ledger.balances[COMMISSION] >= sum(stake.commission for stake in stakes)

    @invariant()
    def nobody_owes(self) -> None:
        if hasattr(self, "state"):
            assert all(cents >= 0 for cents in self.state.chips.values())
            assert all(stake.amount > 0 and stake.commission >= 0 for _, _, stake in self.state.wagers())

    @invariant()
    def every_stake_is_settled_once(self) -> None:
        if hasattr(self, "state"):
            standing: Counter[tuple[str, str]] = Counter()
            for player, area, stake in self.state.wagers():
                standing[(player, area.wager)] += stake.amount
            assert standing == +self.placed

    @invariant()
    def behind_wagers_never_exceed_their_flat_wager(self) -> None:
        if not hasattr(self, "state"):
            return
        view = TableView(SHELF, self.state)
        for player, area, stake in self.state.wagers():
            wager = view.wager_of(area)
            if wager.behind is not None:
                flat = view.flat_area(player, wager.behind, area.pick, area.state)
                assert flat is not None
                flat_cents = self.state.layout[flat][player].amount
                assert stake.amount <= view.behind_limit(view.game, wager, area.pick, area.state, flat_cents)

    def teardown(self) -> None:
        """Replay gives the same state, event by event and from stored documents."""
        if not hasattr(self, "history"):
            return
        replayed = State()
        for event in self.history:
            replayed = evolve(replayed, events.decode(events.encode(event)))
        assert replayed == self.state
        assert evolve_all(State(), self.history) == self.state


@pytest.mark.parametrize("book_id", BOOKS)
def test_evenings(book_id: str) -> None:
    run_state_machine_as_test(type("EveningAt", (Evening,), {"book": book_id}))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = ["player", "wager", "pick", "amount", "dice", "coins", "reason", "chips", "card", "book", "at", "on", "chip"]
VERBS = [
    "open",
    "seat",
    "bet",
    "take",
    "call",
    "no_more_bets",
    "roll",
    "spin",
    "void",
    "find",
    "adopt",
    "exposure",
    "?",
]


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_pipe_answers_anything(book_id: str) -> None:
    from hypothesis import given

    @given(
        lines=st.lists(
            st.one_of(
                st.binary(max_size=40),
                st.builds(
                    lambda verb, fields: json.dumps({"do": verb, **fields}).encode(),
                    st.sampled_from(VERBS),
                    st.dictionaries(
                        st.sampled_from(FIELDS),
                        st.one_of(JSON, st.sampled_from(["ann", "heads", "small", "field", "10.00", [1, 2], "HH"])),
                    ),
                ),
            ),
            max_size=12,
        )
    )
    def anything(lines: list[bytes]) -> None:
        pipe = Pipe(SHELF)
        opened = pipe.answer(json.dumps({"do": "open", "book": book_id}).encode())
        assert json.loads(opened)["ok"] is True
        pipe.answer(b'{"do":"seat","player":"ann","chips":"500.00"}')
        for line in lines:
            before = pipe.state
            reply = json.loads(pipe.answer(line))
            assert isinstance(reply["ok"], bool)
            assert {"chips", "wagers"} <= set(reply)
            if not reply["ok"]:
                assert pipe.state is before
                assert reply["code"]
                assert reply["message"].endswith(".")

    anything()
