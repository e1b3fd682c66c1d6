"""Run many sessions: walks over a product machine, with the general kernel as a fallback.

`walk` is for strategies whose sessions all have the same length: sixteen at a time, four interleaved to hide memory
latency. `play` runs one session after another: on the machine while the bankroll allows what the machine does, and
after that, or from the start if there is no machine, in the general kernel.
"""

from __future__ import annotations

import numpy as np
from numba import int32, uint32, uint64
from numpy.typing import NDArray

from croupier.simulation.kernels import numbers as n
from croupier.simulation.kernels.compiled import compiled, number, part
from croupier.simulation.kernels.dice import Throws, Words, next_part
from croupier.simulation.kernels.kernel import advance, leave, standing_on
from croupier.simulation.kernels.numbers import Floats, Ints

LANES = 16
PART = 1024  # throws of a session drawn at once

# Parameters of `play` and `walk`, in one array
SEED, FIRST, SESSIONS, THROWS, WAYS, PER_WORD, START = range(7)
UNIT_OF, FIRST_ENDED, BANKROLL, WIN_AT, COUNTED_IN, PLACE, CEILING, TOLD = range(7, 15)

# Results of each session, in one table
FINAL, FALL, LENGTH, REASON, OF_SESSION = range(5)

Brought = NDArray[np.int32]


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
    told: Ints, table: Ints, marks: Ints, visits: Ints, lasts: Ints, known: Ints, snaps: Ints, throws: Throws,
    words: Words, brought: Brought, lanes: Ints,
) -> None:  # fmt: skip
    """Play sessions sixteen at a time, all of the same length, with chips that never run out.

    The last throw of each is counted separately, in `lasts`: no rule applies after it. Results are in units.
    """
    rolls, ways, per_word, seed = told[THROWS], told[WAYS], told[PER_WORD], told[SEED]
    at, have, block, nets, peaks, falls = lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5]
    for group in range(0, told[SESSIONS], LANES):
        lanes[:] = 0
        at[:] = told[START]
        done, used, mark = 0, number(0), 0
        while done < rolls:
            count = min(PART, rolls - done)
            for lane in range(LANES):
                have[lane], block[lane] = next_part(
                    throws[lane], words, used, have[lane], count, seed, told[FIRST] + group + lane, block[lane], ways,
                    per_word,
                )  # fmt: skip
            is_last = done + count == rolls
            before = count - 1 if is_last else count
            for lane in range(0, LANES, 4):
                b0, b1, b2, b3 = throws[lane], throws[lane + 1], throws[lane + 2], throws[lane + 3]
                _four(table, visits, b0, b1, b2, b3, before, lane, at, brought)
                if is_last:
                    _four(
                        table, lasts, b0[before:], b1[before:], b2[before:], b3[before:], 1, lane, at, brought[before:]
                    )
            row = 0
            while mark < marks.shape[0] and marks[mark] <= done + count:
                _add_up(brought, row, marks[mark] - done, nets, peaks, falls)
                row = marks[mark] - done
                for lane in range(LANES):
                    snaps[mark, group + lane] = nets[lane]
                mark += 1
            _add_up(brought, row, count, nets, peaks, falls)
            done += count
            used = count
        for lane in range(LANES):
            known[FINAL, group + lane] = nets[lane]
            known[FALL, group + lane] = falls[lane]


@part
def _is_full(counts: Ints) -> bool:
    """Whether any count must be flushed before more is added."""
    full = False
    for i in range(counts.shape[0]):
        full = full or counts[i] > n.FULL
    return full


@part
def _copy(to: Ints, source: Ints) -> None:
    for i in range(to.shape[0]):
        to[i] = source[i]


@part
def _go_on(
    t: Ints, told: Ints, marks: Ints, noted: Ints, throws: Throws, words: Words, s: Ints, money: Ints, counts: Ints,
    floats: Floats, scratch: Ints, session: int, block: int, have: int, first: int, made: int, acts: bool,
) -> int:  # fmt: skip
    """Play the rest of a session in the general kernel, part by part; return its total number of throws."""
    rolls = told[THROWS]
    while True:
        until = min(first + PART, rolls)
        made = advance(
            t, s, money, throws, first, made, until, acts, rolls, marks, noted, number(1), counts, floats, scratch
        )
        acts = False
        if made >= rolls or s[t[n.P_MISC] + n.ENDED] != n.GOING:
            return made
        have, block = next_part(
            throws, words, number(PART), have, min(PART, rolls - made), told[SEED], session, block, told[WAYS],
            told[PER_WORD],
        )  # fmt: skip
        first = made


@part
def _note(
    t: Ints, s: Ints, money: Ints, made: int, counted: int, marks: Ints, first_mark: int, noted: Ints, place: int,
    known: Ints, snaps: Ints,
) -> None:  # fmt: skip
    """Store the results of a session that the general kernel ended, in counting units."""
    known[FINAL, place] = money[n.NET] // counted
    known[FALL, place] = money[n.DEEPEST] // counted
    known[LENGTH, place] = made
    known[REASON, place] = s[t[n.P_MISC] + n.ENDED]
    for m in range(first_mark, marks.shape[0]):
        snaps[m, place] = known[FINAL, place] if marks[m] > made else noted[m] // counted


@compiled
def play(
    t: Ints, told: Ints, table: Ints, needs: Ints, states: Ints, marks: Ints, visits: Ints, lasts: Ints, ends: Ints,
    known: Ints, snaps: Ints, noted: Ints, throws: Throws, words: Words, state: Ints, money: Ints, counts: Ints,
    floats: Floats, scratch: Ints,
) -> int:  # fmt: skip
    """Play session after session to the end. Without a machine (`table` is empty) the general kernel plays all.

    Return how many were played: all of them, unless the counts must be flushed first. The first row of `state` is the
    initial state of every session. Results of the machine are in its units; stored results, also those at the marks,
    are in counting units.
    """
    rolls, ways, per_word, seed = told[THROWS], told[WAYS], told[PER_WORD], told[SEED]
    unit, bankroll, win_at, counted = told[UNIT_OF], told[BANKROLL], told[WIN_AT], told[COUNTED_IN]
    scale = unit // counted
    last_going = uint64(told[FIRST_ENDED] * ways)
    s = state[1]
    for i in range(told[SESSIONS]):
        session, place = told[FIRST] + i, told[PLACE] + i
        have, block = next_part(
            throws, words, number(0), number(0), min(PART, rolls), seed, session, number(0), ways, per_word
        )
        # Throws made, marks passed, number of the first throw in the buffer
        made, mark, first = number(0), 0, number(0)
        here, net, peak, fall = uint64(told[START]), 0, 0, 0
        on_machine = table.shape[0] > 0
        reason = n.GOING
        if on_machine and here >= last_going:
            reason = states[told[START] // ways, t[n.P_MISC] + n.ENDED]
        while on_machine and made < rolls and reason == n.GOING:
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
            if mark < marks.shape[0] and marks[mark] == made:
                snaps[mark, place] = net * scale
                mark += 1
            here = uint64(uint32(word))
            if here >= last_going:
                reason = states[here // uint64(ways), t[n.P_MISC] + n.ENDED]
            if made < rolls:
                visits[entry] += 1
            else:
                lasts[entry] += 1
        if on_machine:
            if reason != n.GOING and made < rolls:
                ends[here // uint64(ways)] += 1
        else:
            money[n.BANK] = bankroll
            money[n.CEILING] = told[CEILING]
            money[n.NET] = net * unit
            money[n.PEAK] = peak * unit
            money[n.DEEPEST] = fall * unit
            acts = table.shape[0] == 0
            _copy(s, state[0] if acts else states[here // uint64(ways)])
            money[n.CASH] = bankroll + net * unit - standing_on(t, s)
            made = _go_on(
                t, told, marks, noted, throws, words, s, money, counts, floats, scratch, session, block, have, first,
                made, acts,
            )  # fmt: skip
            leave(t, s, 1, counts)
        if on_machine:
            known[FINAL, place], known[FALL, place] = net * scale, fall * scale
            known[LENGTH, place], known[REASON, place] = made, reason
            for m in range(mark, marks.shape[0]):
                snaps[m, place] = known[FINAL, place]
        else:
            _note(t, s, money, made, counted, marks, mark, noted, place, known, snaps)
            if _is_full(counts):
                return i + 1
    return told[SESSIONS]


@compiled
def play_given(
    t: Ints, told: Ints, given: Throws, marks: Ints, known: Ints, snaps: Ints, noted: Ints, state: Ints, money: Ints,
    counts: Ints, floats: Floats, scratch: Ints,
) -> int:  # fmt: skip
    """Play session after session in the general kernel, each on a row of `given`; return how many were played."""
    rolls, s = number(given.shape[1]), state[1]
    for i in range(told[SESSIONS]):
        _copy(s, state[0])
        money[:] = 0
        money[n.CASH] = money[n.BANK] = told[BANKROLL]
        money[n.CEILING] = told[CEILING]
        made = advance(
            t, s, money, given[told[FIRST] + i], number(0), number(0), rolls, number(1) != 0, rolls, marks, noted,
            number(1), counts, floats, scratch,
        )  # fmt: skip
        leave(t, s, 1, counts)
        _note(t, s, money, made, told[COUNTED_IN], marks, 0, noted, told[PLACE] + i, known, snaps)
        if _is_full(counts):
            return i + 1
    return told[SESSIONS]


@compiled
def recount(
    t: Ints, states: Ints, times: Ints, rules: bool, throws: Throws, state: Ints, money: Ints, counts: Ints,
    floats: Floats, scratch: Ints,
) -> None:  # fmt: skip
    """Repeat every throw that a walk made, and count its effects as often as it was made.

    This keeps wagers and rules out of the walk. Without `rules` these were last throws: nothing happens after them, and
    wagers are left on the layout.
    """
    ways = t[n.OUTCOMES]
    none = counts[:0]
    for entry in range(times.shape[0]):
        if times[entry] > 0:
            _copy(state, states[entry // ways])
            money[:] = 0
            money[n.BANK] = n.PLENTY
            money[n.CEILING] = n.UNBOUNDED
            money[n.CASH] = n.PLENTY - standing_on(t, state)
            throws[0] = entry % ways
            limit = 2 if rules else 1
            advance(
                t, state, money, throws, number(0), number(0), number(1), number(0) != 0, limit, none, none,
                times[entry], counts, floats, scratch,
            )  # fmt: skip
            if not rules:
                leave(t, state, times[entry], counts)
