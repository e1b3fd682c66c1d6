"""Whole evenings with their people: players, dealers and supervisors do what the books let them, in any order.

Void throws, lost dice, corrections, exclusions, signs, disputes and closures at all five books: no command ever raises,
a refusal changes nothing, every cent is accounted for, and when everybody has left nobody is owed anything.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from croupier.ledger import LAYOUT, Ledger, hand
from croupier.rules.conduct import KINDS, Act
from croupier.table import commands, events
from croupier.table.decide import decide
from croupier.table.evolve import evolve, evolve_all
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.table.telling import tell, tell_wagers
from croupier.table.view import TableView
from tests.properties.test_tables import bookable
from tests.tables import BOOKS, SHELF

PLAYERS = ["ann", "bob", "cy", "dee"]
WORDS = ["one", "two", "red", "blue", "2024-10", "cmVk", "entry", "display"]
START = datetime.fromisoformat("2024-10-05T23:00:00")  # hours before the clocks of Sydney go forward


class Night(RuleBasedStateMachine):
    """One table from its opening until the last player has left."""

    book = ""

    @initialize(
        manual=st.booleans(),
        late=st.booleans(),
        seats=st.sampled_from([None, 3, 4]),
        high=st.sampled_from([None, 5_000]),
    )
    def open(self, manual: bool, late: bool, seats: int | None, high: int | None) -> None:
        self.conduct = SHELF.book(self.book).conduct
        self.state, self.now = State(), START
        self.history: list[events.AnyEvent] = []
        self.ledger = Ledger()
        limit = commands.Limit(500, high)
        settings = commands.Settings(limit=limit, seats=seats, manual_dice=manual, late_bets=late)
        assert self.do(commands.OpenTable(terms=SHELF.terms(self.book), settings=settings))
        for player in PLAYERS[:3]:
            assert self.do(commands.SeatPlayer(player=player, chips=100_000))

    def do(self, command: commands.AnyCommand) -> bool:
        before = self.state
        decision = decide(SHELF, before, command)
        if isinstance(decision, Refusal):
            assert decision.code
            assert decision.message.endswith("."), decision
            return False
        self.state = evolve_all(before, decision)
        self.history.extend(decision)
        self.ledger.post(decision)
        view = TableView(SHELF, self.state)
        assert all(told["type"] for event in decision for told in tell(view, event))
        return True

    # -- what people say with an act ------------------------------------------------------------------------------

    def said(self, data: st.DataObject, act: Act) -> dict[str, object]:
        """Something plausible for every field of one way to put the act."""
        form = data.draw(st.sampled_from(act.forms))
        said: dict[str, object] = {}
        for field in form:
            said[field] = data.draw(self.values(act, field))
        if "wager" in said and self.state.layout and data.draw(st.booleans()):
            player, area, _ = data.draw(st.sampled_from(self.state.wagers()))
            pick = TableView(SHELF, self.state).shown_pick(area)
            said |= {"wager": area.wager, "pick": pick} | ({"player": player} if "player" in said else {})
        return said

    def values(self, act: Act, field: str) -> st.SearchStrategy[object]:
        if field in act.choices:
            return st.sampled_from(act.choices[field])
        wagers = [wager for wager, _ in bookable(self.book)]
        outcomes = SHELF.book(self.book).outcomes.all
        later = [0, 5, 20, 25]
        kinds: dict[str, st.SearchStrategy[object]] = {
            "player": st.sampled_from(list(self.state.seats) or PLAYERS),
            "money": st.sampled_from(["5.00", "10.00", "20.00", "60.00", "1500.00"]),
            "count": st.integers(1, 5),
            "time": st.sampled_from([(self.now + timedelta(minutes=m)).isoformat() for m in later]),
            "faces": st.sampled_from(outcomes).map(list),
            "reason": st.sampled_from(act.grounds or ["nothing"]),
            "wager": st.sampled_from(wagers),
            "role": st.sampled_from(self.conduct.role_ids),
            "text": st.sampled_from(WORDS),
        }
        return kinds[KINDS.get(field, "text")]

    def performed(self, data: st.DataObject, act: Act) -> commands.PerformAct:
        role = data.draw(st.sampled_from([role for role in self.conduct.role_ids if self.conduct.may(role, act.by)]))
        who = data.draw(st.sampled_from(list(self.state.seats) or PLAYERS))
        return commands.PerformAct(act=act.id, by=role, who=who, at=self.now, said=self.said(data, act))

    # -- what happens ---------------------------------------------------------------------------------------------

    @rule(data=st.data())
    def somebody_acts(self, data: st.DataObject) -> None:
        """Something that the book lets somebody do now: of a handful drawn, the first that is not refused."""
        for act in data.draw(st.lists(st.sampled_from(self.conduct.acts), min_size=1, max_size=12, unique_by=id)):
            if self.do(self.performed(data, act)):
                return

    @rule(data=st.data(), role=st.sampled_from(["player", "dealer", "casino supervisor", "inspector", "", "?"]))
    def somebody_tries_anything(self, data: st.DataObject, role: str) -> None:
        act = data.draw(st.sampled_from(self.conduct.acts))
        names = {field for form in act.forms for field in form}
        junk = st.sampled_from([None, True, -1, 10**40, "", "x" * 300, "-5.00", [1, None], {"a": 1}, "\x00", 1.5])
        said = {name: data.draw(junk) for name in names}
        self.do(commands.PerformAct(act=act.id, by=role or None, who="nobody", said=said))

    @rule(minutes=st.sampled_from([1, 10, 20, 60, 60 * 24 * 31]))
    def time_passes(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @rule(data=st.data())
    def bets(self, data: st.DataObject) -> None:
        for _ in range(data.draw(st.integers(1, 4))):
            wager, pick = data.draw(st.sampled_from(bookable(self.book)))
            player = data.draw(st.sampled_from(list(self.state.seats) or PLAYERS))
            amount = data.draw(st.sampled_from([1_000, 2_000, 3_000, 6_000]))
            role = data.draw(st.sampled_from([None, "player"]))
            self.do(commands.PlaceWager(player=player, wager=wager, pick=pick, amount=amount, at=self.now, by=role))

    @rule(data=st.data())
    def takes(self, data: st.DataObject) -> None:
        if self.state.layout:
            player, area, _ = data.draw(st.sampled_from(self.state.wagers()))
            pick = TableView(SHELF, self.state).shown_pick(area)
            self.do(commands.TakeWager(player=player, wager=area.wager, pick=pick, by="player"))

    @rule(data=st.data(), times=st.integers(1, 3))
    def throws(self, data: st.DataObject, times: int) -> None:
        for _ in range(times):
            self.do(commands.CloseBets())
            faces = data.draw(st.sampled_from(SHELF.book(self.book).outcomes.all))
            self.do(commands.Throw(faces=faces, at=self.now))

    @rule(data=st.data())
    def moment_by_moment(self, data: st.DataObject) -> None:
        """A throw as it goes at a table with people: thrown, at rest, called, confirmed, with things going wrong."""
        self.do(commands.CloseBets())
        faces = data.draw(st.sampled_from(SHELF.book(self.book).outcomes.all))
        steps = ["throw", "uncover", "confirm_late", "observe", "rest", "call_result", "dispute_face", "decide_face"]
        for name in [*steps, "overrule_call", "enter_result", "amend_entry", "confirm_result"]:
            act = self.conduct.by_id.get(name)
            if act is None or (name not in ("throw", "rest", "call_result") and data.draw(st.integers(0, 2)) == 0):
                continue
            command = self.performed(data, act)
            if "faces" in command.said and data.draw(st.integers(0, 3)):
                command.said["faces"] = list(faces)
            self.do(command)

    @rule(data=st.data())
    def hand_the_dice(self, data: st.DataObject) -> None:
        """Offered round until somebody takes them; at a table where they go by themselves this is refused."""
        for player in [*self.state.seats, *self.state.seats]:
            offer = self.conduct.by_id.get("offer")
            if offer is None or self.state.facts.get("shooter") is not None:
                return
            role = next(role for role in self.conduct.role_ids if self.conduct.may(role, offer.by))
            self.do(commands.PerformAct(act="offer", by=role, said={"player": player}))
            answer = data.draw(st.sampled_from(["accept", "accept", "decline"]))
            self.do(commands.PerformAct(act=answer, by="player", who=player))
            self.do(commands.PerformAct(act="choose", by="player", who=player))

    @rule(data=st.data())
    def void(self, data: st.DataObject) -> None:
        void = SHELF.book(self.book).rules.void
        grounds = [*void.grounds, *(void.invalidated.grounds if void.invalidated is not None else [])]
        self.do(commands.VoidThrow(reason=data.draw(st.sampled_from(grounds))))

    @rule(player=st.sampled_from(PLAYERS))
    def comes_or_goes(self, player: str) -> None:
        if not self.do(commands.LeaveTable(player=player, by="player", at=self.now)):
            self.do(commands.SeatPlayer(player=player, chips=50_000, by="dealer", at=self.now))

    # -- what always holds ----------------------------------------------------------------------------------------

    @invariant()
    def every_cent_is_accounted_for(self) -> None:
        if not hasattr(self, "state"):
            return
        assert self.ledger.total == 0
        assert {p: self.ledger.balances[hand(p)] for p in self.state.chips} == self.state.chips
        assert self.ledger.balances[LAYOUT] == sum(stake.amount for _, _, stake in self.state.wagers())
        assert all(cents >= 0 for cents in self.state.chips.values())
        assert all(stake.amount > 0 and stake.commission >= 0 for _, _, stake in self.state.wagers())
        assert set(self.state.seats) == set(self.state.chips)
        assert {player for player, _, _ in self.state.wagers()} <= set(self.state.seats)

    @invariant()
    def the_table_can_be_shown(self) -> None:
        if hasattr(self, "state"):
            assert len(tell_wagers(TableView(SHELF, self.state))) == len(self.state.wagers())

    def teardown(self) -> None:
        """The evening ends: what may be taken comes down, a supervisor refunds the rest, everybody leaves."""
        if not hasattr(self, "history"):
            return
        self.end_the_evening()
        assert self.state.layout == {}, self.state.facts
        assert self.state.chips == {}
        assert [cents for account, cents in self.ledger.balances.items() if account.startswith("hand ") and cents] == []
        assert self.ledger.balances[LAYOUT] == 0
        replayed = State()
        for event in self.history:
            replayed = evolve(replayed, events.decode(events.encode(event)))
        assert replayed == self.state
        assert evolve_all(State(), self.history) == self.state

    def end_the_evening(self) -> None:
        void = SHELF.book(self.book).rules.void
        self.do(commands.VoidThrow(reason=void.grounds[-1]))
        if void.invalidated is not None:
            self.do(commands.VoidThrow(reason=void.invalidated.grounds[1]))
        for player, area, _ in self.state.wagers():
            pick = TableView(SHELF, self.state).shown_pick(area)
            self.do(commands.TakeWager(player=player, wager=area.wager, pick=pick))
        for player in self.state.seats:
            assert self.do(commands.LeaveTable(player=player, at=self.now)), (player, self.state.facts)


@pytest.mark.parametrize("book_id", BOOKS)
def test_whole_evenings(book_id: str) -> None:
    run_state_machine_as_test(type("NightAt", (Night,), {"book": book_id}))
