"""The dice of the simulator: the generator against published figures, its throws against a second implementation.

The second implementation follows the papers (Salmon et al. 2011, Lemire 2019) in plain arithmetic that works on whole
numbers and on arrays of them alike. That no outcome is favoured is counted over all words of 32 bits, not sampled;
sampling checks whether throws, sessions and seeds are independent.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier.rules.errors import Impossible
from croupier.simulation.kernels.dice import (
    AT_ONCE,
    SPARE,
    Throws,
    fill,
    next_part,
    philox,
    signed,
    throws,
    throws_per_word,
)
from tests.tables import BOOKS, SHELF

Words = NDArray[np.uint64]

WORDS = 2**32
TOP = WORDS - 1
MOST = 2**64 - 1
ROOM_FOR_WORDS = np.zeros((4, AT_ONCE), np.uint32)

# All zeros, all ones, the digits of pi: kat_vectors of Random123, philox4x32 with ten rounds.
PUBLISHED = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((TOP, TOP, TOP, TOP), (TOP, TOP), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]

# How many throws a word yields by the number of outcomes: coins and powers of two use up the word.
PER_WORD = {2: 32, 3: 16, 4: 16, 6: 10, 36: 5, 216: 3, 1296: 2, 7776: 2, 46656: 1, 2**16: 2}


def by_hand(counter: tuple[Any, ...], key: tuple[int, int]) -> tuple[Any, ...]:
    """Philox 4x32 with ten rounds, for one counter or arrays of counters."""
    a, b, c, d = counter
    left, right = key
    for _ in range(10):
        first, second = a * 0xD2511F53, c * 0xCD9E8D57
        a, b, c, d = (second >> 32) ^ b ^ left, second & TOP, (first >> 32) ^ d ^ right, first & TOP
        left, right = (left + 0x9E3779B9) & TOP, (right + 0xBB67AE85) & TOP
    return a, b, c, d


def counter_of(words: tuple[int, ...], key: tuple[int, int]) -> tuple[int, ...]:
    """Philox backwards: the counter that yields these four words."""
    a, b, c, d = words
    left, right = ((key[i] + 10 * step) & TOP for i, step in enumerate((0x9E3779B9, 0xBB67AE85)))
    for _ in range(10):
        left, right = (left - 0x9E3779B9) & TOP, (right - 0xBB67AE85) & TOP
        first = d * pow(0xD2511F53, -1, WORDS) & TOP
        second = b * pow(0xCD9E8D57, -1, WORDS) & TOP
        a, b, c, d = (
            first,
            a ^ (second * 0xCD9E8D57 >> 32) ^ left,
            second,
            c ^ (first * 0xD2511F53 >> 32) ^ right,
        )
    return a, b, c, d


def words_of(seed: int, session: int, blocks: int) -> Words:
    """The first words of a session's stream."""
    here = np.arange(blocks, dtype=np.uint64)
    same = [np.full(blocks, part, np.uint64) for part in (0, session & TOP, session >> 32)]
    return np.stack(by_hand((here, *same), (seed & TOP, seed >> 32)), axis=1).ravel()


def throws_of(words: Words, outcomes: int) -> NDArray[np.int64]:
    """The throws that these words give; rejected words give none."""
    count = PER_WORD[outcomes]
    span = outcomes**count
    product = [int(word) * span for word in words] if span == WORDS else words * np.uint64(span)
    product = np.array(product, np.uint64)
    value = (product >> 32)[(product & TOP) >= WORDS % span]
    return np.stack([value // np.uint64(outcomes**place) % np.uint64(outcomes) for place in range(count)], 1).ravel()


# The generator and the stream


@pytest.mark.parametrize(("counter", "key", "expected"), PUBLISHED, ids=["zeros", "ones", "pi"])
def test_the_generator_yields_the_published_figures(
    counter: tuple[int, ...], key: tuple[int, int], expected: tuple[int, ...]
) -> None:
    made = np.zeros(4, np.uint32)
    philox(np.array(counter, np.uint32), np.array(key, np.uint32), made)
    assert tuple(made.tolist()) == expected
    assert by_hand(counter, key) == expected
    assert counter_of(expected, key) == counter


@pytest.mark.parametrize("outcomes", PER_WORD)
def test_a_word_yields_as_many_throws_as_it_can(outcomes: int) -> None:
    assert throws_per_word(outcomes) == PER_WORD[outcomes]


@pytest.mark.parametrize("outcomes", [0, 1, 2**16 + 1])
def test_games_that_cannot_be_thrown_are_refused(outcomes: int) -> None:
    with pytest.raises(Impossible, match="cannot be simulated: it has 2 to 65,536"):
        throws_per_word(outcomes)


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**63, MOST])
@pytest.mark.parametrize("session", [0, 1, 2**32 + 7])
@pytest.mark.parametrize("outcomes", PER_WORD)
def test_throws_are_those_of_a_second_way_to_make_them(outcomes: int, session: int, seed: int) -> None:
    made = throws(seed, session, 1000, outcomes)
    expected = throws_of(words_of(seed, session, 300), outcomes)
    assert made.tolist() == expected[:1000].tolist()


def test_a_long_session_is_that_of_a_second_way_to_make_it() -> None:
    """Of a million words about four hundred are rejected, and each of them would shift all throws after it."""
    made = throws(5, 11, 5_000_000, 36)
    words = words_of(5, 11, 251_000)
    expected = throws_of(words, 36)
    assert 350 < len(words) - len(expected) // 5 < 550
    assert np.array_equal(made, expected[: len(made)])


@pytest.mark.parametrize("outcomes", [4, 36, 216])
@pytest.mark.parametrize("part", [1, 2, 7, 20, 1024])
def test_a_session_drawn_part_by_part_is_the_same(outcomes: int, part: int) -> None:
    """As the kernels do it: what was drawn beyond one part belongs to the next."""
    count = 50 * part + part // 2 + 1
    whole = throws(3, 4, count, outcomes)
    room = np.full(part + SPARE, 9999, np.uint16)
    have, block = next_part(room, ROOM_FOR_WORDS, 0, 0, min(part, count), 3, 4, 0, outcomes, PER_WORD[outcomes])
    parts = [room[: min(part, count)].copy()]
    for first in range(part, count, part):
        wanted = min(part, count - first)
        have, block = next_part(room, ROOM_FOR_WORDS, part, have, wanted, 3, 4, block, outcomes, PER_WORD[outcomes])
        assert wanted <= have <= len(room)
        parts.append(room[:wanted].copy())
    assert np.array_equal(np.concatenate(parts), whole)


def test_a_session_does_not_depend_on_how_much_of_it_is_drawn() -> None:
    for outcomes in (2, 36, 216):
        assert np.array_equal(throws(1, 2, 10, outcomes), throws(1, 2, 5000, outcomes)[:10])


# No outcome is favoured: counted over all words


def first_words(span: int, values: NDArray[np.uint64]) -> Words:
    """The first word that is multiplied into each of these values."""
    return ((values << np.uint64(32)) + np.uint64(span - 1)) // np.uint64(span)


def sizes_of(span: int) -> Iterator[tuple[NDArray[np.uint64], Words, Words]]:
    """All values in portions of convenient size: the values, the first word of each, and how many words each has."""
    for lot in range(0, span, 2**20):
        values = np.arange(lot, min(lot + 2**20, span) + 1, dtype=np.uint64)
        first = first_words(span, values)
        yield values[:-1], first[:-1], np.diff(first)


@pytest.mark.parametrize("outcomes", [36, 216, 1296])
def test_refusing_words_leaves_each_value_the_same_number_of_them(outcomes: int) -> None:
    """The words of one value increase in steps of the span, so that at most the first of them is below the bound."""
    span = outcomes ** PER_WORD[outcomes]
    in_all, refused_in_all = 0, 0
    for _, first, sizes in sizes_of(span):
        refused = ((first * np.uint64(span)) & TOP) < WORDS % span
        assert bool((sizes - refused == WORDS // span).all())
        in_all, refused_in_all = in_all + int(sizes.sum()), refused_in_all + int(refused.sum())
    assert (in_all, refused_in_all) == (WORDS, WORDS % span)
    assert refused_in_all > 0


@pytest.mark.parametrize("outcomes", [36, 216, 1296])
def test_the_words_refused_are_those_that_must_be(outcomes: int) -> None:
    """Given the words on either side of a bound, the stream leaves out the first of each value that has one too
    many, and no other."""
    per_word = PER_WORD[outcomes]
    span = outcomes**per_word
    seen = set()
    for values, first, sizes in sizes_of(span):
        for size, kept in ((WORDS // span, 4), (WORDS // span + 1, 3)):
            of_size = np.flatnonzero(sizes == size)
            for place in of_size[[0, len(of_size) // 2, -1]].tolist():
                value, word = int(values[place]), int(first[place])
                made = fed((word, word + 1, word + 2, word + size - 1), outcomes)
                assert made == [value // outcomes**digit % outcomes for digit in range(per_word)] * kept
                seen.add(value)
    assert len(seen) >= 10


def fed(words: tuple[int, int, int, int], outcomes: int) -> list[int]:
    """What the stream makes of four given words, which come from the counter that yields them."""
    key = (12345, 678910)
    a, b, c, d = counter_of(words, key)
    assert by_hand((a, b, c, d), key) == words
    room: Throws = np.zeros(1 + SPARE, np.uint16)
    seed, session, block = (signed(low | high << 32) for low, high in (key, (c, d), (a, b)))
    have, after = fill(room, ROOM_FOR_WORDS, 0, 1, seed, session, block, outcomes, PER_WORD[outcomes])
    assert (after - block) % 2**64 == 1
    return [int(throw) for throw in room[:have]]


POINTS = (4, 5, 6, 8, 9, 10)
EDGE = Fraction(-7, 495)
TOTALS = np.array([a + b for a in range(1, 7) for b in range(1, 7)])


def test_without_refusing_words_outcomes_would_not_be_equally_likely() -> None:
    """Of all words, 1,868,800 are one too many. Which throws they favour depends on how words are turned into throws.

    By multiplication they are spread out: the edge of the line would be larger by 15 millionths of itself, too little
    for any simulation to show. As remainders of a division they all end with two aces or nearly so, and the edge would
    be larger by six thousandths of itself: 10^10 rolls would show that.
    """
    span = 36**5
    multiplied = np.concatenate([values[sizes == WORDS // span + 1] for values, _, sizes in sizes_of(span)])
    divided = np.arange(WORDS % span)
    assert len(multiplied) == len(divided) == 1_868_800
    for extra, off in ((multiplied.astype(np.int64), 1.5e-5), (divided, 6.1e-3)):
        chances = [[WORDS // span * span // 36 + int(n) for n in np.bincount(d, minlength=36)] for d in digits(extra)]
        assert all(sum(row) == WORDS for row in chances)
        assert all(len(set(row)) > 1 for row in chances)
        edge = edge_with(extra)
        assert edge < EDGE
        assert float(edge / EDGE - 1) == pytest.approx(off, rel=0.03)


def test_with_every_word_as_often_the_line_has_its_edge() -> None:
    """The second way to compute the edge is right: without extra words the edge is exact."""
    assert edge_with(np.arange(0)) == EDGE


def digits(values: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The five throws of each value."""
    return [values // 36**place % 36 for place in range(5)]


def edge_with(extra: NDArray[np.int64]) -> Fraction:
    """The edge of a line wager that is made over and over, when these values have one word more than the others.

    A word is five throws. From each state of the puck it leads to other states with a known result: counted exactly.
    """
    states = [0, *POINTS]
    whole = 36**5 * (WORDS // 36**5)
    every = {state: over_all_values(state) for state in states}
    more = {state: over_words([TOTALS[d] for d in digits(extra)], state) for state in states}
    words = whole + len(extra)
    moves, nets, decided = {}, {}, {}
    for state in states:
        (fair_to, fair_net, fair_decided), (to, net, done) = every[state], more[state]
        moves[state] = {s: (fair_to.get(s, Fraction(0)) * whole + to.get(s, 0)) / words for s in states}
        nets[state] = (fair_net * whole + net) / words
        decided[state] = (fair_decided * whole + done) / words
    share = stationary(moves)
    return sum((share[s] * nets[s] for s in states), Fraction(0)) / sum(
        (share[s] * decided[s] for s in states), Fraction(0)
    )


def line(state: int, total: int) -> tuple[int, int]:
    """Where a throw leaves the puck (0 is off), and its result for the line."""
    if state == 0:
        result = 1 if total in (7, 11) else -1 if total in (2, 3, 12) else 0
        return (0 if result else total), result
    return (0, 1) if total == state else (0, -1) if total == 7 else (state, 0)


def over_all_values(state: int) -> tuple[dict[int, Fraction], Fraction, Fraction]:
    """Five fair throws: the states they lead to, their results, and how many lines they decide."""
    here, net, decided = {state: Fraction(1)}, Fraction(0), Fraction(0)
    for _ in range(5):
        after: dict[int, Fraction] = {}
        for puck, chance in here.items():
            for total in TOTALS.tolist():
                to, result = line(puck, total)
                after[to] = after.get(to, Fraction(0)) + chance / 36
                net += chance * result / 36
                decided += chance * abs(result) / 36
        here = after
    return here, net, decided


def over_words(totals: list[NDArray[np.int64]], state: int) -> tuple[dict[int, int], int, int]:
    """The same for given throws, summed over them."""
    table = np.array([[line(puck, total) for total in range(13)] for puck in range(11)])
    puck, net, decided = np.full(len(totals[0]), state), 0, 0
    for total in totals:
        results = table[puck, total, 1]
        puck = table[puck, total, 0]
        net, decided = net + int(results.sum()), decided + int(np.abs(results).sum())
    return dict(enumerate(np.bincount(puck, minlength=11).tolist())), net, decided


def stationary(moves: dict[int, dict[int, Fraction]]) -> dict[int, Fraction]:
    """The stationary distribution of the states: states are eliminated one by one, then restored."""
    order = list(moves)
    rows = {state: dict(row) for state, row in moves.items()}
    gone: list[tuple[int, dict[int, Fraction]]] = []
    for state in order[:0:-1]:
        left = [s for s in order if s != state and s not in {g for g, _ in gone}]
        into = {s: rows[s][state] / (1 - rows[state][state]) for s in left}
        for s in left:
            for to in left:
                rows[s][to] += into[s] * rows[state][to]
        gone.append((state, into))
    share = {order[0]: Fraction(1)}
    for state, into in reversed(gone):
        share[state] = sum((share[s] * into[s] for s in share), Fraction(0))
    return share


# What only samples can show: throws, sessions and seeds have nothing to do with each other


def far_off(counts: NDArray[np.int64]) -> float:
    """By how many standard deviations the chi-square of equally likely cells differs from its mean."""
    expected = counts.sum() / counts.size
    chi_square = float(((counts - expected) ** 2).sum() / expected)
    return abs(chi_square - (counts.size - 1)) / sqrt(2 * (counts.size - 1))


def together(one: Throws, other: Throws, outcomes: int) -> NDArray[np.int64]:
    """How often each pair of throws occurred together."""
    return np.bincount(one.astype(np.int64) * outcomes + other, minlength=outcomes**2)


MANY = 12_000_000


@pytest.mark.parametrize("outcomes", sorted({len(SHELF.book(book).outcomes) for book in BOOKS} | {6}))
def test_all_outcomes_and_pairs_of_outcomes_are_equally_likely(outcomes: int) -> None:
    """A relative bias of a thousandth in one outcome of two dice would be detected: 12 million throws reveal 0.0017."""
    made = throws(20241115, 0, MANY, outcomes)
    assert far_off(np.bincount(made, minlength=outcomes)) < 4
    for apart in (1, 2, PER_WORD[outcomes], 4 * PER_WORD[outcomes]):
        assert far_off(together(made[:-apart], made[apart:], outcomes)) < 4


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((7, 0), (7, 1)),
        ((7, 0), (8, 0)),
        ((7, 8), (8, 7)),
        ((7, 0), (7, 2**32)),
        ((7, 0), (7 + 2**32, 0)),
        ((0, 0), (MOST, 0)),
    ],
    ids=["sessions", "seeds", "the two exchanged", "far sessions", "far seeds", "ends"],
)
def test_neighbouring_streams_have_nothing_to_do_with_each_other(one: tuple[int, int], other: tuple[int, int]) -> None:
    first, second = (throws(seed, session, 2_000_000, 36) for seed, session in (one, other))
    assert far_off(together(first, second, 36)) < 4
    assert far_off(together(first[:-1], second[1:], 36)) < 4


def test_the_first_throws_of_many_sessions_are_equally_likely() -> None:
    """Short simulations consist of the first throws of sessions."""
    made = np.array([throws(99, session, 2, 36) for session in range(100_000)])
    assert far_off(np.bincount(made[:, 0], minlength=36)) < 4
    assert far_off(together(made[:, 0], made[:, 1], 36)) < 4
    assert far_off(together(made[:-1, 0], made[1:, 0], 36)) < 4
