"""One strategy on the same dice in every way: at a real table, in the general kernel, on its machine, by engines.

The comparison covers what a player would see: chips in hand, open bets and the result after every throw, why and when
the session ended, every bet made and every refusal with its clause. `in_kernel` runs the general kernel throw by throw,
so that chips and stakes are compared to the cent after each one. Engines show less: for every compiled walk (`walk`,
`play` with a machine, `play` without one, `play_given`) the result after every single throw is compared, and the sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from math import isclose
from typing import Any, Literal, NamedTuple

import numpy as np

from croupier.rules.game import Terms
from croupier.simulation.kernels import layout as n
from croupier.simulation.kernels.compiled import compiled, number
from croupier.simulation.kernels.dice import Throws, throws
from croupier.simulation.kernels.engine import Engine, Known, Worker, whole_counts
from croupier.simulation.kernels.kernel import advance
from croupier.simulation.kernels.product import Product
from croupier.simulation.kernels.program import Program
from croupier.simulation.reference.player import Session, Turn
from croupier.simulation.reference.player_memory import Course
from croupier.simulation.reference.player_memory import Tally as Brought
from croupier.simulation.results import Result, result_of
from croupier.simulation.strategy import PLENTY, Bet, FromProgression, Move, Progression, Rule, Spot, Strategy
from croupier.table.commands import Settings
from tests.tables import SHELF


class Case(NamedTuple):
    """A strategy at a table, and the player's bankroll: None means chips that never run out."""

    terms: Terms
    settings: Settings
    strategy: Strategy
    bankroll: int | None

    @property
    def program(self) -> Program:
        return Program(SHELF.game(self.terms), self.settings, self.strategy)

    def dice(self, seed: int, session: int, rolls: int) -> list[int]:
        """The dice of a session, as the kernels throw them."""
        return [int(throw) for throw in throws(seed, session, rolls, len(SHELF.game(self.terms).book.outcomes))]


class Seen(NamedTuple):
    """What a player sees between two throws, in cents: `standing` are the stakes on the layout."""

    chips: int
    standing: dict[Spot, int]
    net: int


class Played(NamedTuple):
    """One session: what was seen before the first throw and after each throw, how it ended, what the table said."""

    seen: list[Seen]
    ended: str
    made: Counter[int]
    refused: Counter[tuple[int, str, str | None]]

    @property
    def rolls(self) -> int:
        return len(self.seen) - 1

    @property
    def net(self) -> int:
        return self.seen[-1].net

    def nets(self, rolls: int) -> list[int]:
        """The result after each of this many throws; once the session is over it stays the same."""
        return [self.seen[min(roll, self.rolls)].net for roll in range(1, rolls + 1)]

    @property
    def fall(self) -> int:
        """The maximum drawdown from the highest result so far."""
        peak, deepest = 0, 0
        for seen in self.seen:
            peak = max(peak, seen.net)
            deepest = max(deepest, peak - seen.net)
        return deepest


class Witness:
    """Records more of the sessions at real tables than a player sees: every turn, and what was noted on the way.

    `done` are the rules, by position, that the table accepted at least once.
    """

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.noted: set[str] = set()
        self.done: set[int] = set()


class WatchedCourse(Course):
    """A progression that notes its moves, if they change its stage or are meant not to."""

    def __init__(self, progression: Progression) -> None:
        self.moves: set[str] = set()
        super().__init__(progression)

    def begin(self) -> None:
        super().begin()
        kinds = self.progression.win.kind, self.progression.loss.kind
        if "first" not in kinds and self.moves - {"moved by stay"}:
            self.moves.add("began anew with a shooter")

    def add(self, brought: Brought) -> None:
        super().add(brought)
        if brought.lost > 1 or brought.won > 1:
            self.moves.add(f"moved by several {'wins' if brought.won > 1 else 'losses'} of one throw")
        if brought.lost and brought.won:
            self.moves.add("moved by a loss and a win of one throw")

    def _move(self, move: Move) -> None:
        before = self.cents
        super()._move(move)
        known = move is self.progression.win or move is self.progression.loss
        kind = move.kind if known else "add_won"  # a share of what was won is made an amount for each throw
        if self.cents != before or kind == "stay":
            self.moves.add(f"moved by {kind}")
        if self.cents != before and not self.progression.steps:
            bounds = {self.progression.least: "moved to its least", self.progression.most: "moved to its most"}
            self.moves |= {bounds[self.cents]} if self.cents in bounds else set()

    def _next(self) -> None:
        last = len(self.progression.steps) - 1
        if self.step == last > 0:
            self.moves.add(f"on its last step, then {self.progression.at_end}")
        super()._next()


class Watched(Session):
    """A session at a real table that notes what was done, how the player left, and the moves of those progressions that
    were staked from afterwards.

    It only observes: the session itself does everything.
    """

    def __init__(self, case: Case, witness: Witness) -> None:
        super().__init__(SHELF, case.terms, case.settings, case.strategy, case.bankroll)
        self.done = witness.done
        self.noted = witness.noted
        self._courses = [WatchedCourse(progression) for progression in case.strategy.progressions]
        self.memory.courses = list(self._courses)

    @property
    def stays(self) -> bool:
        """Whether the player was given no reason to leave."""
        return self._leaving is None

    def _act(self, place: int, rule: Rule) -> None:
        before = self.made.total()
        super()._act(place, rule)
        if self.made.total() > before:
            self.done.add(place)
            if isinstance(rule, Bet) and isinstance(rule.stake, FromProgression):
                self.noted |= self._courses[rule.stake.progression].moves

    def _go(self) -> None:
        stood = len(self.hand.standing)
        super()._go()
        how = "when decided" if self._stop.when_decided else "at once"
        if self.hand.standing:
            self.noted |= {f"waited {how}", f"waited {how}: {self._leaving}"}
        if len(self.hand.standing) < stood:
            self.noted.add("taken down when leaving")
        if self.ended == "ruined":
            self.noted.add("ruined when leaving")
        elif self.ended is not None:
            self.noted.add(f"left {how}: {self._leaving}")


def at_table(case: Case, dice: Sequence[int], witness: Witness) -> Played:
    """Play at a real table, with the reference player; the witness learns what happens turn by turn."""
    session = Watched(case, witness)
    turns = list(session.play(dice))
    witness.turns += turns
    if session.ended == "ruined" and session.rolls == len(dice) and session.stays:
        witness.noted.add("ruined after the last throw")  # after which no rule is carried out
    seen = [Seen(turn.chips, turn.standing, turn.net) for turn in turns]
    refused = Counter({tuple(refused): count for refused, count in session.refused.items()})
    return Played(seen, session.ended or "rolls", +session.made, refused)  # type: ignore[arg-type]


class Room:
    """A session of the general kernel: its state and money, and memory for all its counts."""

    def __init__(self, program: Program, bankroll: int | None) -> None:
        self.program = program
        self.state = self.program.start.copy()
        self.money = n.blank(n.Money)
        self.money.cash = self.money.bankroll = PLENTY if bankroll is None else bankroll
        self.money.ceiling = n.UNBOUNDED
        self.counts = self.program.no_counts()
        self.effects = self.program.no_effects()
        self.session = n.session_of(self.program.tables, self.state, self.money, self.effects)

    def on(self, dice: Sequence[int], made: int, until: int, limit: int) -> int:
        """Play on; if nothing has been thrown yet, the rules before the first throw are applied first."""
        return step(
            self.program.tables, self.state, self.money, self.effects, np.array(dice, np.uint16), made, until,
            until == 0, limit, self.counts,
        )  # fmt: skip

    @property
    def ended(self) -> int:
        return int(self.session.progress.ended)

    @property
    def seen(self) -> Seen:
        return Seen(int(self.money.cash), standing(self.program, self.session), int(self.money.net))


@compiled
def step(
    t: n.Tables, row: n.Ints, money: n.Money, effects: n.Records[n.Effect], throws: Throws, made: int, until: int,
    acts: bool, limit: int, counts: n.Counts,
) -> int:  # fmt: skip
    """Play on from a given state, as the kernels do."""
    session, none = n.session_on(t, row, money, effects), counts.made[:0]
    return advance(t, session, throws, number(0), made, until, acts, limit, none, none, number(1), counts)


def standing(program: Program, session: n.Session) -> dict[Spot, int]:
    """The wagers on the layout in a state of a session."""
    return {spot: int(stake) for spot, stake in zip(program.felt.spots, session.stakes, strict=True) if stake}


def in_kernel(program: Program, bankroll: int | None, dice: Sequence[int]) -> Played:
    """Play in the general kernel, one throw at a time."""
    room = Room(program, bankroll)
    made, seen = room.on(dice, 0, 0, len(dice)), [room.seen]
    while made < len(dice) and room.ended == n.GOING:
        assert room.on(dice, made, made + 1, len(dice)) == made + 1
        made += 1
        seen.append(room.seen)
    return Played(seen, n.REASONS[room.ended], *said(room.program, room.counts.numbers.tolist()))


def said(program: Program, counts: Sequence[int]) -> tuple[Counter[int], Counter[tuple[int, str, str | None]]]:
    """Bets made, by the number of the rule, and refusals, from a kernel's counts."""
    made: Counter[int] = Counter()
    refused: Counter[tuple[int, str, str | None]] = Counter()
    totals = program.totals(counts)
    for rule, made_by_it, refused_to_it in zip(program.strategy.rules, totals.made, totals.refused, strict=True):
        made[rule.rule] += made_by_it
        for refusal, count in zip(program.refusals, refused_to_it, strict=True):
            refused[rule.rule, refusal.code, refusal.clause] += count
    return +made, +refused


def on_machine(machine: Product, dice: Sequence[int]) -> list[Seen]:
    """Play on the machine, look-up by look-up, with unlimited chips and no result that ends the session.

    The machine applies the rules after every throw, so the bets after the last one are not comparable.
    """
    program = machine.program
    at, net, seen = machine.start // machine.outcomes, 0, []
    for outcome in [None, *dice]:
        if outcome is not None:
            if at >= machine.first_ended:
                break
            entry = at * machine.outcomes + outcome
            net += int(machine.results[entry])
            at = int(machine.targets[entry])
            assert machine.table[entry] == (int(machine.results[entry]) // machine.unit << 32) + at * machine.outcomes
        session = n.session_of(program.tables, machine.states[at], n.blank(n.Money), program.no_effects())
        stands, commission = standing(program, session), int(session.paid.sum())
        seen.append(Seen(PLENTY + net - sum(stands.values()) - commission, stands, net))
    return seen


Way = Literal["given", "general", "machine"]
WAYS: tuple[Way, ...] = ("given", "general", "machine")


class Block:
    """What an engine returns for a block of sessions, and their results after every throw, in cents."""

    def __init__(self, engine: Engine, worker: Worker, seed: int, sessions: int) -> None:
        self.engine = engine
        known = worker.block(seed, 0, sessions)
        self.known = Known(known.first, *(part.copy() for part in known[1:]))
        self.tally = worker.tally
        self.nets: list[list[int]] = (worker._results.snaps[:, :sessions].T * engine.unit).tolist()

    @cached_property
    def whole(self) -> tuple[list[int], list[Fraction]]:
        """All counts, and the sums of squares."""
        return whole_counts(self.engine, self.tally)

    @property
    def counts(self) -> list[int]:
        return self.whole[0]

    def told(self, spreads: bool) -> dict[str, Any]:
        """Everything that must be the same however the sessions are played.

        Distributions count in units, which may differ: then the bins of one may be merged, and those of the other not.
        """
        return {
            "counts": self.counts,
            "net": self.tally.net,
            "net squares": self.tally.net_squares,
            "nets after each throw": self.tally.fan_nets,
            "best and worst": (self.tally.best, self.tally.worst),
            "finals": sorted(self.tally.finals) if spreads else None,
            "falls": sorted(self.tally.falls) if spreads else None,
            "ruined after": sorted(self.tally.ruined_after),
        }

    def check_sums(self) -> None:
        """The results of all wagers add up to the results of the sessions."""
        figures = result_of(
            self.engine, self.tally, strategy="", seed=0, seconds=1.0, pace=100.0, pay_table=None
        )  # fmt: skip
        assert sum(round(wager.net * 100) for wager in figures.wagers) == self.tally.net == int(self.known.nets.sum())


def in_block(
    program: Program, bankroll: int | None, seed: int, dice: Sequence[Sequence[int]], way: Way = "machine"
) -> Block:
    """Play with an engine: on the machine if there is one, as long as the bankroll lasts; in the general kernel; or
    there with the dice given as throws."""
    sessions, rolls = len(dice), len(dice[0])
    engine = Engine(program, rolls, bankroll, general=way != "machine")
    engine.marks = np.arange(1, rolls + 1)
    return Block(engine, Worker(engine, np.array(dice, np.uint16) if way == "given" else None), seed, sessions)


def added_up(played: Iterable[Played]) -> tuple[Counter[int], Counter[tuple[int, str, str | None]]]:
    """Bets made and refusals of several sessions."""
    made: Counter[int] = Counter()
    refused: Counter[tuple[int, str, str | None]] = Counter()
    for each in played:
        made.update(each.made)
        refused.update(each.refused)
    return made, refused


class Compared(NamedTuple):
    """What real tables showed, what was noted there, and what the engine that may use a machine returned."""

    played: list[Played]
    witness: Witness
    block: Block


def compare(
    case: Case, seed: int, rolls: int, at_tables: int, sessions: int, program: Program | None = None
) -> Compared:
    """Play sessions in every way and compare them; return what the real tables showed.

    The first few are played at real tables, throw by throw; all of them in the general kernel, on the machine if there
    is one, and by engines with and without it. An engine's account of a session is compared with the table that played
    it, or with the general kernel if none did. A program compiled for the case before may be passed in.
    """
    dice = [case.dice(seed, session, rolls) for session in range(sessions)]
    witness = Witness()
    tables = [at_table(case, each, witness) for each in dice[:at_tables]]
    program, bankroll = program or case.program, case.bankroll
    kernels = [in_kernel(program, bankroll, each) for each in dice]
    for table, kernel in zip(tables, kernels, strict=False):
        assert kernel.seen == table.seen
        assert kernel == table
    blocks = [in_block(program, bankroll, seed, dice, way) for way in WAYS]
    played = [*tables, *kernels[at_tables:]]
    nets = [each.nets(rolls) for each in played]
    for block in blocks:
        assert block.nets == nets
        _compare_block(block, played)
    for block in blocks[1:]:
        same = block.engine.unit == blocks[0].engine.unit
        assert block.told(same) == blocks[0].told(same)
        squares = zip(block.whole[1], blocks[0].whole[1], strict=True)
        assert all(isclose(one, other, rel_tol=1e-9, abs_tol=1e-6) for one, other in squares)
    blocks[-1].check_sums()
    _compare_machine(case, blocks[-1].engine.machine, dice, kernels)
    return Compared(tables, witness, blocks[-1])


def _compare_block(block: Block, played: Sequence[Played]) -> None:
    """Compare what an engine returns with the sessions themselves."""
    known = block.known
    assert known.nets.tolist() == [each.net for each in played]
    assert known.lengths.tolist() == [each.rolls for each in played]
    assert [n.REASONS[reason] for reason in known.reasons] == [each.ended for each in played]
    assert known.falls.tolist() == [each.fall for each in played]
    assert block.tally.won == sum(each.net > 0 for each in played)
    assert block.tally.level == sum(each.net == 0 for each in played)
    assert said(block.engine.program, block.counts) == added_up(played)


def _compare_machine(
    case: Case, machine: Product | None, dice: Sequence[Sequence[int]], kernels: Sequence[Played]
) -> None:
    stop = case.strategy.stop
    if machine is None or case.bankroll is not None or stop.win is not None or stop.loss is not None:
        return
    for each, played in zip(dice, kernels, strict=True):
        seen = on_machine(machine, each)
        assert seen[:-1] == played.seen[:-1]
        assert seen[-1].net == played.net


def realised_over_all_throws(program: Program, bankroll: int | None, most: int) -> Result:
    """Play every sequence of a few throws once, in no more sessions than that: every wager realises exactly its worth,
    whatever the strategy does with it.

    A wager that is taken down or still open counts at its worth: each throw preserves the worth on average, and here
    the average covers all throws.
    """
    outcomes = len(program.game.book.outcomes)
    rolls = max(rolls for rolls in range(1, 9) if outcomes**rolls < most)
    dice = np.indices((outcomes,) * rolls, np.uint16).reshape(rolls, -1).T.copy()
    engine = Engine(program, rolls, bankroll, general=True)
    worker = Worker(engine, dice)
    for first in range(0, len(dice), engine.block_size):
        worker.block(0, first, min(engine.block_size, len(dice) - first))
    found = result_of(engine, worker.tally, strategy="", seed=0, seconds=1.0, pace=100.0, pay_table=None)
    assert found.sessions == outcomes**rolls
    assert found.edge == found.exact_edge
    assert [wager.edge for wager in found.wagers] == [wager.exact_edge for wager in found.wagers]
    return found
