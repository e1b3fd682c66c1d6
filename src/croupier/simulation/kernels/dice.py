"""Dice and coins for the simulator: one stream of throws per session, the same on every machine.

Philox 4x32-10 (Salmon et al., 2011) turns a counter into 128 random bits: the seed is its key, the session and the
position in it are the counter. There is no state to carry, so any session can be generated anywhere, in any order.

Each 32-bit word yields several throws at once: it is scaled by multiplication to 0 … outcomes^throws - 1, and the few
words that would bias the result are rejected (Lemire, 2019). Without rejection some throws would be slightly more
likely, and a long simulation would show it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import int64, uint32, uint64
from numpy.typing import NDArray

from croupier.rules.errors import Impossible
from croupier.rules.outcomes import Faces, Outcomes
from croupier.simulation.kernels.compiled import compiled, inlined, part

Throws = NDArray[np.uint16]
Words = NDArray[np.uint32]

MOST_SEED = 2**64
MOST_OUTCOMES = 2**16  # a throw is stored in 16 bits
ENOUGH = 2**26  # few enough rejections, one word in 64 at most; a larger span would not pay
AT_ONCE = 16  # generator blocks per batch, for SIMD vectorisation
SPARE = 4 * 32  # a generator block may overshoot the end by this many throws


def throws_per_word(outcomes: int) -> int:
    """How many throws one 32-bit word yields. Raises Impossible for a game with too many outcomes."""
    if not 2 <= outcomes <= MOST_OUTCOMES:
        say = f"A throw with {outcomes:,} outcomes cannot be simulated: it has 2 to {MOST_OUTCOMES:,}."
        raise Impossible("too_many_outcomes", say)
    if outcomes & (outcomes - 1) == 0:  # a power of two divides the range of the word exactly
        return 32 // (outcomes.bit_length() - 1)
    count = 1
    while outcomes ** (count + 1) <= ENOUGH:
        count += 1
    return count


def signed(number: int) -> int:
    """Reinterpret an unsigned 64-bit number as signed, as kernels take it."""
    return number - 2**64 if number >= 2**63 else number


def throws(seed: int, session: int, count: int, outcomes: int) -> Throws:
    """The first throws of a session, as indices into the book's outcomes."""
    made = np.empty(count + SPARE, np.uint16)
    words = np.empty((4, AT_ONCE), np.uint32)
    fill(made, words, 0, count, signed(seed), signed(session), 0, outcomes, throws_per_word(outcomes))
    return made[:count]


@inlined
def _philox(c0, c1, c2, c3, k0, k1):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Ten rounds: 128 bits from a 128-bit counter and a 64-bit key."""
    for _ in range(10):
        low = uint64(c0) * uint64(0xD2511F53)
        high = uint64(c2) * uint64(0xCD9E8D57)
        c0 = uint32(high >> uint64(32)) ^ c1 ^ k0
        c1 = uint32(high)
        c2 = uint32(low >> uint64(32)) ^ c3 ^ k1
        c3 = uint32(low)
        k0 = uint32(k0 + uint32(0x9E3779B9))
        k1 = uint32(k1 + uint32(0xBB67AE85))
    return c0, c1, c2, c3


@compiled
def philox(counter: NDArray[np.uint32], key: NDArray[np.uint32], made: NDArray[np.uint32]) -> None:
    """The bare generator: write 128 bits into `made`, for checks against published test vectors."""
    made[0], made[1], made[2], made[3] = _philox(counter[0], counter[1], counter[2], counter[3], key[0], key[1])


@inlined
def _two_dice(word, made, place):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Five throws of two dice from one word, as in `_spread`, with constants that make division cheap."""
    product = uint64(word) * uint64(36**5)
    if uint32(product) < uint32(2**32 % 36**5):
        return place
    value = uint32(product >> uint64(32))
    rest = value // uint32(1296)
    pair = value - rest * uint32(1296)
    first = pair // uint32(36)
    made[place] = pair - first * uint32(36)
    made[place + uint64(1)] = first
    last = rest // uint32(1296)
    pair = rest - last * uint32(1296)
    first = pair // uint32(36)
    made[place + uint64(2)] = pair - first * uint32(36)
    made[place + uint64(3)] = first
    made[place + uint64(4)] = last
    return place + uint64(5)


@inlined
def _spread(word, made, place, outcomes, span, refused, per_word):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Throws from one word, from the last digit up; none if the word is rejected."""
    product = uint64(word) * span
    if uint32(product) < refused:
        return place
    value = uint32(product >> uint64(32))
    for _ in range(per_word):
        rest = value // outcomes
        made[place] = value - rest * outcomes
        value = rest
        place += uint64(1)
    return place


@part
def _draw(words, count, here, low, high, key0, key1):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
    """Draw the words of some blocks of a session's stream; blocks are independent, so this vectorises."""
    first, second, third, fourth = words[0], words[1], words[2], words[3]
    for i in range(count):
        block = uint64(here) + uint64(i)
        a, b, c, d = _philox(uint32(block), uint32(block >> uint64(32)), low, high, key0, key1)
        first[i] = a
        second[i] = b
        third[i] = c
        fourth[i] = d


@compiled
def fill(
    made: Throws, words: Words, have: int, wanted: int, seed: int, session: int, block: int, outcomes: int,
    per_word: int,
) -> tuple[int, int]:  # fmt: skip
    """Fill in throws from index `have` until there are at least `wanted`.

    Return how many there are, and the next block of the session's stream.
    """
    key0, key1 = uint32(seed), uint32(uint64(seed) >> uint64(32))
    low, high = uint32(session), uint32(uint64(session) >> uint64(32))
    place, enough, here = uint64(have), uint64(wanted), uint64(block)
    ways = uint32(outcomes)
    span = uint64(ways) ** uint64(per_word)
    refused = uint32((uint64(1) << uint64(32)) % span)
    of_block = uint64(4 * per_word)
    while place < enough:
        missing = (enough - place + of_block - uint64(1)) // of_block
        count = missing if missing < uint64(AT_ONCE) else uint64(AT_ONCE)
        _draw(words, count, here, low, high, key0, key1)
        here += count
        if outcomes == 36:
            for i in range(count):
                for k in range(uint64(4)):
                    place = _two_dice(words[k, i], made, place)
        else:
            for i in range(count):
                for k in range(uint64(4)):
                    place = _spread(words[k, i], made, place, ways, span, refused, per_word)
    return int64(place), int64(here)  # type: ignore[return-value]  # a number all the same


@compiled
def next_part(
    made: Throws, words: Words, used: int, have: int, wanted: int, seed: int, session: int, block: int, outcomes: int,
    per_word: int,
) -> tuple[int, int]:  # fmt: skip
    """Continue a long session: drop the used throws, move up the surplus, and fill in the rest."""
    left = max(have - used, 0)
    for i in range(left):
        made[i] = made[used + i]
    return fill(made, words, left, wanted, seed, session, block, outcomes, per_word)


# Recorded throws of real dice, cut into sessions


def cut(outcomes: Outcomes, throws: Sequence[Faces], rolls: int, sessions: int) -> Throws:
    """Cut consecutive sessions from a record: one row each, with throws as indices into the outcomes.

    Raises Impossible if the record is too short.
    """
    if sessions < 1 or rolls < 1:
        raise Impossible("record_too_short", "A record is cut into one session or more, each of one throw or more.")
    wanted = sessions * rolls
    if wanted > len(throws):
        need = "1 session needs" if sessions == 1 else f"{sessions:,} sessions need"
        say = f"{need} {wanted:,} throw{'' if wanted == 1 else 's'}, and the record has {len(throws):,}."
        raise Impossible("record_too_short", say)
    places = [outcomes.index[faces] for faces in throws[:wanted]]
    return np.array(places, np.uint16).reshape(sessions, rolls)
