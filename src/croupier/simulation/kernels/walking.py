"""Run many sessions: walks over a product machine, with the general kernel as a fallback.

`walk` is for strategies whose sessions all have the same length: sixteen at a time, four interleaved to hide memory
latency. `play` runs one session after another: on the machine while the bankroll allows what the machine does, and
after that, or from the start if there is no machine, in the general kernel.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int32, uint32, uint64
from numpy.typing import NDArray

from croupier.simulation.kernels.compiled import compiled, inlined, number, part
from croupier.simulation.kernels.dice import Throws, Words, next_part
from croupier.simulation.kernels.kernel import advance, leave, on_layout, restart
from croupier.simulation.kernels.layout import (
    FULL,
    GOING,
    Counts,
    Effect,
    Ints,
    Money,
    Records,
    Session,
    Tables,
    session_on,
)

LANES = 16
PART = 1024  # throws of a session drawn at once

Brought = NDArray[np.int32]


class Task:
    """The sessions to play, and what is the same for all of them."""

    seed: int
    first: int  # number of the first session
    sessions: int
    place: int  # index of the first session's results
    rolls: int  # throws per session
    outcomes: int
    per_word: int  # throws per random word
    bankroll: int
    ceiling: int
    unit: int  # results are counted in this many cents


class Machine:
    """Values of a product machine. Without one, the general kernel plays everything."""

    exists: bool
    start: int  # entry
    first_ended: int  # the first state that is the end of a session
    unit: int  # its results are in this many cents
    win_at: int  # the result at which the player leaves


class MachineTables(NamedTuple):
    """A product machine as `play` reads it, and counts of what was done on it."""

    machine: Machine
    table: Ints
    needs: Ints  # the lowest result at which each entry is valid
    reasons: Ints  # by state: why the session is over, or GOING
    states: Ints
    visits: Ints  # by entry: throws made, and those that were the last of a session
    lasts: Ints
    ends: Ints  # by state: sessions that ended in it


class Results(NamedTuple):
    """Results of each session of a block, in counting units; `snaps` are those at the marks."""

    nets: Ints
    drawdowns: Ints
    lengths: Ints
    reasons: Ints
    snaps: Ints


@part
def _four(
    table: Ints, visits: Ints, b0: Throws, b1: Throws, b2: Throws, b3: Throws, count: int, lane: int, at: Ints,
    brought: Brought,
) -> None:  # fmt: skip
    """Make `count` throws of four sessions at once: positions go in `at`, net results in `brought`."""
    j = uint64(lane)
    s0, s1, s2, s3 = uint64(at[j]), uint64(at[j + 1]), uint64(at[j + 2]), uint64(at[j + 3])
    for r in range(uint64(count)):
        e0, e1, e2, e3 = s0 + uint64(b0[r]), s1 + uint64(b1[r]), s2 + uint64(b2[r]), s3 + uint64(b3[r])
        visits[e0] += 1
        visits[e1] += 1
        visits[e2] += 1
        visits[e3] += 1
        w0, w1, w2, w3 = table[e0], table[e1], table[e2], table[e3]
        brought[r, j] = int32(w0 >> 32)
        brought[r, j + uint64(1)] = int32(w1 >> 32)
        brought[r, j + uint64(2)] = int32(w2 >> 32)
        brought[r, j + uint64(3)] = int32(w3 >> 32)
        s0, s1, s2, s3 = uint64(uint32(w0)), uint64(uint32(w1)), uint64(uint32(w2)), uint64(uint32(w3))
    at[j], at[j + 1], at[j + 2], at[j + 3] = s0, s1, s2, s3


@part
def _add_up(brought: Brought, first: int, last: int, nets: Ints, peaks: Ints, falls: Ints) -> None:
    """Add the throws' results to sixteen sessions: net result, peak, and maximum drawdown.

    The inner loop runs over the length of an array, not a constant, so that the compiler vectorises it and does not
    unroll.
    """
    for r in range(uint64(first), uint64(last)):
        row = brought[r]
        for lane in range(nets.shape[0]):
            net = nets[lane] + row[lane]
            peak = max(peaks[lane], net)
            nets[lane] = net
            peaks[lane] = peak
            falls[lane] = max(falls[lane], peak - net)


@compiled
def walk(
    task: Task, m: MachineTables, marks: Ints, results: Results, throws: Throws, words: Words, brought: Brought,
    lanes: Ints,
) -> None:  # fmt: skip
    """Play sessions sixteen at a time, all of the same length, with chips that never run out.

    The last throw of each is counted separately, in `lasts`: no rule applies after it. Results are in units.
    """
    rolls, ways, per_word, seed = task.rolls, task.outcomes, task.per_word, task.seed
    at, have, block, nets, peaks, falls = lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5]
    for group in range(0, task.sessions, LANES):
        lanes[:] = 0
        at[:] = m.machine.start
        done, used, mark = 0, number(0), 0
        while done < rolls:
            count = min(PART, rolls - done)
            for lane in range(LANES):
                have[lane], block[lane] = next_part(
                    throws[lane], words, used, have[lane], count, seed, task.first + group + lane, block[lane], ways,
                    per_word,
                )  # fmt: skip
            is_last = done + count == rolls
            before = count - 1 if is_last else count
            for lane in range(0, LANES, 4):
                b0, b1, b2, b3 = throws[lane], throws[lane + 1], throws[lane + 2], throws[lane + 3]
                _four(m.table, m.visits, b0, b1, b2, b3, before, lane, at, brought)
                if is_last:
                    _four(
                        m.table, m.lasts, b0[before:], b1[before:], b2[before:], b3[before:], 1, lane, at,
                        brought[before:],
                    )  # fmt: skip
            row = 0
            while mark < len(marks) and marks[mark] <= done + count:
                _add_up(brought, row, marks[mark] - done, nets, peaks, falls)
                row = marks[mark] - done
                for lane in range(LANES):
                    results.snaps[mark, group + lane] = nets[lane]
                mark += 1
            _add_up(brought, row, count, nets, peaks, falls)
            done += count
            used = count
        for lane in range(LANES):
            results.nets[group + lane] = nets[lane]
            results.drawdowns[group + lane] = falls[lane]
            results.lengths[group + lane] = rolls
            results.reasons[group + lane] = GOING


@part
def _is_full(counts: Counts) -> bool:
    """Whether any count must be flushed before more is added."""
    full = False
    for i in range(len(counts.numbers)):
        full = full or counts.numbers[i] > FULL
    return full


@part
def _copy(to: Ints, source: Ints) -> None:
    for i in range(len(to)):
        to[i] = source[i]


@inlined
def _go_on(
    t: Tables, s: Session, task: Task, marks: Ints, noted: Ints, throws: Throws, words: Words, session: int,
    block: int, have: int, first: int, made: int, acts: bool, counts: Counts,
) -> int:  # fmt: skip
    """Play the rest of a session in the general kernel, part by part; return its total number of throws."""
    rolls = task.rolls
    while True:
        until = min(first + PART, rolls)
        made = advance(t, s, throws, first, made, until, acts, rolls, marks, noted, number(1), counts)
        acts = False
        if made >= rolls or s.progress.ended != GOING:
            return made
        have, block = next_part(
            throws, words, number(PART), have, min(PART, rolls - made), task.seed, session, block, task.outcomes,
            task.per_word,
        )  # fmt: skip
        first = made


@part
def _note(
    s: Session, made: int, unit: int, marks: Ints, first_mark: int, noted: Ints, place: int, results: Results
) -> None:
    """Store the results of a session that the general kernel ended."""
    results.nets[place] = s.money.net // unit
    results.drawdowns[place] = s.money.drawdown // unit
    results.lengths[place] = made
    results.reasons[place] = s.progress.ended
    for mark in range(first_mark, len(marks)):
        results.snaps[mark, place] = results.nets[place] if marks[mark] > made else noted[mark] // unit


@compiled
def play(
    t: Tables, task: Task, m: MachineTables, marks: Ints, results: Results, noted: Ints, throws: Throws, words: Words,
    state: Ints, money: Money, effects: Records[Effect], counts: Counts,
) -> int:  # fmt: skip
    """Play session after session to the end. Without a machine the general kernel plays all.

    Return how many were played: all of them, unless the counts must be flushed first. The first row of `state` is the
    initial state of every session. Results of the machine are in its units; stored results, also those at the marks,
    are in counting units.
    """
    rolls, ways, per_word, seed = task.rolls, task.outcomes, task.per_word, task.seed
    machine, table, needs = m.machine, m.table, m.needs
    unit, win_at = machine.unit, machine.win_at
    scale = unit // task.unit
    last_going = uint64(machine.first_ended * ways)
    s = session_on(t, state[1], money, effects)
    for i in range(task.sessions):
        session, place = task.first + i, task.place + i
        have, block = next_part(
            throws, words, number(0), number(0), min(PART, rolls), seed, session, number(0), ways, per_word
        )
        # Throws made, marks passed, number of the first throw in the buffer
        made, mark, first = number(0), number(0), number(0)
        here, net, peak, fall = uint64(machine.start), 0, 0, 0
        on_machine = machine.exists
        reason = GOING
        if on_machine and here >= last_going:
            reason = m.reasons[machine.start // ways]
        while on_machine and made < rolls and reason == GOING:
            if made - first == PART:
                have, block = next_part(
                    throws, words, number(PART), have, min(PART, rolls - made), seed, session, block, ways, per_word
                )
                first = made
            entry = here + uint64(throws[made - first])
            word = table[entry]
            after = net + (word >> 32)
            if after < needs[entry] or after >= win_at:
                on_machine = False
                break
            made += 1
            net = after
            if net > peak:
                peak = net
            elif peak - net > fall:
                fall = peak - net
            if mark < len(marks) and marks[mark] == made:
                results.snaps[mark, place] = net * scale
                mark += 1
            here = uint64(uint32(word))
            if here >= last_going:
                reason = m.reasons[here // uint64(ways)]
            if made < rolls:
                m.visits[entry] += 1
            else:
                m.lasts[entry] += 1
        if on_machine:
            if reason != GOING and made < rolls:
                m.ends[here // uint64(ways)] += 1
            results.nets[place], results.drawdowns[place] = net * scale, fall * scale
            results.lengths[place], results.reasons[place] = made, reason
            for later in range(mark, len(marks)):
                results.snaps[later, place] = net * scale
            continue
        acts = not machine.exists
        _copy(state[1], state[0] if acts else m.states[here // uint64(ways)])
        restart(money, task.bankroll, task.ceiling)
        money.net, money.peak, money.drawdown = net * unit, peak * unit, fall * unit
        money.cash += net * unit - on_layout(s)
        made = _go_on(t, s, task, marks, noted, throws, words, session, block, have, first, made, acts, counts)
        leave(s, number(1), counts)
        _note(s, made, task.unit, marks, mark, noted, place, results)
        if _is_full(counts):
            return i + 1
    return task.sessions


@compiled
def play_given(
    t: Tables, task: Task, given: Throws, marks: Ints, results: Results, noted: Ints, state: Ints, money: Money,
    effects: Records[Effect], counts: Counts,
) -> int:  # fmt: skip
    """Play session after session in the general kernel, each on a row of `given`; return how many were played."""
    rolls, s = number(given.shape[1]), session_on(t, state[1], money, effects)
    for i in range(task.sessions):
        _copy(state[1], state[0])
        restart(money, task.bankroll, task.ceiling)
        made = advance(
            t, s, given[task.first + i], number(0), number(0), rolls, number(1) != 0, rolls, marks, noted, number(1),
            counts,
        )  # fmt: skip
        leave(s, number(1), counts)
        _note(s, made, task.unit, marks, number(0), noted, task.place + i, results)
        if _is_full(counts):
            return i + 1
    return task.sessions
