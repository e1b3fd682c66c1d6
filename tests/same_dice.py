"""One strategy on the same dice in every way: at a real table, in the general kernel, on its machine, by an engine.

What is compared is what a player would see: chips in hand, what stands and the result after every throw, why and when
the session ended, every bet made and every refusal with its clause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import isclose
from typing import Any, NamedTuple

import numpy as np

from croupier.rules.game import Terms
from croupier.sim.kernels import numbers as n
from croupier.sim.kernels.dice import throws
from croupier.sim.kernels.engine import Engine, Known, Worker, whole_counts
from croupier.sim.kernels.kernel import advance
from croupier.sim.kernels.product import Product
from croupier.sim.kernels.program import Program
from croupier.sim.kernels.tally import Tally
from croupier.sim.results import result_of
from croupier.sim.seated.player import Session, Turn
from croupier.sim.strategy import Spot, Strategy
from croupier.table.commands import Settings
from tests.tables import SHELF


class Case(NamedTuple):
    """A strategy at a table, and what the player brings: None is chips that never run out."""

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
    """What a player sees between two throws, in cents: `standing` are the stakes."""

    chips: int
    standing: dict[Spot, int]
    net: int


class Played(NamedTuple):
    """One session: what was seen before the first throw and after each, how it ended, what the table said."""

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

    @property
    def fall(self) -> int:
        """The deepest fall from the highest result so far."""
        peak, deepest = 0, 0
        for seen in self.seen:
            peak = max(peak, seen.net)
            deepest = max(deepest, peak - seen.net)
        return deepest


def at_table(case: Case, dice: Sequence[int], told: list[Turn]) -> Played:
    """At a real table, with the reference player; what happens turn by turn is added to what is told."""
    session = Session(SHELF, case.terms, case.settings, case.strategy, case.bankroll)
    first = len(told)
    told.extend(session.play(dice))
    turns = [Seen(turn.chips, turn.standing, turn.net) for turn in told[first:]]
    refused = Counter({tuple(refused): count for refused, count in session.refused.items()})
    return Played(turns, session.ended or "rolls", +session.made, refused)  # type: ignore[arg-type]


class Room:
    """A session of the general kernel: its state and money, and room for all that it counts."""

    def __init__(self, program: Program, bankroll: int | None) -> None:
        self.program = program
        numbers = self.program.numbers
        self.state = self.program.start.copy()
        self.money = np.zeros(n.MONEY, np.int64)
        self.money[[n.CASH, n.BANK]] = n.PLENTY if bankroll is None else bankroll
        self.counts = np.zeros(numbers[n.COUNTS_SIZE], np.int64)
        self.floats = self.program.floats()
        self.scratch = np.zeros((n.SCRATCH, numbers[n.SLOTS]), np.int64)

    def on(self, dice: Sequence[int], made: int, until: int, limit: int) -> int:
        """Play on; the rules before the first throw are carried out when nothing is thrown yet."""
        return advance(
            self.program.numbers, self.state, self.money, np.array(dice, np.uint16), 0, made, until, until == 0, limit,
            self.counts[:0], self.counts[:0], 1, self.counts, self.floats, self.scratch,
        )  # fmt: skip

    @property
    def ended(self) -> int:
        return int(self.state[self.program.numbers[n.P_MISC] + n.ENDED])

    @property
    def seen(self) -> Seen:
        return Seen(int(self.money[n.CASH]), standing(self.program, self.state), int(self.money[n.NET]))


def standing(program: Program, state: n.Ints) -> dict[Spot, int]:
    """What stands in a state of a session."""
    first = int(program.numbers[n.P_STAKES])
    return {spot: int(state[first + k]) for k, spot in enumerate(program.felt.spots) if state[first + k]}


def in_kernel(program: Program, bankroll: int | None, dice: Sequence[int]) -> Played:
    """In the general kernel, one throw at a time."""
    room = Room(program, bankroll)
    made, seen = room.on(dice, 0, 0, len(dice)), [room.seen]
    while made < len(dice) and room.ended == n.GOING:
        assert room.on(dice, made, made + 1, len(dice)) == made + 1
        made += 1
        seen.append(room.seen)
    return Played(seen, n.REASONS[room.ended], *said(room.program, room.counts.tolist()))


def said(program: Program, counts: Sequence[int]) -> tuple[Counter[int], Counter[tuple[int, str, str | None]]]:
    """Bets made by the number of the rule, and refusals, from what a kernel has counted."""
    made: Counter[int] = Counter()
    refused: Counter[tuple[int, str, str | None]] = Counter()
    numbers, kinds = program.numbers, len(program.refusals)
    for i, rule in enumerate(program.strategy.rules):
        made[rule.rule] += counts[numbers[n.COUNTS_MADE] + i]
        for k, refusal in enumerate(program.refusals):
            refused[rule.rule, refusal.code, refusal.clause] += counts[numbers[n.COUNTS_REFUSED] + i * kinds + k]
    return +made, +refused


def on_machine(machine: Product, dice: Sequence[int]) -> list[Seen]:
    """On the machine, look-up by look-up, where chips never run out and no result ends the session.

    It has the rules carried out after every throw, so what stands after the last one is not for comparison.
    """
    program = machine.program
    at, net, seen = machine.start // machine.outcomes, 0, []
    paid = int(program.numbers[n.P_COMMISSION])
    for outcome in [None, *dice]:
        if outcome is not None:
            if at >= machine.first_ended:
                break
            entry = at * machine.outcomes + outcome
            net += int(machine.results[entry])
            at = int(machine.targets[entry])
            assert machine.table[entry] == (int(machine.results[entry]) // machine.unit << 32) + at * machine.outcomes
        stands = standing(program, machine.states[at])
        commission = int(machine.states[at][paid : paid + len(program.felt.spots)].sum())
        seen.append(Seen(n.PLENTY + net - sum(stands.values()) - commission, stands, net))
    return seen


class Block(NamedTuple):
    """What an engine tells of a block of sessions."""

    engine: Engine
    known: Known
    tally: Tally

    @property
    def counts(self) -> list[int]:
        return whole_counts(self.engine, self.tally)[0]

    def told(self, spreads: bool) -> dict[str, Any]:
        """All that must come out the same in whatever way the sessions are played.

        Spreads count in units, which need not be the same: then the bins of one may be joined, and not of the other.
        """
        made, refused = said(self.engine.program, self.counts)
        return {
            "nets": self.known.nets.tolist(),
            "falls": self.known.falls.tolist(),
            "lengths": self.known.lengths.tolist(),
            "reasons": self.known.reasons.tolist(),
            "made": made,
            "refused": refused,
            "counts": self.counts,
            "net": self.tally.net,
            "fan": [sorted(spread) for spread in self.tally.fan] if spreads else None,
            "finals": sorted(self.tally.finals) if spreads else None,
            "ruined after": sorted(self.tally.ruined_after),
        }

    def check_sums(self) -> None:
        """What each wager brought adds up to what the sessions brought."""
        figures = result_of(
            self.engine, self.tally, strategy="", seed=0, seconds=1.0, pace=100.0, pay_table=None
        )  # fmt: skip
        assert sum(round(wager.net * 100) for wager in figures.wagers) == self.tally.net == int(self.known.nets.sum())


def in_block(
    program: Program, bankroll: int | None, seed: int, sessions: int, rolls: int, *, general: bool = False
) -> Block:
    """By an engine: on the machine where there is one, as long as the bankroll allows; or in the general kernel."""
    engine = Engine(program, rolls, bankroll, general)
    worker = Worker(engine)
    known = worker.block(seed, 0, sessions)
    return Block(engine, Known(known.first, *(part.copy() for part in known[1:])), worker.tally)


def added_up(played: Iterable[Played]) -> tuple[Counter[int], Counter[tuple[int, str, str | None]]]:
    """Bets made and refusals of several sessions."""
    made: Counter[int] = Counter()
    refused: Counter[tuple[int, str, str | None]] = Counter()
    for each in played:
        made.update(each.made)
        refused.update(each.refused)
    return made, refused


class Compared(NamedTuple):
    """What real tables showed, and whether there was a machine for the strategy."""

    played: list[Played]
    turns: list[Turn]
    block: Block


def compare(case: Case, seed: int, rolls: int, at_tables: int, sessions: int) -> Compared:
    """Play sessions in every way and compare them; the result is what the real tables showed.

    The first few are played at real tables, throw by throw; all of them in the general kernel, on the machine where
    there is one, and by engines with and without it.
    """
    dice = [case.dice(seed, session, rolls) for session in range(sessions)]
    turns: list[Turn] = []
    tables = [at_table(case, each, turns) for each in dice[:at_tables]]
    program, bankroll = case.program, case.bankroll
    kernels = [in_kernel(program, bankroll, each) for each in dice]
    for table, kernel in zip(tables, kernels, strict=False):
        assert kernel.seen == table.seen
        assert kernel == table
    blocks = [in_block(program, bankroll, seed, sessions, rolls, general=general) for general in (True, False)]
    for block in blocks:
        made, refused = added_up(kernels)
        known = block.known
        assert known.nets.tolist() == [played.net for played in kernels]
        assert known.lengths.tolist() == [played.rolls for played in kernels]
        assert [n.REASONS[reason] for reason in known.reasons] == [played.ended for played in kernels]
        assert known.falls.tolist() == [played.fall for played in kernels]
        assert said(block.engine.program, block.counts) == (made, refused)
        block.check_sums()
    same = blocks[0].engine.unit == blocks[1].engine.unit
    assert blocks[0].told(same) == blocks[1].told(same)
    squares = [whole_counts(block.engine, block.tally)[1] for block in blocks]
    assert all(isclose(one, other, rel_tol=1e-9, abs_tol=1e-6) for one, other in zip(*squares, strict=True))
    _compare_machine(case, blocks[1].engine.machine, dice, kernels)
    return Compared(tables, turns, blocks[1])


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
