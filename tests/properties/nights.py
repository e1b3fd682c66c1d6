"""A table from its opening until the last player has left; people do what the book lets them, in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from random import Random
from typing import Any, ClassVar

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from croupier.ledger import COMMISSION, FLOAT, LAYOUT, Ledger, hand
from croupier.money import format_cents
from croupier.rules.conduct import KINDS, Act
from croupier.table import commands, events
from croupier.table.checks_and_tokens import worth
from croupier.table.decide import decide
from croupier.table.event_views import event_rows, standing_wagers
from croupier.table.evolve import evolve, evolve_all
from croupier.table.refusals import Refusal
from croupier.table.state import State, TableView
from tests.properties.test_tables import bookable, pay_tables
from tests.tables import SHELF

seeds = st.integers(0, 2**32 - 1)
PLAYERS = ["ann", "bob", "cy", "dee"]
WORDS = {
    "case": ["one", "two"],
    "person": PLAYERS,
    "month": ["2024-10", "2024-11"],
    "document": ["cmVk"],
    "digest": [sha256(b"red").hexdigest()],
    "colour": ["red", "blue"],
}
MOST_THROWS = 300  # chance alone decides everything by then; where it does not, the game stands still
START = datetime.fromisoformat("2024-10-05T23:00:00")  # hours before the clocks of Sydney go forward


Course = Callable[[Any, int], None]
COURSES: list[Course] = []


def course(played: Course) -> Course:
    """Something that people do one step after the other; everything random comes from a seed."""
    COURSES.append(played)
    return rule(seed=seeds)(played)


class Night(RuleBasedStateMachine):
    """One table from its opening until the last player has left."""

    book = ""
    reached: ClassVar[Counter[str]] = Counter()  # in all evenings at the book, before each came to its end

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
        self.done: Counter[str] = Counter()
        self.refusal: Refusal | None = None  # the latest
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
            self.refusal = decision
            return False
        self.state = evolve_all(before, decision)
        self.history.extend(decision)
        self.ledger.post(decision)
        self.done.update(event.act for event in decision if isinstance(event, events.ActDone))
        view = TableView(SHELF, self.state)
        assert all(row.type for event in decision for row in event_rows(view, event))
        return True

    def act(self, name: str, who: str | None = None, **said: object) -> bool:
        """Perform an act with the first role that may do it now; skip it if the book does not have it."""
        act = self.conduct.by_id.get(name)
        roles = [role for role in self.conduct.role_ids if act is not None and self.conduct.may(role, act.by)]
        return any(self.do(commands.PerformAct(act=name, by=by, who=who, at=self.now, said=said)) for by in roles)

    # -- what people say with an act ------------------------------------------------------------------------------

    def performed(self, rnd: Random, act: Act) -> commands.PerformAct:
        """Perform an act as someone who may, with plausible values, mostly ones that exist at the table."""
        role = rnd.choice([role for role in self.conduct.role_ids if self.conduct.may(role, act.by)])
        who = rnd.choice(list(self.state.seats) or PLAYERS)
        for fact in ("offered to", "shooter"):
            if self.state.facts.get(fact) in self.state.seats and rnd.random() < 0.7:
                who = str(self.state.facts[fact])
        said = {field: self.value(rnd, act, field) for field in rnd.choice(act.forms)}
        if "wager" in said and self.state.layout and rnd.random() < 0.8:
            player, area, _ = rnd.choice(self.state.wagers())
            said |= {"wager": area.wager, "pick": TableView(SHELF, self.state).shown_pick(area)}
            said |= {"player": player} if "player" in said else {}
        return commands.PerformAct(act=act.id, by=role, who=who, at=self.now, said=said)

    def value(self, rnd: Random, act: Act, field: str) -> object:
        if field in act.choices:
            return rnd.choice(act.choices[field])
        return getattr(self, f"a_{KINDS.get(field, 'text')}")(rnd, act, field)

    def a_player(self, rnd: Random, act: Act, field: str) -> object:
        return rnd.choice(list(self.state.seats) or PLAYERS)

    def a_money(self, rnd: Random, act: Act, field: str) -> object:
        signed = self.state.facts.get("next minimum")
        known = [format_cents(signed)] * 5 if isinstance(signed, int) else []
        return rnd.choice(["5.00", "10.00", "20.00", "1500.00", *known])

    def a_count(self, rnd: Random, act: Act, field: str) -> object:
        return rnd.choice([1, 1, 2, 3, 5])

    def a_time(self, rnd: Random, act: Act, field: str) -> object:
        return (self.now + timedelta(minutes=rnd.choice([0, 5, 20, 25]))).isoformat()

    def a_faces(self, rnd: Random, act: Act, field: str) -> object:
        called = self.state.facts.get("result")
        return called if called is not None and rnd.random() < 0.7 else list(rnd.choice(self.outcomes))

    def a_reason(self, rnd: Random, act: Act, field: str) -> object:
        seen = [name.removeprefix("seen ") for name in self.state.facts if name.startswith("seen ")]
        return rnd.choice([*act.grounds, *(seen * 5)] or ["nothing"])

    def a_wager(self, rnd: Random, act: Act, field: str) -> object:
        return rnd.choice([wager for wager, _ in bookable(self.book)])

    def a_role(self, rnd: Random, act: Act, field: str) -> object:
        return rnd.choice(self.conduct.role_ids)

    def a_text(self, rnd: Random, act: Act, field: str) -> object:
        fitted = [name.removeprefix("fitted ") for name in self.state.facts if name.startswith("fitted ")]
        words = {**WORDS, "what": fitted}
        return rnd.choice(words.get(field) or ["entry", "display", "something"])

    @property
    def outcomes(self) -> list[tuple[int | str, ...]]:
        return list(SHELF.book(self.book).outcomes.all)

    # -- what happens ---------------------------------------------------------------------------------------------

    @course
    def people_act(self, seed: int) -> None:
        """Perform an act that the book allows now, preferring one that has been rare this evening."""
        rnd = Random(seed)
        for _ in range(rnd.randint(1, 12)):
            order = sorted(self.conduct.acts, key=lambda act: self.done[act.id] + rnd.random() * 3)
            any(self.do(self.performed(rnd, act)) for act in order[:50] for _ in range(3))

    @rule(data=st.data(), role=st.sampled_from(["player", "dealer", "casino supervisor", "inspector", "", "?"]))
    def somebody_tries_anything(self, data: st.DataObject, role: str) -> None:
        act = data.draw(st.sampled_from(self.conduct.acts))
        names = sorted({field for form in act.forms for field in form})
        junk = st.sampled_from([None, True, -1, 10**40, "", "x" * 300, "-5.00", [1, None], {"a": 1}, "\x00", 1.5])
        said: dict[str, object] = {name: data.draw(junk) for name in names}
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
            bet = commands.PlaceWager(player=player, wager=wager, pick=pick, amount=amount, at=self.now, by=role)
            tokens = min(amount, self.state.tokens.get(player, 0))
            checks = next((colour for colour, cents in self.state.checks.get(player, {}).items() if cents), None)
            if checks is not None and self.do(msgspec.structs.replace(bet, checks=checks)):
                continue
            if not tokens or not self.do(msgspec.structs.replace(bet, tokens=tokens)):
                self.do(bet)

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

    @course
    def moment_by_moment(self, seed: int) -> None:
        """A throw step by step at a table with staff: thrown, at rest, called, confirmed, with things going wrong."""
        rnd = Random(seed)
        self.do(commands.CloseBets())
        faces = rnd.choice(self.outcomes)
        steps = [
            "throw",
            "dice_out",
            "uncover",
            "confirm_late",
            "observe",
            "rest",
            "call_result",
            "dispute_face",
            "decide_face",
        ]
        for name in [*steps, "overrule_call", "enter_result", "amend_entry", "confirm_result"]:
            act = self.conduct.by_id.get(name)
            if act is None or (
                name not in ("throw", "dice_out", "uncover", "rest", "call_result") and rnd.random() < 0.3
            ):
                continue
            command = self.performed(rnd, act)
            if "faces" in command.said and rnd.random() < 0.8:
                command.said["faces"] = list(faces)
            self.do(command)

    @rule(data=st.data())
    def void(self, data: st.DataObject) -> None:
        void = SHELF.book(self.book).rules.void
        grounds = [*void.grounds, *(void.invalidated.grounds if void.invalidated is not None else [])]
        self.do(commands.VoidThrow(reason=data.draw(st.sampled_from(grounds))))

    @rule(data=st.data(), told=st.booleans())
    def adopts(self, data: st.DataObject, told: bool) -> None:
        terms = SHELF.terms(self.book, data.draw(pay_tables(self.book)))
        self.do(commands.AdoptRules(terms=terms, at=self.now if told else None, by="casino operator"))
        if not told and self.act("post_pay_table_sign", time=self.now.isoformat()):
            self.now += timedelta(days=31)
            self.act("remove_pay_table_sign")

    @rule(data=st.data())
    def corrects(self, data: st.DataObject) -> None:
        """Someone says that the latest result was different."""
        self.act("correct_result", "sue", faces=list(data.draw(st.sampled_from(self.outcomes))))

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
        held = {**self.state.chips, **self.state.kept}
        assert {p: self.ledger.balances[hand(p)] for p in held} == held
        assert self.ledger.balances[LAYOUT] == sum(stake.amount for _, _, stake in self.state.wagers())
        assert all(cents >= 0 for cents in held.values())
        assert all(cents > 0 for cents in self.state.owing.values())
        assert all(stake.amount > 0 and stake.commission >= 0 for _, _, stake in self.state.wagers())
        assert set(self.state.seats) == set(self.state.chips)
        assert not set(self.state.seats) & set(self.state.kept)
        assert {player for player, _, _ in self.state.wagers()} <= {*self.state.seats, *self.state.kept}

    @invariant()
    def checks_are_chips(self) -> None:
        """No one has more in checks than in chips, and no check is split."""
        if not hasattr(self, "state"):
            return
        for player, held in self.state.checks.items():
            assert 0 <= sum(held.values()) <= self.state.chips[player]
            assert all(cents >= 0 and not cents % worth(self.state, player, colour) for colour, cents in held.items())
        for player, _, stake in self.state.wagers():
            assert sum(cents for _, cents in stake.checks) <= stake.amount - stake.tokens
            assert all(cents > 0 and not cents % worth(self.state, player, colour) for colour, cents in stake.checks)

    @invariant()
    def the_float_is_what_the_ledger_says(self) -> None:
        """The float and the ledger differ only by what a count found: no one moved that money."""
        if hasattr(self, "state"):
            found = sum(event.difference for event in self.history if isinstance(event, events.FloatCounted))
            assert self.state.in_float == self.ledger.balances[FLOAT] + self.ledger.balances[COMMISSION] + found

    @invariant()
    def the_house_throws_only_for_a_wager_that_stands(self) -> None:
        """Otherwise no player could ever be offered the coins again."""
        if hasattr(self, "state") and self.state.house_throws_for is not None:
            assert self.state.house_throws_for in [(player, area.wager) for player, area, _ in self.state.wagers()]

    @invariant()
    def only_one_has_the_dice(self) -> None:
        """They are held by a player, offered to one, with the house, or free: never two of these."""
        if hasattr(self, "state") and self.state.settings.manual_dice:
            facts = self.state.facts
            assert (facts.get("dice") == "held") == ("shooter" in facts), facts
            assert (facts.get("dice") == "offered") == ("offered to" in facts), facts

    @invariant()
    def the_table_can_be_shown(self) -> None:
        if hasattr(self, "state"):
            assert len(standing_wagers(TableView(SHELF, self.state))) == len(self.state.wagers())

    @invariant()
    def nothing_waits_too_long(self) -> None:
        """A late wager is confirmed or gone once the dice rest; a spoken one is laid or gone once betting closes."""
        if hasattr(self, "state"):
            late = [name for name in self.state.facts if name.startswith("late ")]
            spoken = [name for name in self.state.facts if name.startswith("spoken ")]
            assert late == [] or self.state.facts.get("throw") == "thrown"
            assert spoken == [] or self.state.bets_open

    def teardown(self) -> None:
        """The evening ends: wagers that may be taken down are, the rest are played out, everyone leaves."""
        if not hasattr(self, "history"):
            return
        self.reached.update(self.happenings())
        self.end_the_evening()
        assert self.state.layout == {}, self.state.facts
        assert self.state.chips == self.state.kept == {}
        assert [cents for account, cents in self.ledger.balances.items() if account.startswith("hand ") and cents] == []
        assert self.ledger.balances[LAYOUT] == 0
        assert not any(self.state.tokens.values())
        assert [name for name in self.state.facts if name.split()[0] in ("owing", "late", "spoken", "tokens")] == []
        replayed = State()
        for event in self.history:
            replayed = evolve(replayed, events.decode(events.encode(event)))
        assert replayed == self.state
        assert evolve_all(State(), self.history) == self.state

    def play_out(self, rnd: Random) -> None:
        """One throw for the bets still open."""
        self.throws_once(rnd.choice(self.outcomes))

    def throws_once(self, faces: tuple[int | str, ...]) -> bool:
        self.do(commands.CloseBets())
        self.act("press_no_more_bets")  # where a touch screen is in use, no throw counts without it
        return self.do(commands.Throw(faces=faces, at=self.now))

    def end_the_evening(self) -> None:
        rnd = Random(0)
        for _ in range(MOST_THROWS):
            if not self.state.layout:
                break
            self.play_out(rnd)
        assert not self.state.layout, "a table at which nobody can go on stands still"
        for case in [name.removeprefix("owing ") for name in self.state.facts if name.startswith("owing ")]:
            self.put_right(case)
        for player in [*self.state.seats, *self.state.kept]:
            assert self.do(commands.LeaveTable(player=player, at=self.now)), (player, self.refusal, self.state)

    def put_right(self, case: str) -> None:
        """Players who were paid too little and are here get the difference; the others pay theirs back, or it is put
        right elsewhere."""
        patron, way = str(self.state.facts.get(f"patron {case}")), self.state.facts[f"way {case}"]
        if way == "underpaid" and patron in self.state.seats:
            before = self.state.chips[patron]
            if self.act("reimburse", case=case):
                assert self.state.chips[patron] > before
            else:  # more than was at stake is not paid here
                assert self.act("put_right_elsewhere", case=case), (case, self.state.facts)
        elif way == "underpaid" or not self.act("give_back", patron, case=case):
            assert self.act("put_right_elsewhere", case=case), (case, self.state.facts)

    def happenings(self) -> Counter[str]:
        """What has happened this evening: the acts by name, and some other things."""
        found = self.done.copy()
        closing = False
        for event in self.history:
            match event:
                case events.AreaSettled(result="win" | "lose"):
                    found["settled"] += len(event.stakes)
                    found[f"{event.result} in checks"] += len(event.checks)
                    found["played out while closing"] += closing
                case events.ThrowVoided() | events.OutcomeInvalidated():
                    found["void"] += 1
                case events.PaymentCorrected() | events.ResultTakenBack():
                    found["correction"] += 1
                case events.DebtIncurred():
                    found["debt"] += 1
                case events.TableReopened():
                    found["reopened"] += 1
                case events.ActDone(act="move_wager" | "correct_position"):
                    found["correction"] += 1
                case events.ActDone() | events.Noted() if "table" in event.facts:
                    closing = event.facts["table"] == "closing"
                    found["closed for good"] += event.facts["table"] == "closed"
        return found
