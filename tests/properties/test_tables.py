"""Whole evenings of random commands at all five books: no cent is created or lost, whatever people try."""

from __future__ import annotations

import copy
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from croupier.ledger import COMMISSION, FLOAT, LAYOUT, PURSE, Ledger, hand
from croupier.pipe import Pipe
from croupier.rules.game import Terms, choice_id
from croupier.rules.offers import behind_limit
from croupier.rules.outcomes import Faces, parse_odds
from croupier.rules.shelf import Shelf
from croupier.table import commands, events
from croupier.table.decide import decide
from croupier.table.evolve import evolve, evolve_all
from croupier.table.exposure import standing_exposure
from croupier.table.placing import selection_name
from croupier.table.refusals import Refusal
from croupier.table.state import Area, State, TableView
from tests import oracle
from tests.tables import BOOKS, SHELF

PLAYERS = ["ann", "bob", "cy"]
players = st.sampled_from([*PLAYERS, "nobody"])
amounts = st.one_of(st.integers(1, 60).map(lambda n: n * 100), st.sampled_from([0, -100, 1, 50, 10**9, 10**30]))

limits = st.sampled_from([commands.Limit(*pair) for pair in ((None, None), (200, 5_000), (None, 1_000), (1_000, None))])
times = st.sampled_from([None, datetime(2024, 8, 1, tzinfo=UTC), datetime(2024, 9, 1, tzinfo=UTC)])

# The pay line that the amended edition of each book has different: that of a wager of the same name that often wins.
AMENDED_LINES = {
    "craps-nsw-2024": "win_line",
    "sic-bo-nsw-2016": "small",
    "two-up-nsw-2016": "heads",
    "snake-eyes-nsw-2019": "six",
    "snake-eyes-nz": "six",
}
AMENDED = """
[book]
id = "{book}-amended"
extends = "{book}"
replaces = "{book}"

[pay_table.lines]
"{line}" = "{above} to {below}"
"""


@pytest.fixture(scope="module")
def amended_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An amended edition of every book, as files."""
    folder = tmp_path_factory.mktemp("amended")
    files = {}
    for book, line in AMENDED_LINES.items():
        odds = parse_odds(SHELF.book(book).rules.pay_table.lines[line]) + 1
        text = AMENDED.format(book=book, line=line, above=odds.numerator, below=odds.denominator)
        files[book] = folder / f"{book}-amended.toml"
        files[book].write_text(text, encoding="utf-8")
    return files


def pay_tables(book: str) -> st.SearchStrategy[object]:
    """Any pay table that the book permits, as the pipe names it; choices that are not made have their default."""
    choices = SHELF.book(book).rules.pay_table.choices
    if not choices:
        return st.none()
    if not choices[0].key:
        return st.sampled_from([None, *choices[0].options])
    named = {tuple(choice.key): st.sampled_from([int(option) for option in choice.options]) for choice in choices}
    return st.fixed_dictionaries({}, optional=named).map(_nested)


def _nested(chosen: dict[tuple[str, ...], int]) -> dict[str, object]:
    asked: dict[str, object] = {key[0]: option for key, option in chosen.items() if len(key) == 1}
    for outer in {key[0] for key in chosen if len(key) == 2}:
        asked[outer] = {key[1]: option for key, option in chosen.items() if key[0] == outer}
    return asked


def test_random_pay_tables_reach_every_option() -> None:
    """`pay_tables` can draw every option of every choice."""
    for book in BOOKS:
        for choice in SHELF.book(book).rules.pay_table.choices:
            for option in choice.options:
                key = tuple(choice.key)
                asked: object = _nested({key: int(option)}) if key else option
                assert dict(SHELF.terms(book, asked).choices)[choice_id(choice)] == option


def bookable(book: str) -> list[tuple[str, object]]:
    """Every wager and pick of a book."""
    rules = SHELF.book(book)
    return [(wager.id, pick) for wager in rules.rules.wagers for pick in rules.picks(wager)]


def wagers_of(book: str) -> list[tuple[str, object]]:
    """The wagers of a book, and some that do not exist."""
    known = bookable(book)
    travelled = [(w.id, n) for w in SHELF.book(book).rules.wagers if w.travels for n in (4, 5, 6, 8, 9, 10)]
    return [*known, *travelled, ("nonsense", None), (known[0][0], 99), (known[-1][0], True), (known[0][0], [1, 2])]


class Evening(RuleBasedStateMachine):
    """Random play at one table."""

    book = ""
    shelf = SHELF

    @initialize(
        chip=st.sampled_from([25, 100, 250]),
        low=st.sampled_from([None, 500]),
        high=st.sampled_from([None, 10_000]),
        exact=st.booleans(),
        player_maximum=st.sampled_from([None, None, 20_000]),
        seats=st.sampled_from([None, None, 2, 3]),
        cards=st.tuples(*[st.sampled_from([True, True, True, False]) for _ in PLAYERS]),
        data=st.data(),
    )
    def open(
        self,
        chip: int,
        low: int | None,
        high: int | None,
        exact: bool,
        player_maximum: int | None,
        seats: int | None,
        cards: tuple[bool, ...],
        data: st.DataObject,
    ) -> None:
        wagers = SHELF.book(self.book).wagers
        names = [*wagers, *(selection_name(wager.id, pick) for wager in wagers.values() for pick in wager.picks)]
        optional = [wager.id for wager in wagers.values() if wager.optional is not None]
        without = data.draw(st.lists(st.sampled_from(optional), unique=True)) if optional else []
        settings = commands.Settings(
            chip=chip,
            limit=commands.Limit(low, high),
            wager_limits=data.draw(st.dictionaries(st.sampled_from(names), limits, max_size=3)),
            player_maximum=player_maximum,
            exact_units=exact,
            without=tuple(without),
            seats=seats,
        )
        self.state = State()
        self.history: list[events.AnyEvent] = []
        self.ledger = Ledger()
        self.placed: Counter[tuple[str, str]] = Counter()
        self.bought = 0
        self.made_under: dict[tuple[str, Area], Terms] = {}
        self.made_before = self.made_under  # what stood before the latest result
        terms = self.shelf.terms(self.book, data.draw(pay_tables(self.book)))
        self.do(commands.OpenTable(terms=terms, settings=settings))
        assert self.state.is_open
        for player, card in zip(PLAYERS, cards, strict=True):
            self.do(commands.SeatPlayer(player=player, chips=100_000, card=card))
        assert len(self.state.seats) == min(len(PLAYERS), seats or len(PLAYERS))

    def do(self, command: commands.AnyCommand) -> None:
        state, before = self.state, copy.deepcopy(self.state)
        decision = decide(self.shelf, state, command)
        assert decide(self.shelf, state, command) == decision, "the same command must lead to the same decision"
        assert state == before, "deciding changes nothing"
        if isinstance(decision, Refusal):
            assert decision.code, decision
            assert decision.message.endswith("."), decision
            return
        self.state = evolve_all(state, decision)
        assert state == before, "a state never changes; what happened makes the next one"
        self.history.extend(decision)
        self.ledger.post(decision)
        for event in decision:
            self.count(event)
        self.follow(decision)

    def follow(self, happened: tuple[events.AnyEvent, ...]) -> None:
        """A wager is decided and paid by the terms that were in force when it was made, whatever was adopted since
        then."""
        faces = next((event.faces for event in happened if isinstance(event, events.Thrown)), None)
        moved: dict[tuple[str, Area], Terms] = {}
        for event in happened:
            if isinstance(event, events.WagerPlaced):
                area = Area(event.wager, event.pick, event.state, event.terms)
                self.made_under.setdefault((event.player, area), self.state.terms[-1])
            elif isinstance(event, events.WagerReduced) and not event.stake:
                del self.made_under[event.player, Area(event.wager, event.pick, event.state, event.terms)]
            elif isinstance(event, events.AreaMoved):
                area = Area(event.wager, event.pick, event.state, event.terms)
                for player in event.players:
                    moved[player, area._replace(state=event.to)] = self.made_under.pop((player, area))
            elif isinstance(event, events.AreaSettled):
                self.check_settled(event, faces)
            elif isinstance(event, events.Thrown):
                self.made_before = dict(self.made_under)
            elif isinstance(event, events.ResultTakenBack):
                self.made_under = dict(self.made_before)
        self.made_under.update(moved)
        assert set(self.made_under) == {(player, area) for player, area, _ in self.state.wagers()}

    def check_settled(self, event: events.AreaSettled, faces: tuple[int | str, ...] | None) -> None:
        area = Area(event.wager, event.pick, event.state, event.terms)
        for player, stake, paid, _ in event.stakes:
            game = self.shelf.game(self.made_under.pop((player, area)))
            if event.result == "void":
                continue
            assert faces is not None
            entry = game.machine(area.wager, area.pick).table[area.state][game.book.outcomes.index[faces]]
            assert entry.then == event.result
            if entry.then == "win":
                assert paid == oracle.paid(stake, entry.odds, self.state.settings.chip)

    def count(self, event: events.AnyEvent) -> None:
        """Every cent that goes onto the layout leaves it exactly once."""
        if isinstance(event, events.WagerPlaced):
            self.placed[(event.player, event.wager)] += event.amount
        if isinstance(event, events.WagerReduced):
            self.placed[(event.player, event.wager)] -= event.amount
        if isinstance(event, events.ResultTakenBack):
            for settled in event.settled:
                for player, stake, _, _ in settled.stakes:
                    self.placed[(player, settled.wager)] += stake
            for reduced in event.reduced:
                self.placed[(reduced.player, reduced.wager)] += reduced.amount
        if isinstance(event, events.AreaSettled):
            for player, stake, paid, returned in event.stakes:
                self.placed[(player, event.wager)] -= stake
                assert stake > 0
                assert paid >= 0
                assert (event.result == "win") == (paid > 0), event
                assert returned == (0 if event.result == "lose" else stake + paid) or event.result == "void"

    def bets(self, data: st.DataObject, at: datetime | None) -> None:
        """A few wagers that are mostly accepted: by seated people, with stakes that mostly fit."""
        for _ in range(data.draw(st.integers(1, 5))):
            wager, pick = data.draw(st.sampled_from(bookable(self.book)))
            stake = data.draw(st.sampled_from([4, 5, 6, 10, 12, 20, 30, 60, 60])) * self.state.settings.chip
            if SHELF.book(self.book).wagers[wager].fixed_stake is not None:
                stake = 1000
            player = data.draw(st.sampled_from(self.state.seats))
            self.do(commands.PlaceWager(player=player, wager=wager, pick=pick, amount=stake, at=at))

    @rule(data=st.data(), at=times)
    def bet(self, data: st.DataObject, at: datetime | None) -> None:
        self.bets(data, at)

    @rule(data=st.data(), at=times)
    def play(self, data: st.DataObject, at: datetime | None) -> None:
        """A complete round: bets, the closing call where there is one, the throw."""
        self.bets(data, at)
        self.throw(data, closed_first=True)

    @rule(data=st.data(), player=players, amount=amounts, at=times)
    def bet_anything(self, data: st.DataObject, player: str, amount: int, at: datetime | None) -> None:
        wager, pick = data.draw(st.sampled_from(wagers_of(self.book)))
        self.do(commands.PlaceWager(player=player, wager=wager, pick=pick, amount=amount, at=at))

    def standing(self, data: st.DataObject, player: str) -> tuple[str, str, object]:
        """A random open wager of someone, if there is one; otherwise any wager."""
        view = TableView(self.shelf, self.state)
        found: list[tuple[str, str, object]] = [
            (p, area.wager, view.shown_pick(area)) for p, area, _ in self.state.wagers()
        ]
        if found and data.draw(st.sampled_from([True, True, True, False])) is True:
            return data.draw(st.sampled_from(found))
        return (player, *data.draw(st.sampled_from(wagers_of(self.book))))

    @rule(player=players, chips=st.sampled_from([0, -100, 1, 5_000]))
    def buy(self, player: str, chips: int) -> None:
        self.do(commands.BuyChips(player=player, chips=chips))
        self.bought += chips if chips > 0 and player in self.state.seats else 0

    @rule(data=st.data(), player=players, amount=st.one_of(st.none(), amounts))
    def take(self, data: st.DataObject, player: str, amount: int | None) -> None:
        player, wager, pick = self.standing(data, player)
        self.do(commands.TakeWager(player=player, wager=wager, pick=pick, amount=amount))

    @rule(data=st.data(), player=players, on=st.booleans())
    def call(self, data: st.DataObject, player: str, on: bool) -> None:
        player, wager, pick = self.standing(data, player)
        self.do(commands.CallWager(player=player, wager=wager, pick=pick, on=on))

    @rule(data=st.data(), player=players, chips=st.sampled_from([1, 2, 60, 120, 300, 0]), closed_first=st.booleans())
    def find(self, data: st.DataObject, player: str, chips: int, closed_first: bool) -> None:
        if closed_first:
            self.close()
        player, wager, pick = self.standing(data, player)
        amount = chips * self.state.settings.chip
        self.do(commands.FindWager(player=player, wager=wager, pick=pick, amount=amount))

    @rule()
    def close(self) -> None:
        self.do(commands.CloseBets())

    @rule(data=st.data(), closed_first=st.booleans())
    def throw(self, data: st.DataObject, closed_first: bool) -> None:
        if closed_first:
            self.close()
        worst = standing_exposure(self.shelf, self.state)
        before = self.ledger.balances[FLOAT]
        faces, wrong = (data.draw(st.sampled_from(SHELF.book(self.book).outcomes.all)) for _ in range(2))
        self.corrected_is_as_right_at_once(wrong, faces)
        self.do(commands.Throw(faces=faces))
        assert worst.cents is not None
        assert before - self.ledger.balances[FLOAT] <= max(worst.cents, 0)

    def corrected_is_as_right_at_once(self, wrong: Faces, right: Faces) -> None:
        """With no bets in between, a corrected result leaves the table as the right one would have done at once."""
        as_entered, at_once = (self.settled_as(faces) for faces in (wrong, right))
        if as_entered is None or at_once is None:
            return  # a throw without a result
        corrected = decide(self.shelf, as_entered, self.correction(right))
        if isinstance(corrected, Refusal):
            assert sorted(map(str, wrong)) == sorted(map(str, right))
            return
        ended = evolve_all(as_entered, corrected)
        assert msgspec.structs.replace(ended, latest=None) == msgspec.structs.replace(at_once, latest=None)

    def settled_as(self, faces: Faces) -> State | None:
        """The table after a result; None if the throw has no result."""
        decision = decide(self.shelf, self.state, commands.Throw(faces=faces))
        if isinstance(decision, Refusal) or not any(isinstance(event, events.Thrown) for event in decision):
            return None
        return evolve_all(self.state, decision)

    def correction(self, faces: Faces) -> commands.PerformAct:
        by = SHELF.book(self.book).conduct.by_id["correct_result"].by[-1]
        return commands.PerformAct(act="correct_result", by=by, who="sue", said={"faces": list(faces)})

    @rule(data=st.data(), times=st.integers(1, 3))
    def correct(self, data: st.DataObject, times: int) -> None:
        """The latest result was different, more than once, whatever has been bet and taken down since."""
        for _ in range(times):
            self.do(self.correction(data.draw(st.sampled_from(SHELF.book(self.book).outcomes.all))))

    @rule(faces=st.lists(st.sampled_from([0, 7, -1, "H", 1.5, None, True, 3]), max_size=4))
    def throw_nonsense(self, faces: list[object]) -> None:
        if tuple(faces) not in SHELF.book(self.book).outcomes.index:
            thrown = len(self.history)
            self.do(commands.Throw(faces=tuple(faces)))
            assert len(self.history) == thrown

    @rule(data=st.data())
    def void(self, data: st.DataObject) -> None:
        void = SHELF.book(self.book).rules.void
        invalidated = void.invalidated.grounds if void.invalidated is not None else []
        self.do(commands.VoidThrow(reason=data.draw(st.sampled_from([*void.grounds, *invalidated, "6.1", ""]))))

    @rule(data=st.data())
    def change_pay_table(self, data: st.DataObject) -> None:
        """Another pay table of the book in play."""
        asked = data.draw(pay_tables(self.book))
        self.do(commands.AdoptRules(terms=self.shelf.terms(self.state.terms[-1].book, asked)))

    @rule(data=st.data(), edition=st.sampled_from(["-amended", ""]))
    def change_book(self, data: st.DataObject, edition: str) -> None:
        """Change to the amended book, once; there is no way back. The wager that it pays differently is made before
        and after."""
        before = self.state.terms[-1].book
        asked = data.draw(pay_tables(self.book))
        wager, amount = AMENDED_LINES[self.book], 60 * self.state.settings.chip
        first, second, *_ = self.state.seats
        self.do(commands.PlaceWager(player=first, wager=wager, amount=amount))
        self.do(commands.AdoptRules(terms=self.shelf.terms(self.book + edition, asked)))
        self.do(commands.PlaceWager(player=second, wager=wager, amount=amount))
        after = self.state.terms[-1].book
        assert after == (self.book + "-amended" if before.endswith("-amended") or edition else self.book)
        for _ in range(3):
            self.throw(data, closed_first=True)

    @invariant()
    def no_cent_is_made_or_lost(self) -> None:
        if not hasattr(self, "state"):
            return
        assert self.ledger.total == 0
        assert -self.ledger.balances[PURSE] == 100_000 * len(self.state.seats) + self.bought
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
        view = TableView(self.shelf, self.state)
        for player, area, stake in self.state.wagers():
            wager = view.wager_of(area)
            if wager.behind is not None:
                flat = view.flat_area(player, wager, area.state)
                assert flat is not None
                flat_cents = self.state.layout[flat][player].amount
                game, chip = view.game_of(area), self.state.settings.chip
                assert stake.amount <= behind_limit(game, wager, area.pick, area.state, flat_cents, chip)

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
def test_evenings(book_id: str, amended_files: dict[str, Path]) -> None:
    shelf = Shelf((amended_files[book_id],))
    run_state_machine_as_test(type("EveningAt", (Evening,), {"book": book_id, "shelf": shelf}))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = ["player", "wager", "pick", "amount", "dice", "coins", "reason", "chips", "card", "book", "at", "on", "chip"]
FIELDS += ["as", "who", "tokens", "checks", "forfeit", "area"]
VERBS = [
    "open",
    "seat",
    "chips",
    "leave",
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

    conduct = SHELF.book(book_id).conduct
    said = sorted({name for act in conduct.acts for form in act.forms for name in form})
    roles = [*conduct.role_ids, "one", "2024-09-01T20:00:00"]

    @given(
        lines=st.lists(
            st.one_of(
                st.binary(max_size=40),
                st.builds(
                    lambda verb, fields: json.dumps({"do": verb, **fields}).encode(),
                    st.sampled_from([*VERBS, *SHELF.book(book_id).conduct.by_id]),
                    st.dictionaries(
                        st.sampled_from([*FIELDS, *said]),
                        st.one_of(
                            JSON, st.sampled_from(["ann", "heads", "small", "field", "10.00", [1, 2], "HH", *roles])
                        ),
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
