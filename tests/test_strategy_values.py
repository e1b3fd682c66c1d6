"""Strategies made in Python: whatever they contain, they are refused with one sentence or played as at a real table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from croupier.execution.simulating import simulate
from croupier.rules.book import shown_value
from croupier.rules.errors import Impossible
from croupier.rules.game import Game
from croupier.rules.machine import Pick
from croupier.simulation.kernels import engine
from croupier.simulation.kernels.product import product_of
from croupier.simulation.kernels.program import MOST_PART
from croupier.simulation.reading.language import MOST_WHOLE
from croupier.simulation.reading.reader import included, load_strategy
from croupier.simulation.reading.shapes import Unreadable
from croupier.simulation.strategy import (
    MOST_CENTS,
    Bet,
    Call,
    Chips,
    Compare,
    Condition,
    Count,
    Fixed,
    FromProgression,
    Guard,
    Hits,
    Most,
    Move,
    Net,
    PhaseIs,
    Progression,
    ResultIs,
    Rolls,
    Rule,
    ShareOfChips,
    ShooterRolls,
    Shooters,
    Spot,
    Stake,
    Stop,
    Strategy,
    Streak,
    Take,
    TimesSpot,
)
from croupier.simulation.strategy_checks import check_strategy, parts
from croupier.table.commands import Settings
from tests.same_dice import Case, compare, in_block
from tests.strategies_made import cases, made, themes
from tests.tables import BOOKS, SHELF

CRAPS, SIC_BO, TWO_UP, SNAKE_EYES, SNAKE_EYES_NZ = BOOKS
FIELD, SMALL, HEADS = Spot("field"), Spot("small"), Spot("heads")
LINE = Spot("win_line")
FIVE, STAY, NEVER = Fixed(500), Move("stay"), Stop()


def game_of(book: str) -> Game:
    return SHELF.game(SHELF.terms(book))


def strategy(*rules: Rule, stop: Stop = NEVER, progressions: tuple[Progression, ...] = (), **head: Any) -> Strategy:  # noqa: ANN401
    named: dict[str, Any] = {"name": "Mine", "about": "", "unit": 100, **head}
    return Strategy(**named, rules=rules, progressions=progressions, stop=stop)


def bet(spot: Spot = FIELD, stake: Stake = FIVE, **more: Any) -> Bet:  # noqa: ANN401
    return Bet(1, spot, stake, **more)


def on(wager: str, pick: Pick = None) -> Strategy:
    """A bet on a spot."""
    return strategy(bet(Spot(wager, pick)))


def of(stake: Stake, *progressions: Progression) -> Strategy:
    """A bet of an amount."""
    return strategy(bet(stake=stake), progressions=progressions)


def when(condition: Condition, spot: Spot = FIELD) -> Strategy:
    """A bet under a condition."""
    return strategy(bet(spot, guard=Guard((condition,))))


def moving(win: Move = STAY, loss: Move = STAY, spot: Spot = FIELD, **more: Any) -> Strategy:  # noqa: ANN401
    """A stake that moves."""
    progression = Progression("up", (spot,), win, loss, **{"start": 500, **more})
    return strategy(bet(spot, FromProgression(Fraction(1), 0)), progressions=(progression,))


def refusal(book: str, value: Strategy) -> str:
    """The sentence with which a strategy is refused."""
    with pytest.raises(Impossible) as refused:
        check_strategy(game_of(book), value)
    assert refused.value.code == "strategy_wrong"
    assert_is_a_sentence(refused.value)
    return refused.value.sentence


def assert_is_a_sentence(error: Impossible) -> None:
    assert error.sentence.isprintable()
    assert error.sentence.endswith(".")
    assert len(error.sentence) < 400


def put(strategy: Strategy, where: str, new: object) -> Strategy:
    """A strategy with another value at a place in it."""
    changed: Strategy = _put(strategy, re.findall(r"\w+", where), new)
    return changed


def _put(value: Any, steps: list[str], new: object) -> Any:  # noqa: ANN401
    if not steps:
        return new
    first, *rest = steps
    if first.isdecimal():
        place = int(first)
        return (*value[:place], _put(value[place], rest, new), *value[place + 1 :])
    fields = {first: _put(getattr(value, first), rest, new)}
    return value._replace(**fields) if isinstance(value, Spot) else msgspec.structs.replace(value, **fields)


# What is refused, each with the place and the reason

BEYOND = 2**70
STEPPED: dict[str, Any] = {"start": 0, "steps": (100, 200)}
LARGE = Progression("", (FIELD,), STAY, STAY, start=10**9)
PUCK, THROWN = partial(PhaseIs, "puck"), ResultIs

REFUSED: list[tuple[str, Strategy, str]] = [
    # Where
    (CRAPS, on("come", 6), "rules[0].spot: Come is bet without a pick: it travels to its number by itself"),
    (CRAPS, on("come", 7), 'rules[0].spot: Come does not travel to "7"; it travels to 4, 5, 6, 8, 9, 10'),
    (CRAPS, on("feild"), 'rules[0].spot: The book has no wager called "feild"; closest match: field'),
    (CRAPS, on("field", 6), "rules[0].spot: Field is made without a pick"),
    (CRAPS, on("place_to_win"), "rules[0].spot: Place Bet to Win needs a pick: 4, 5, 6, 8, 9, 10"),
    (CRAPS, on("place_to_win", "6"), "rules[0].spot: Place Bet to Win cannot be made on that"),
    (
        SIC_BO,
        on("combination", (2, 1)),
        "rules[0].spot: Dice Combinations is made on (1, 2), numbers in ascending",
    ),
    (CRAPS, strategy(bet(), Take(2, Spot("come", 3))), 'rules[1].spot: Come does not travel to "3"'),
    (CRAPS, strategy(bet(), Call(2, Spot("hardway", 5), True)), "rules[1].spot: Hardways cannot be made on that"),
    (CRAPS, of(TimesSpot(Fraction(2), Spot("x"))), 'rules[0].stake.spot: The book has no wager called "x"'),
    # How much
    (CRAPS, of(TimesSpot(Fraction(2), FIELD)), "rules[0].stake: a stake that is a multiple of the same wager"),
    (
        CRAPS,
        of(TimesSpot(Fraction(0), LINE)),
        "rules[0].stake.factor must be above zero, with a numerator and a denominator of at most 1,000,000",
    ),
    (CRAPS, of(TimesSpot(Fraction(1, 10**6 + 1), LINE)), "of at most 1,000,000, not 1/1000001"),
    (CRAPS, of(ShareOfChips(Fraction(3, 2))), "rules[0].stake.share: 3/2 is more than the whole"),
    (CRAPS, of(Fixed(0)), "rules[0].stake.cents must be a number of cents from 1 to 1,000,000,000,000, not 0"),
    (CRAPS, of(Fixed(BEYOND)), "not 1,180,591,620,717,411,303,424"),
    (CRAPS, of(Fixed(10**5000)), "not a number with too many digits to show"),
    (CRAPS, of(FromProgression(Fraction(1), 3)), "there is no progression number 3; there is none"),
    (CRAPS, of(FromProgression(Fraction(1), -1), LARGE), "no progression number -1; they are counted from 0 to 0"),
    (
        CRAPS,
        of(FromProgression(Fraction(5000), 0), LARGE),
        "the amount of rules[0].stake must be a number of cents from",
    ),
    # Rules
    (CRAPS, strategy(bet(at_most=0)), "rules[0].at_most must be a whole number from 1 to 1,000,000,000, not 0"),
    (SIC_BO, strategy(bet(SMALL, per="shooter")), '"rules[0].per" means nothing here; Sic Bo has no shooters'),
    (CRAPS, strategy(Bet(-1, FIELD, FIVE)), "rules[0].rule must be a whole number from 0"),
    (CRAPS, strategy(bet(), Take(1, FIELD, leave=-100)), "rules[1].leave must be a number of cents from 0"),
    (CRAPS, strategy(), "no rule bets anything"),
    (CRAPS, strategy(Take(1, FIELD)), "no rule bets anything"),
    (CRAPS, strategy(*[bet()] * 401), "there can be at most 400 rules, not 401"),
    (CRAPS, strategy(bet(), name="two\nlines"), "name must be one line of at most 100 printable characters"),
    (CRAPS, strategy(bet(), unit=0), "unit must be a number of cents from 1"),
    (CRAPS, strategy(bet(), bankroll=-1), "bankroll must be a number of cents from 1"),
    # Conditions
    (CRAPS, when(PhaseIs("puk", frozenset({"come out"}))), 'the book has no phase "puk"; closest match: puck'),
    (CRAPS, when(PUCK(frozenset({"off"}))), 'rules[0].guard.when[0]: there is no "off"; there are come out, point 10'),
    (CRAPS, when(PUCK(frozenset())), "rules[0].guard.when[0]: it names nothing, so it can never hold"),
    (CRAPS, when(THROWN(frozenset({36}))), "rules[0].guard.when[0]: there is no 36"),
    (CRAPS, when(THROWN(frozenset())), "rules[0].guard.when[0]: it names nothing, so it can never hold"),
    (
        CRAPS,
        when(Compare(Net(), "above", BEYOND)),
        "rules[0].guard.when[0].value must be a number of cents from -1,000",
    ),
    (
        CRAPS,
        when(Compare(Rolls(), "above", 10**9 + 1)),
        "rules[0].guard.when[0].value must be a whole number from -1,000",
    ),
    (CRAPS, when(Compare(Count(()), "is", 0)), "rules[0].guard.when[0].subject.spots names no wager"),
    (
        CRAPS,
        when(Compare(Hits((FIELD, FIELD)), "is", 0)),
        'guard.when[0].subject.spots: "field" is named twice',
    ),
    (TWO_UP, when(Compare(Shooters(), "is", 1), HEADS), "Two-Up has no shooters"),
    (TWO_UP, when(Compare(ShooterRolls(), "is", 1), HEADS), "Two-Up has no shooters"),
    # When the player leaves
    (TWO_UP, strategy(bet(HEADS), stop=Stop(shooters=2)), '"stop.shooters" means nothing here'),
    (CRAPS, strategy(bet(), stop=Stop(win=BEYOND)), "stop.win must be a number of cents from 1"),
    (CRAPS, strategy(bet(), stop=Stop(loss=0)), "stop.loss must be a number of cents from 1"),
    (CRAPS, strategy(bet(), stop=Stop(rolls=0)), "stop.rolls must be a whole number from 1"),
    # Progressions
    (CRAPS, moving(start=1000, most=500), "progressions[0].most: 500 is less than the start, 1,000"),
    (CRAPS, moving(start=500, least=1000), "progressions[0].least: 1,000 is more than the start, 500"),
    (CRAPS, moving(start=-500), "progressions[0].start must be a number of cents from 0"),
    (CRAPS, moving(start=0), "progressions[0] needs steps or a start"),
    (CRAPS, moving(**STEPPED, most=500), "progressions[0].most: steps go without start"),
    (CRAPS, moving(start=0, steps=(100, 0)), "progressions[0].steps[1] must be a number of cents from 1"),
    (CRAPS, moving(start=0, steps=(100,) * 1001), "progressions[0].steps can have at most 1,000 members, not 1,001"),
    (
        CRAPS,
        moving(Move("next")),
        'progressions[0].win.kind: with a start it must be one of "add", "times", "add_won", "first"',
    ),
    (
        CRAPS,
        moving(STAY, Move("add"), **STEPPED),
        'progressions[0].loss.kind: with steps it must be one of "next", "back"',
    ),
    (CRAPS, moving(STAY, Move("add_won"), most=1000), "progressions[0].loss.kind: a loss has no winnings"),
    (CRAPS, moving(Move("times", Fraction(2))), '"times" could grow without limit: set most'),
    (CRAPS, moving(Move("times", Fraction(-2))), "progressions[0].win.by must be above zero"),
    (CRAPS, moving(Move("add_won", Fraction(2)), most=1000), "progressions[0].win.by: 2 is more than the whole"),
    (CRAPS, moving(Move("add", Fraction(1, 2)), most=1000), "progressions[0].win.by must be a whole number, not 1/2"),
    (CRAPS, moving(Move("add", Fraction(BEYOND)), most=1000), "progressions[0].win.by must be a number of cents"),
    (CRAPS, moving(Move("back", Fraction(0)), **STEPPED), "progressions[0].win.by must be a whole number from 1"),
    (CRAPS, moving(Move("stay", Fraction(2))), 'progressions[0].win.by has no meaning with "stay"'),
    (SIC_BO, moving(spot=SMALL, per_shooter=True), '"progressions[0].per_shooter" means nothing here'),
]


@pytest.mark.parametrize(("book", "value", "said"), REFUSED, ids=[said for _, _, said in REFUSED])
def test_what_cannot_be_played_is_refused_with_its_place(book: str, value: Strategy, said: str) -> None:
    sentence = refusal(book, value)
    assert sentence.startswith("The strategy ")
    assert said in sentence


PLAIN = strategy(bet(guard=Guard((PUCK(frozenset({"come out"})),))), bet(LINE, TimesSpot(Fraction(2), FIELD)))
WRONG_TYPES: list[tuple[str, object, str]] = [
    ("rules", [bet()], "a tuple, not a value of the type list"),
    ("rules[0]", None, "a Bet or a Take or a Call, not None"),
    ("rules[0].spot", ("field",), "a Spot, not a value of the type tuple"),
    ("rules[0].spot.pick", 6.0, "a whole number or a text or a tuple or None, not 6.0"),
    ("rules[0].stake", 500, "a Fixed or a TimesSpot or a ShareOfChips or a Most or a FromProgression, not 500"),
    ("rules[0].stake.cents", "5.00", 'a whole number, not "5.00"'),
    ("rules[0].stake.cents", 5.0, "a whole number, not 5.0"),
    ("rules[0].stake.cents", True, "a whole number, not True"),
    ("rules[0].adds", 1, "True or False, not 1"),
    ("rules[0].per", "game", '"shooter" or "session", not "game"'),
    ("rules[0].guard.when[0].states", {"come out"}, "a frozenset, not a value of the type set"),
    ("rules[1].stake.factor", 0.5, "a Fraction, not 0.5"),
    ("name", 10**5000, "a text, not a number with too many digits to show"),
    ("about", "\n".join, "a text, not a value of the type builtin_function_or_method"),
    ("bankroll", "200.00", 'a whole number or None, not "200.00"'),
]


@pytest.mark.parametrize(("where", "value", "said"), WRONG_TYPES, ids=[f"{w} {s}" for w, _, s in WRONG_TYPES])
def test_what_has_the_wrong_type_is_refused_with_its_place(where: str, value: object, said: str) -> None:
    check_strategy(game_of(CRAPS), PLAIN)
    assert f"{where} must be {said}" in refusal(CRAPS, put(PLAIN, where, value))


def test_values_are_checked_before_the_first_throw() -> None:
    with pytest.raises(Impossible, match=r"rules\[0\]\.spot: Come is bet without a pick") as refused:
        simulate(CRAPS, strategy(bet(Spot("come", 6))))
    assert (refused.value.code, refused.value.clause) == ("strategy_wrong", "6.2.3")


# What is accepted


def test_every_included_strategy_is_one_that_can_be_played() -> None:
    for one in included():
        for book in one.books:
            check_strategy(game_of(book), load_strategy(one.id, game_of(book)))


def test_the_largest_numbers_there_are_can_be_played() -> None:
    most = Progression(
        "", (FIELD,), Move("times", Fraction(MOST_PART)), Move("add", Fraction(-MOST_CENTS)), start=1, most=MOST_CENTS
    )
    above = Guard((Compare(Net(), "above", -MOST_CENTS),))
    large = [
        strategy(bet(stake=Fixed(MOST_CENTS)), stop=Stop(MOST_CENTS, MOST_CENTS, MOST_WHOLE, MOST_WHOLE)),
        strategy(bet(guard=above, at_most=MOST_WHOLE, per="shooter")),
        of(FromProgression(Fraction(1), 0), most),
        of(FromProgression(Fraction(1, MOST_PART), 0), most),
    ]
    for value in large:
        check_strategy(game_of(CRAPS), value)
        compare(Case(SHELF.terms(CRAPS), Settings(), value, None), 1, 30, 2, 17)


def test_strategies_made_at_random_are_all_such_that_they_can_be_played() -> None:
    """Generators elsewhere follow the rules: none of their findings come from a strategy that no one could order."""
    for book in BOOKS:
        for theme in themes(book):
            for number in range(20):
                case = made(Random(f"{book} {theme} {number}"), book, theme)
                check_strategy(SHELF.game(case.terms), case.strategy)


# Strategies of which anything has been changed into anything


@pytest.fixture(autouse=True, scope="module")
def _small_machines() -> Iterator[None]:
    """Machines take time to compile; larger ones than this are left to the general kernel."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "product_of", partial(product_of, most_entries=30_000))
        yield


WHOLE = [-1, 0, 1, 2, 3, 7, 100, 150, 500, MOST_WHOLE, MOST_WHOLE + 1, MOST_CENTS, MOST_CENTS + 1, 2**63, -(2**70)]
FRACTIONS = [Fraction(x) for x in (0, -1, 1, 2, 10, "1/2", "1/3", "7/5", "1/1000000", "1/1000001", 10**7, 2**70)]
WORDS = ["", "Mine", "shooter", "session", "first", "stay", "next", "add", "times", "add_won", "is", "above", "below"]
KINDS_OF_MOVES = get_args(get_type_hints(Move)["kind"])
ODDITIES: list[object] = [None, True, "5.00", 5.0, [], (), 500, Fraction(1, 2), frozenset(), object(), Fixed(500)]


class Changer:
    """Changes values of a strategy: mostly to possible ones, now and then to impossible ones."""

    def __init__(self, rnd: Random, game: Game) -> None:
        self.rnd = rnd
        book = game.book
        self.spots = [Spot(wager.id, pick) for wager in book.rules.wagers for pick in book.picks(wager)]
        for wager in book.rules.wagers:
            if wager.travels is not None:
                states = game.machine(wager.id, None).table
                self.spots += [Spot(wager.id, shown_value(wager.travels, state)) for state in states]
        self.spots += [Spot("nothing"), Spot(self.spots[0].wager, "nowhere"), Spot(self.spots[-1].wager, (2, 1))]
        self.phases = {phase: list(book.phase_machines[phase].table) for phase in book.phases}
        self.outcomes = len(book.outcomes)
        self.makers: dict[type, Callable[[], object]] = {
            **dict.fromkeys((Fixed, TimesSpot, ShareOfChips, Most, FromProgression), self.stake),
            **dict.fromkeys((Count, Streak, Hits, Rolls, ShooterRolls, Shooters, Chips, Net), self.subject),
            **dict.fromkeys((PhaseIs, ResultIs, Compare), self.condition),
            Spot: self.spot,
            Move: self.move,
        }

    def changed(self, strategy: Strategy) -> Strategy:
        """The strategy with one of its values changed."""
        found = [part for part in parts(strategy, Strategy) if part.where and " " not in part.where]  # sets as a whole
        where, value = self.rnd.choice(found)
        return put(strategy, where, self.rnd.choice(ODDITIES) if self.rnd.random() < 0.05 else self.instead_of(value))

    def instead_of(self, value: object) -> object:
        rnd = self.rnd
        if type(value) in self.makers:
            return self.makers[type(value)]()
        match value:
            case bool():
                return not value
            case int():
                return rnd.choice([*WHOLE, value + 1, -value, 2 * value])
            case Fraction():
                return rnd.choice(FRACTIONS)
            case str():
                return rnd.choice([*WORDS, *self.phases, rnd.choice(self.spots).wager])
            case None:
                return rnd.choice([*WHOLE, rnd.choice(self.spots).pick])
            case tuple():
                return rnd.choice([(), value + value, value[::-1], value[:1], list(value)])
            case frozenset():
                return rnd.choice(
                    [frozenset(), value | {99}, value | {-1}, value | {"nowhere"}, frozenset(self.states())]
                )
        return rnd.choice(ODDITIES)

    def spot(self) -> Spot:
        return self.rnd.choice(self.spots)

    def states(self) -> list[str]:
        states = self.rnd.choice([*self.phases.values(), ["nowhere"]])
        return self.rnd.sample(states, self.rnd.randint(1, len(states)))

    def stake(self) -> Stake:
        rnd, factor = self.rnd, self.rnd.choice(FRACTIONS)
        of_others: list[Stake] = [ShareOfChips(factor), TimesSpot(factor, self.spot())]
        return rnd.choice([*of_others, Most(), Fixed(rnd.choice(WHOLE)), FromProgression(factor, rnd.randint(-1, 2))])

    def move(self) -> Move:
        return Move(
            self.rnd.choice(KINDS_OF_MOVES), self.rnd.choice([*FRACTIONS, Fraction(1), Fraction(1), Fraction(100)])
        )

    def subject(self) -> Any:  # noqa: ANN401
        some = tuple(self.spot() for _ in range(self.rnd.randint(0, 2)))
        counted = [Count(some), Hits(some), Streak(some, True), Streak(some, False)]
        return self.rnd.choice([*counted, Rolls(), ShooterRolls(), Shooters(), Chips(), Net()])

    def condition(self) -> Any:  # noqa: ANN401
        rnd = self.rnd
        phase = PhaseIs(rnd.choice([*self.phases, "nothing"]), frozenset(self.states()))
        result = ResultIs(frozenset(rnd.sample(range(-1, self.outcomes + 1), rnd.randint(0, 3))))
        return rnd.choice([phase, result, Compare(self.subject(), "at least", rnd.choice(WHOLE))])


def values() -> st.SearchStrategy[Case]:
    """Random strategies with one, two or three changes."""

    def change(case: Case, rnd: Random, times: int) -> Case:
        value, changer = case.strategy, Changer(rnd, SHELF.game(case.terms))
        for _ in range(times):
            try:
                value = changer.changed(value)
            except Unreadable:  # it has become something that cannot even be taken apart
                break
        return case._replace(strategy=value)

    return st.builds(change, cases(), st.randoms(use_true_random=False), st.sampled_from([1, 1, 1, 2, 3]))


def outcome(case: Case, rolls: int) -> str:
    """Play a strategy in every way in which it can be played; return the outcome."""
    try:
        check_strategy(SHELF.game(case.terms), case.strategy)
    except Impossible as refused:
        assert_is_a_sentence(refused)
        return "refused"
    try:
        in_block(case.program, case.bankroll, 5, [case.dice(5, session, rolls) for session in range(17)])
    except Impossible as refused:  # chips that no one has counted, or more money than anyone could
        assert_is_a_sentence(refused)
        return {"bankroll_needed": "needs a bankroll", "amount_too_large": "too much"}[refused.code]
    compare(case, 5, rolls, 2, 17)
    return "played"


@given(values())
def test_any_value_is_refused_or_played_as_a_table_plays_it(case: Case) -> None:
    event(outcome(case, 25))


def test_values_are_refused_and_played_often_enough() -> None:
    """The same strategies each time, so that the result does not depend on luck."""
    seen: Counter[str] = Counter()
    for number in range(150):
        rnd = Random(number)
        book = rnd.choice(BOOKS)
        case = made(rnd, book, rnd.choice(themes(book)))
        changer = Changer(rnd, SHELF.game(case.terms))
        seen[outcome(case._replace(strategy=changer.changed(case.strategy)), 12)] += 1
    assert seen["refused"] > 20
    assert seen["played"] > 40
