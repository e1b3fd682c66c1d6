"""Compute the edges printed in the readings from the oracle alone: python3 -m tests.oracle.selfcheck.

A wager's undecided histories are merged when all their continuations up to some length end the same way; the value of
each class of histories is then the solution of a small linear system in exact fractions. Two-Up wagers always end, so
there every history is counted one by one.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

from . import Pick, Start, Verdict, craps, paid, sic_bo, snake_eyes_nsw, snake_eyes_nz, two_up

F = Fraction
Judge = Callable[[list[Any]], Fraction | None]
Weighted = list[tuple[Any, Fraction]]
Table = snake_eyes_nz.Display | str | None

checks: Counter[str] = Counter()


class Facts(NamedTuple):
    """Exact facts of one wager per unit staked; rolls counts only throws on which it is active."""

    ev: Fraction
    variance: Fraction
    p_win: Fraction
    rolls: Fraction


known: dict[Hashable, Facts] = {}


def same(part: str, found: object, printed: object) -> None:
    """Assert one printed number and count it."""
    checks[part] += 1
    if found != printed:
        raise AssertionError(f"{part}: found {found}, printed {printed}")


def net(verdict: Verdict | None) -> Fraction | None:
    """The net result of one unit staked; None while undecided."""
    if verdict is None:
        return None
    return F(-1) if verdict.result == "lose" else verdict.odds


def judge_of(book: ModuleType, wager: str, pick: Pick = None, start: Start = None, table: Table = None) -> Judge:
    """The net result of a wager as a function of the history alone."""
    return lambda history: net(book.judge(wager, pick, start, history, table))


def evenly(outcomes: Sequence[Any]) -> Weighted:
    """Equally likely outcomes."""
    return [(outcome, F(1, len(outcomes))) for outcome in outcomes]


def sorted_out(judge: Judge, outcomes: Sequence[Any]) -> Weighted:
    """One outcome of each kind, weighted: outcomes of a kind have the same effect as first throw, and as second
    throw after any other."""
    first = {outcome: judge([outcome]) for outcome in outcomes}
    open_after = [outcome for outcome in outcomes if first[outcome] is None]
    sorts: Counter[Hashable] = Counter()
    members: dict[Hashable, Any] = {}
    for outcome in outcomes:
        then = [judge([outcome, other]) for other in outcomes] if first[outcome] is None else []
        before = [judge([other, outcome]) for other in open_after]
        fate = (first[outcome], tuple(then), tuple(before))
        sorts[fate] += 1
        members.setdefault(fate, outcome)
    return [(members[fate], F(ways, len(outcomes))) for fate, ways in sorts.items()]


# -- histories ---------------------------------------------------------------------------------------------


def fates(judge: Judge, alphabet: Weighted, history: list[Any], depth: int) -> Hashable:
    """The results of all continuations of an undecided history, up to this many throws."""
    if depth == 0:
        return None
    row: list[Hashable] = []
    for outcome, _ in alphabet:
        longer = [*history, outcome]
        value = judge(longer)
        row.append(fates(judge, alphabet, longer, depth - 1) if value is None else value)
    return tuple(row)


def classes(judge: Judge, alphabet: Weighted, start: list[Any], depth: int) -> list[dict[Any, Fraction]]:
    """For each class of undecided histories, the distribution after the next throw: net results, or numbers of
    classes."""
    return classes_and_steps(judge, alphabet, start, depth)[0]


def classes_and_steps(
    judge: Judge, alphabet: Weighted, start: list[Any], depth: int
) -> tuple[list[dict[Any, Fraction]], list[list[Any]]]:
    """The distributions of the classes, and for each class what each throw of the alphabet leads to."""
    number = {fates(judge, alphabet, start, depth): 0}
    found = [start]
    laws: list[dict[Any, Fraction]] = []
    steps: list[list[Any]] = []
    for history in found:
        law: dict[Any, Fraction] = {}
        step: list[Any] = []
        for outcome, chance in alphabet:
            longer = [*history, outcome]
            value = judge(longer)
            key: tuple[str, Any] = ("net", value)
            if value is None:
                fate = fates(judge, alphabet, longer, depth)
                if fate not in number:
                    number[fate] = len(found)
                    found.append(longer)
                key = ("class", number[fate])
            law[key] = law.get(key, F(0)) + chance
            step.append(key)
        laws.append(law)
        steps.append(step)
    return laws, steps


def first_stranger(judge: Judge, alphabet: Weighted, steps: list[list[Any]], longest: int) -> list[Any] | None:
    """The first history, of all up to a length, that is not decided as its class says; None if there is none."""
    undecided: list[tuple[list[Any], int]] = [([], 0)]
    while undecided:
        history, place = undecided.pop()
        for (outcome, _), (kind, led_to) in zip(alphabet, steps[place], strict=True):
            longer = [*history, outcome]
            if judge(longer) != (led_to if kind == "net" else None):
                return longer
            if kind == "class" and len(longer) < longest:
                undecided.append((longer, led_to))
    return None


def solve(rows: list[list[Fraction]]) -> list[Fraction]:
    """Gauss-Jordan elimination on rows of coefficients with the right-hand side last."""
    size = len(rows)
    for i in range(size):
        pivot = next(r for r in range(i, size) if rows[r][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(size):
            if r != i and rows[r][i] != 0:
                factor = rows[r][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i], strict=True)]
    return [row[-1] for row in rows]


def expect(laws: list[dict[Any, Fraction]], gain: Callable[[Fraction], Fraction], step: int = 0) -> list[Fraction]:
    """The expected gain at the decision plus an amount for every throw, from each class."""
    rows = []
    for i, law in enumerate(laws):
        row = [F(int(i == j)) for j in range(len(laws))] + [F(step)]
        for (kind, value), chance in law.items():
            if kind == "class":
                row[value] -= chance
            else:
                row[-1] += chance * gain(value)
        rows.append(row)
    return solve(rows)


def facts(judge: Judge, alphabet: Weighted, start: Iterable[Any] = (), depth: int = 2) -> Facts:
    """All facts of a wager from a given undecided history on."""
    return facts_of(classes(judge, alphabet, list(start), depth))


def facts_of(laws: list[dict[Any, Fraction]]) -> Facts:
    """All facts of a wager from its first class of histories on."""
    ev = expect(laws, lambda x: x)[0]
    return Facts(
        ev,
        expect(laws, lambda x: x * x)[0] - ev * ev,
        expect(laws, lambda x: F(int(x > 0)))[0],
        expect(laws, lambda _: F(0), step=1)[0],
    )


def count_all(judge: Judge, outcomes: Sequence[Any], history: list[Any]) -> Counter[tuple[Fraction, int]]:
    """Every history of a wager that always ends, one by one: (net, length) and how many."""
    ends: Counter[tuple[int, int, int]] = Counter()  # counted by whole numbers: a Fraction is slow to look up
    undecided = [history]
    while undecided:
        begun = undecided.pop()
        for outcome in outcomes:
            longer = [*begun, outcome]
            value = judge(longer)
            if value is None:
                undecided.append(longer)
            else:
                ends[value.numerator, value.denominator, len(longer)] += 1
    return Counter({(F(above, below), length): ways for (above, below, length), ways in ends.items()})


def two_up_facts(wager: str, pick: Pick, start: Sequence[Any] = ()) -> Facts:
    """Facts of a Two-Up wager by counting every history, after spins that left it undecided."""
    begun = list(start)
    ends = count_all(judge_of(two_up, wager, pick), two_up.OUTCOMES, begun)
    law = [(x, n - len(begun), F(ways, 4 ** (n - len(begun)))) for (x, n), ways in ends.items()]
    assert sum(p for _, _, p in law) == 1
    ev = sum((x * p for x, _, p in law), F(0))
    square = sum((x * x * p for x, _, p in law), F(0))
    p_win = sum((p for x, _, p in law if x > 0), F(0))
    return Facts(ev, square - ev * ev, p_win, sum((n * p for _, n, p in law), F(0)))


def dice_facts(book: ModuleType, wager: str, pick: Pick = None, start: Start = None, table: Table = None) -> Facts:
    """Facts of a wager on two dice, cached."""
    key = (book.BOOK, wager, pick, start, repr(table))
    if key not in known:
        judge = judge_of(book, wager, pick, start, table)
        known[key] = facts(judge, sorted_out(judge, book.OUTCOMES))
    return known[key]


# -- Craps -------------------------------------------------------------------------------------------------


def craps_lines() -> None:
    """Section 0, CR-3, CR-16, X-5: the flat wagers, new and with a point."""
    for wager in ("win_line", "come"):
        same("line", dice_facts(craps, wager).ev, F(-7, 495))
        same("line", dice_facts(craps, wager).p_win, F(244, 495))
    for wager in ("dont_win", "dont_come"):
        found = dice_facts(craps, wager)
        same("line", found.ev, F(-3, 220))
        same("CR-16", found.ev / (1 - F(1, 36)), F(-27, 1925))
    after = {(1, 3): F(1, 3), (2, 3): F(1, 5), (2, 4): F(1, 11), (4, 4): F(1, 11), (4, 5): F(1, 5)}
    for wager, sign in (("dont_win", 1), ("win_line", -1)):
        judge = judge_of(craps, wager)
        alphabet = sorted_out(judge, craps.OUTCOMES)
        for thrown, worth in after.items():
            same("CR-3", facts(judge, alphabet, [thrown]).ev, sign * worth)


def craps_behind() -> None:
    """Behind wagers are exactly fair; CR-9: a Come with double Behind that never sleeps has variance 8.167."""
    for point in craps.POINTS:
        for wager in ("behind_win_line", "behind_dont_win"):
            same("behind", dice_facts(craps, wager, None, point).ev, 0)
        for wager in ("behind_come", "behind_dont_come"):
            same("behind", dice_facts(craps, wager, point).ev, 0)
    both = facts(come_with_double, sorted_out(come_with_double, craps.OUTCOMES))
    same("CR-9", both.ev, F(-7, 495))
    same("CR-9", f"{float(both.variance):.3f}", "8.167")


def come_with_double(history: list[Any]) -> Fraction | None:
    """Net result of a Come of 1 with a Behind the Come of 2 that is never Off."""
    flat = net(craps.judge("come", None, None, history))
    if flat is None or len(history) == 1:
        return flat
    behind = net(craps.judge("behind_come", sum(history[0]), None, history[1:]))
    assert behind is not None
    return flat + 2 * behind


# Columns: number, Place to Win, Place to Lose, Lay with commission, expected rolls (CR-6, CR-13, CR-22, X-2).
NUMBERS = (
    (4, F(-1, 15), F(-1, 33), F(-1, 40), F(4)),
    (5, F(-1, 25), F(-1, 40), F(-1, 30), F(18, 5)),
    (6, F(-1, 66), F(-1, 55), F(-1, 24), F(36, 11)),
    (8, F(-1, 66), F(-1, 55), F(-1, 24), F(36, 11)),
    (9, F(-1, 25), F(-1, 40), F(-1, 30), F(18, 5)),
    (10, F(-1, 15), F(-1, 33), F(-1, 40), F(4)),
)
# CR-6, rival R2: Buy and Lay, commission once for as long as the stake lies there.
ONCE_A_STAY = {4: (F(1, 30), F(1, 120)), 5: (F(3, 100), F(1, 75)), 6: (F(3, 110), F(5, 264))}


def craps_numbers() -> None:
    """CR-6, CR-8, CR-13, CR-22: Place, Buy, Lay, Big 6 and 8."""
    for number, to_win, to_lose, laid, rolls in NUMBERS:
        place = dice_facts(craps, "place_to_win", number)
        same("place", (place.ev, place.rolls), (to_win, rolls))
        same("place", dice_facts(craps, "place_to_lose", number).ev, to_lose)
        stake = 12000
        buy = dice_facts(craps, "buy", number).ev
        lay = dice_facts(craps, "lay", number).ev
        same("buy", buy - F(craps.commission("buy", number, stake), stake), F(-1, 20))
        same("lay", lay - F(craps.commission("lay", number, stake), stake), laid)
        once_bought, once_laid = ONCE_A_STAY[min(number, 14 - number)]
        same("CR-6", F(1, 20) * (1 - place.p_win), once_bought)
        same("CR-6", -laid * place.p_win, once_laid)
    for wager in ("big_6", "big_8"):
        same("big", dice_facts(craps, wager).ev, F(-1, 11))


def craps_propositions() -> None:
    """CR-1, CR-2: every proposition at 1/18, except Any Seven; Hardways at 7.5 and 9.5."""
    for wager in ("any_craps", "craps_two", "craps_three", "craps_twelve", "eleven", "horn", "crap_eleven"):
        same("propositions", dice_facts(craps, wager).ev, F(-1, 18))
    for high in (2, 3, 11, 12):
        same("propositions", dice_facts(craps, "horn_high", high).ev, F(-1, 18))
    same("propositions", dice_facts(craps, "any_seven").ev, F(-1, 6))
    same("propositions", dice_facts(craps, "field").ev, F(-1, 18))
    for number, edge in ((4, F(-1, 18)), (6, F(-1, 22)), (8, F(-1, 22)), (10, F(-1, 18))):
        same("propositions", dice_facts(craps, "hardway", number).ev, edge)
    same("CR-13", dice_facts(craps, "hardway", 4).rolls, 4)
    parts = [craps.judge("horn", None, None, [dice]) for dice in ((1, 1), (1, 2), (5, 6), (6, 6))]
    same("CR-2", [net(part) for part in parts], [F(15, 2), F(13, 4), F(13, 4), F(15, 2)])
    parts = [craps.judge("crap_eleven", None, None, [dice]) for dice in ((1, 1), (1, 2), (6, 6), (5, 6))]
    same("CR-1", [net(part) for part in parts], [F(13, 4), F(13, 4), F(13, 4), F(15, 2)])


# wager, pick, point, the stakes of 1 to 60 chips that favour the player.
FAVOURED: tuple[tuple[str, Pick, Start, list[int]], ...] = (
    *[("place_to_win", n, None, [1, 2, 3, 4, 7, 8, 9, 13, 14, 19]) for n in (6, 8)],
    *[("place_to_win", n, None, [1, 3]) for n in (5, 9)],
    *[("place_to_win", n, None, []) for n in (4, 10)],
    *[("place_to_lose", n, None, [1, 3, 5, 7, 9]) for n in (4, 10)],
    *[("place_to_lose", n, None, [1, 2, 4, 5, 7, 10, 13]) for n in (5, 9)],
    *[("place_to_lose", n, None, [1, 2, 3, 4, 7, 8, 9, 13, 14, 19]) for n in (6, 8)],
    *[("behind_win_line", None, n, [s for s in range(1, 61) if s % 5]) for n in (6, 8)],
    *[("behind_win_line", None, n, [s for s in range(1, 61) if s % 2]) for n in (5, 9)],
    *[("behind_come", n, None, [s for s in range(1, 61) if s % 5]) for n in (6, 8)],
    *[("behind_dont_win", None, n, [s for s in range(1, 61) if s % 2]) for n in (4, 10)],
    *[("behind_dont_come", n, None, [s for s in range(1, 61) if s % 3]) for n in (5, 9)],
    *[("behind_dont_win", None, n, [s for s in range(1, 61) if s % 6]) for n in (6, 8)],
    *[("buy", n, None, [1, 3]) for n in (5, 9)],
    *[("buy", n, None, [1, 2, 3, 6]) for n in (6, 8)],
    *[("lay", n, None, [1, 3, 5, 7, 9, 11, 13]) for n in (4, 10)],
    *[("lay", n, None, [1, 2, 4, 5, 8, 11]) for n in (5, 9)],
    *[("lay", n, None, [1, 2, 3, 4, 5]) for n in (6, 8)],
    *[("hardway", n, None, []) for n in (4, 6, 8, 10)],
    ("any_craps", None, None, []),
)
CHIP = 2400


def rounded_ev(p_win: Fraction, odds: Fraction, stake_chips: int, commission_cents: int = 0) -> Fraction:
    """Expectation per unit staked of a wager with two results, its payment rounded up to the chip."""
    stake = stake_chips * CHIP
    gain = p_win * paid(stake, odds, CHIP) - (1 - p_win) * stake - commission_cents
    return gain / stake


def odds_of(wager: str, pick: Pick, start: Start) -> Fraction:
    """The odds of a wager that has only one set of odds."""
    throws = [craps.judge(wager, pick, start, [dice]) for dice in craps.OUTCOMES]
    (odds,) = {verdict.odds for verdict in throws if verdict is not None and verdict.result == "win"}
    return odds


def rounding() -> None:
    """X-2: the stakes at which rounding up favours the player."""
    for wager, pick, start, printed in FAVOURED:
        p_win = dice_facts(craps, wager, pick, start).p_win
        odds = odds_of(wager, pick, start)
        found = [
            stake
            for stake in range(1, 61)
            if rounded_ev(p_win, odds, stake, craps.commission(wager, pick, stake * CHIP)) > 0
        ]
        same("X-2", found, printed)
    same("X-2", rounded_ev(F(5, 11), F(7, 6), 1), F(4, 11))
    same("X-2", rounded_ev(F(1, 9), F(15, 2), 1), 0)
    same("SE-9", [rounded_ev(F(1, 9), F(15, 2), 5), rounded_ev(F(1, 11), F(19, 2), 5)], [F(-2, 45), F(-2, 55)])
    same("X-2", paid(1000, F(15, 2), 1000), 8000)
    same("X-2", [paid(0, F(7, 6), 100), paid(600, F(7, 6), 100), paid(601, F(7, 6), 100)], [0, 700, 800])


def exactly_payable(wager: str, pick: Pick, start: Start) -> int:
    """The smallest number of chips at which every payment, every part and the commission are whole chips."""
    throws = [craps.judge(wager, pick, start, [dice]) for dice in craps.OUTCOMES]
    amounts = {verdict.odds for verdict in throws if verdict is not None}
    if wager == "buy":
        amounts.add(F(1, 20))
    if wager == "lay":
        amounts |= {odds / 20 for odds in amounts}
    return next(unit for unit in range(1, 1000) if all((unit * x).denominator == 1 for x in amounts))


def units_and_limits() -> None:
    """X-2, CR-8 units against the odds themselves; CR-10 limits; 6.7; commission cut to the cent."""
    for wager, pick in craps.WAGERS:
        for start in craps.starts(wager, pick):
            named = pick if start is None else start
            same("units", craps.exact_unit(wager, named), exactly_payable(wager, pick, start))
    for flat in (100, 500, 1000, 1500, 2500):
        for point, tenths in ((4, 40), (10, 40), (5, 30), (9, 30), (6, 24), (8, 24)):
            for wager in ("behind_dont_win", "behind_dont_come"):
                same("CR-10", craps.behind_limit(wager, point, flat, 100), flat * tenths // 10 // 100 * 100)
            for wager in ("behind_win_line", "behind_come"):
                same("CR-10", craps.behind_limit(wager, point, flat, 100), 2 * flat)
    same("CR-10", craps.behind_limit("behind_dont_win", 4, 150, 200), 400)
    asleep = {wager for wager, _ in craps.WAGERS if craps.sleeps(wager)}
    same("6.7", asleep, {"buy", "place_to_win", "behind_come", "hardway"})
    same("CR-8", [craps.commission("buy", 4, 1010), craps.commission("lay", 5, 100)], [50, 3])
    same("CR-8", [craps.commission("lay", 6, 2400), craps.commission("lay", 10, 4000)], [100, 100])
    same("CR-24", [craps.commission_on_more("buy", 4, 19 * laid, 19) for laid in range(3)], [0, 1, 1])
    same("CR-24", [craps.commission_on_more("lay", 10, 100 * laid, 100) for laid in range(4)], [2, 3, 2, 3])


# -- Sic Bo ------------------------------------------------------------------------------------------------

SIC_BO_EDGES: tuple[tuple[str, Pick, Fraction], ...] = (
    *[(wager, None, F(-1, 36)) for wager in ("small", "big", "odd", "even")],
    *[("specific_double", n, F(-1, 9)) for n in range(1, 7)],
    *[("specific_triple", n, F(-35, 216)) for n in range(1, 7)],
    ("any_triple", None, F(-1, 9)),
    *[("single_die", n, F(-1, 27)) for n in range(1, 7)],
    *[("combination", (a, b), F(-1, 36)) for a in range(1, 6) for b in range(a + 1, 7)],
    *[("four_number", four, F(-1, 9)) for four in ((1, 2, 3, 4), (2, 3, 4, 5), (2, 3, 5, 6), (3, 4, 5, 6))],
    *[("total", n, F(3 * 63, 216) - 1) for n in (4, 17)],
    *[("total", n, F(6 * 32, 216) - 1) for n in (5, 16)],
    *[("total", n, F(10 * 19, 216) - 1) for n in (6, 15)],
    *[("total", n, F(15 * 13, 216) - 1) for n in (7, 14)],
    *[("total", n, F(21 * 9, 216) - 1) for n in (8, 13)],
    *[("total", n, F(25 * 8, 216) - 1) for n in (9, 12)],
    *[("total", n, F(27 * 7, 216) - 1) for n in (10, 11)],
)


def sic_bo_results() -> None:
    """SB-8 to SB-13: all wagers on one result, over the 216 results."""
    for wager, pick, edge in SIC_BO_EDGES:
        same("sic bo", facts(judge_of(sic_bo, wager, pick), evenly(sic_bo.OUTCOMES), depth=1).ev, edge)
    listed = {(wager, pick) for wager, pick, _ in SIC_BO_EDGES}
    same("sic bo", listed | {("super_streak", "size"), ("super_streak", "parity")}, set(sic_bo.WAGERS))
    wins = Counter(
        (size, parity)
        for dice in sic_bo.OUTCOMES
        for size in ("small", "big")
        for parity in ("even", "odd")
        if all(net(sic_bo.judge(side, None, None, [dice])) == 1 for side in (size, parity))
    )
    same("SB-16", sorted(wins.values()), [45, 45, 60, 60])


def streak_alphabet(pick: str, side: str) -> Weighted:
    """One result of the side, one of the other and one triple, weighted by how many of the 216 results are like it."""
    judge = judge_of(sic_bo, "super_streak", pick, side)
    runs = streak_runs(judge, side)
    sorts: dict[Hashable, list[Any]] = {}
    for dice in sic_bo.OUTCOMES:
        fate = tuple(judge([*run, dice]) for run in runs)
        sorts.setdefault(fate, []).append(dice)
    triples = [dice for dice in sic_bo.OUTCOMES if len(set(dice)) == 1]
    same("SB-2", sorted(len(members) for members in sorts.values()), [6, 105, 105])
    assert triples in sorts.values()
    return [(members[0], F(len(members), 216)) for members in sorts.values()]


def streak_runs(judge: Judge, side: str) -> list[list[Any]]:
    """0 to 11 results in a row on the side."""
    mine = next(
        dice for dice in sic_bo.OUTCOMES if net(sic_bo.judge(side, None, None, [dice])) == 1 and judge([dice]) is None
    )
    return [[mine] * n for n in range(12)]


def super_streak() -> None:
    """SB-1 to SB-4, SB-6: reading C, from every counter; the classes of histories are the counters 0 to 11."""
    lines = (("size", "small"), ("size", "big"), ("parity", "odd"), ("parity", "even"))
    for pick, side in lines:
        judge, alphabet = judge_of(sic_bo, "super_streak", pick, side), streak_alphabet(pick, side)
        laws, steps = classes_and_steps(judge, alphabet, [], depth=4)
        same("SB-1", len(laws), 12)
        same("SB-1", first_stranger(judge, alphabet, steps, longest=13), None)
        same("SB-1", facts_of(laws), Facts(F(-201, 2048), F(327125551, 4194304), F(1, 16), F(1053, 512)))
        worth = [1 + ev for ev in expect(laws, lambda x: x)]
        same("SB-6", worth[:5], [F(1847, d) for d in (2048, 1024, 512, 256, 128)])
    small, big, triple = (1, 1, 2), (5, 6, 6), (4, 4, 4)
    example = sic_bo.judge("super_streak", "size", "small", [small, small, triple, small, small, big])
    same("SB-1", net(example), 6)


# -- Two-Up ------------------------------------------------------------------------------------------------


def two_up_wagers() -> None:
    """TU-1 to TU-3, TU-10: new wagers, wagers after Odds, and the spinner between Heads."""
    odds = ("H", "T")
    for side, coins in (("heads", ("H", "H")), ("tails", ("T", "T"))):
        same("two-up", two_up_facts(side, None).ev, F(-1, 32))
        for standing in (1, 2, 3, 4):
            same("TU-2", two_up_facts(side, None, [odds] * standing).ev, F(-1, 2 ** (5 - standing)))
        spinner = two_up_facts("spinner", side)
        same("TU-1", (spinner.ev, spinner.p_win), (F(-17841, 524288), F(29791, 262144)))
        same("TU-3", two_up_facts("spinner", side, [coins]).ev, F(8145, 8192))
        same("TU-3", two_up_facts("spinner", side, [coins, coins]).ev, F(399, 128))
        same("TU-10", rounded_ev(spinner.p_win, F(15, 2), 1), F(5975, 262144))
        same("TU-10", all(rounded_ev(spinner.p_win, F(15, 2), s) < 0 for s in range(2, 61)), True)


# -- Snake Eyes --------------------------------------------------------------------------------------------


def snake_eyes_common(book: ModuleType, table: Table) -> None:
    """SE-2, SE-4, SE-5, NZ-1: what all pay tables of both books share."""
    combo = dice_facts(book, "hardway_combo", None, None, table)
    same("combo", (combo.ev, combo.rolls), (F(-1, 11), F(18, 11)))
    for wager, edge in (("ce_combo", F(-1, 6)), ("any_seven", F(-1, 6)), ("five", F(-1, 5))):
        same("snake eyes", dice_facts(book, wager, None, None, table).ev, edge)
    for wager in ("six", "eight"):
        same("snake eyes", dice_facts(book, wager, None, None, table).ev, F(-1, 11))


def snake_eyes_nsw_columns() -> None:
    """SE-1, SE-5: both options, as whole columns."""
    columns = {"one": (F(15, 2), F(19, 2), 16, F(-1, 18)), "two": (F(7), F(9), 15, F(-1, 36))}
    for table, (hard_four, hard_six, three, field) in columns.items():
        snake_eyes_common(snake_eyes_nsw, table)
        for pick, odds, p_win in ((4, hard_four, 9), (10, hard_four, 9), (6, hard_six, 11), (8, hard_six, 11)):
            found = dice_facts(snake_eyes_nsw, "hardway", pick, None, table).ev
            same("snake eyes", found, F(1, p_win) * (odds + 1) - 1)
        rest = (
            ("craps_two", F(34, 36) - 1),
            ("craps_twelve", F(32, 36) - 1),
            ("craps_three", F(2 * (three + 1), 36) - 1),
            ("eleven_in_one", F(2 * (three + 1), 36) - 1),
            ("field", field),
        )
        for wager, edge in rest:
            same("snake eyes", dice_facts(snake_eyes_nsw, wager, None, None, table).ev, edge)


def memoryless_ev(judge: Judge) -> Fraction:
    """The expectation of a wager that every undecided throw leaves unchanged: the mean over the deciding throws."""
    results = [judge([dice]) for dice in snake_eyes_nz.OUTCOMES]
    decided = Counter((result.numerator, result.denominator) for result in results if result is not None)
    return sum((F(above * ways, below) for (above, below), ways in decided.items()), F(0)) / decided.total()


def snake_eyes_nz_displays() -> None:
    """NZ-4: 768 displays; each wager's odds are chosen separately, the Field's by column."""
    tables = snake_eyes_nz.PAY_TABLES
    same("NZ-4", len({repr(table) for table in tables}), 768)
    hard = {"4": 7, "6": 9, "8": 9, "10": 7}
    same("NZ-4", tables[0], {"hardway": hard, "craps_two": 33, "craps_twelve": 33, "field": 1})
    hard = {"4": 6, "6": 8, "8": 8, "10": 6}
    same("NZ-4", tables[-1], {"hardway": hard, "craps_two": 30, "craps_twelve": 30, "field": 3})
    snake_eyes_common(snake_eyes_nz, tables[0])
    snake_eyes_common(snake_eyes_nz, tables[-1])
    for n in (4, 6, 8, 10):
        judge = judge_of(snake_eyes_nz, "hardway", n)
        same("NZ-4", memoryless_ev(judge), dice_facts(snake_eyes_nz, "hardway", n).ev)
    field = {1: F(-1, 36), 2: F(-1, 18), 3: F(-1, 18)}
    for table in tables:
        expected: dict[tuple[str, Pick], Fraction] = {
            ("craps_two", None): F(table["craps_two"] + 1, 36) - 1,
            ("craps_twelve", None): F(table["craps_twelve"] + 1, 36) - 1,
            ("craps_three", None): F(-1, 9),
            ("eleven_in_one", None): F(-1, 9),
            ("field", None): field[table["field"]],
            **{("hardway", n): F(table["hardway"][str(n)] + 1, 9) - 1 for n in (4, 10)},
            **{("hardway", n): F(table["hardway"][str(n)] + 1, 11) - 1 for n in (6, 8)},
        }
        for (wager, pick), edge in expected.items():
            same("NZ-4", memoryless_ev(judge_of(snake_eyes_nz, wager, pick, None, table)), edge)


# -- all ---------------------------------------------------------------------------------------------------


def manners() -> None:
    """An empty history decides nothing, a decided wager takes no more throws, and unknown names are refused."""
    for book in (craps, sic_bo, two_up, snake_eyes_nsw, snake_eyes_nz):
        listed: list[tuple[str, Pick]] = book.WAGERS
        same("manners", len(set(listed)), len(listed))
        for wager, pick in listed:
            for start in book.starts(wager, pick):
                same("manners", book.judge(wager, pick, start, []), None)
                same("manners", refuses_more(book, wager, pick, start), True)
        same("manners", refuses(partial(book.starts, "no_such_wager", None)), True)


def refuses(action: Callable[[], object]) -> bool:
    """Whether the call raises ValueError."""
    try:
        action()
    except ValueError:
        return True
    return False


def refuses_more(book: ModuleType, wager: str, pick: Pick, start: Start) -> bool:
    """Whether a throw after a decision at the first throw is always refused."""
    deciding = [o for o in book.OUTCOMES if book.judge(wager, pick, start, [o]) is not None]
    return all(refuses(partial(book.judge, wager, pick, start, [o, o])) for o in deciding)


# One throw or a few, and the whole verdict: what an edge alone cannot tell apart.
NAMED: tuple[tuple[ModuleType, str, Pick, Start, list[Any], Table, tuple[str, Fraction, str]], ...] = (
    (craps, "win_line", None, None, [(3, 4)], None, ("win", F(1), "6.2.1.1.1")),
    (craps, "win_line", None, None, [(3, 3), (1, 1), (4, 2)], None, ("win", F(1), "6.2.1.1.2")),
    (craps, "win_line", None, None, [(6, 6)], None, ("lose", F(0), "6.2.1.2.1")),
    (craps, "come", None, None, [(4, 6), (5, 6), (6, 1)], None, ("lose", F(0), "6.2.3.2.2")),
    (craps, "dont_win", None, None, [(1, 1)], None, ("void", F(0), "6.2.2.3")),
    (craps, "dont_win", None, None, [(1, 2)], None, ("win", F(1), "6.2.2.1.1")),
    (craps, "dont_come", None, None, [(5, 6)], None, ("lose", F(0), "6.2.4.2.1")),
    (craps, "dont_come", None, None, [(5, 4), (1, 1), (5, 2)], None, ("win", F(1), "6.2.4.1.2")),
    (craps, "behind_dont_win", None, 9, [(6, 6), (1, 6)], None, ("win", F(2, 3), "6.2.6.2")),
    (craps, "behind_come", 6, None, [(3, 3)], None, ("win", F(6, 5), "6.2.7.2")),
    (craps, "hardway", 6, None, [(4, 4), (5, 1)], None, ("lose", F(0), "6.2.9")),
    (craps, "horn_high", 12, None, [(6, 6)], None, ("win", F(63, 5), "6.2.22.2")),
    (craps, "lay", 8, None, [(6, 2)], None, ("lose", F(0), "6.2.25")),
    (craps, "field", None, None, [(1, 1)], None, ("win", F(2), "6.2.17")),
    (sic_bo, "small", None, None, [(1, 2, 2)], None, ("win", F(1), "3.1.1.1")),
    (sic_bo, "small", None, None, [(3, 3, 3)], None, ("lose", F(0), "3.1.1.2")),
    (sic_bo, "big", None, None, [(5, 6, 6)], None, ("win", F(1), "3.1.2.1")),
    (sic_bo, "odd", None, None, [(5, 6, 6)], None, ("win", F(1), "3.2.1.1")),
    (sic_bo, "even", None, None, [(2, 4, 4)], None, ("win", F(1), "3.2.2.1")),
    (sic_bo, "even", None, None, [(6, 6, 6)], None, ("lose", F(0), "3.2.2.2")),
    (sic_bo, "total", 6, None, [(2, 2, 2)], None, ("win", F(18), "3.1.6")),
    (sic_bo, "combination", (1, 2), None, [(1, 2, 1)], None, ("win", F(6), "3.1.7")),
    (sic_bo, "four_number", (2, 3, 5, 6), None, [(6, 2, 5)], None, ("win", F(7), "3.2.3")),
    (sic_bo, "four_number", (2, 3, 5, 6), None, [(4, 2, 5)], None, ("lose", F(0), "3.2.3")),
    (sic_bo, "four_number", (2, 3, 5, 6), None, [(2, 2, 5)], None, ("lose", F(0), "3.2.3")),
    (sic_bo, "super_streak", "size", "big", [(1, 1, 2)], None, ("lose", F(0), "6.4.1")),
    (sic_bo, "super_streak", "parity", "odd", [(1, 1, 3)] * 12, None, ("win", F(500), "6.4.2")),
    (two_up, "heads", None, None, [("T", "T")], None, ("lose", F(0), "4.1.2.2")),
    (two_up, "tails", None, None, [("H", "T"), ("T", "T")], None, ("win", F(1), "4.1.3.1")),
    (two_up, "spinner", "tails", None, [("T", "H")] * 5, None, ("lose", F(0), "4.1.1.2.2")),
    (snake_eyes_nsw, "field", None, None, [(1, 1)], "one", ("win", F(3), "6.1.7")),
    (snake_eyes_nsw, "field", None, None, [(1, 2)], "one", ("win", F(1), "6.1.7")),
    (snake_eyes_nsw, "field", None, None, [(6, 6)], "two", ("win", F(2), "6.1.7")),
    (snake_eyes_nsw, "hardway", 4, None, [(2, 2)], None, ("win", F(15, 2), "6.1.1")),
    (snake_eyes_nz, "field", None, None, [(1, 1)], None, ("win", F(3), "4.1(f)(i)")),
    (snake_eyes_nz, "field", None, None, [(6, 6)], None, ("win", F(2), "4.1(f)(i)")),
    (snake_eyes_nz, "hardway_combo", None, None, [(1, 2), (5, 3)], None, ("lose", F(0), "4.1(b)(ii)")),
)


def named_verdicts() -> None:
    """Whole verdicts, and the totals of each side of Sic Bo and of each Field."""
    for book, wager, pick, start, history, table, verdict in NAMED:
        same("named", tuple(book.judge(wager, pick, start, history, table)), verdict)
    sides = {
        "small": {4, 5, 6, 7, 8, 9, 10},
        "big": {11, 12, 13, 14, 15, 16, 17},
        "odd": {5, 7, 9, 11, 13, 15, 17},
        "even": {4, 6, 8, 10, 12, 14, 16},
    }
    for side, totals in sides.items():
        same("named", winning_totals(sic_bo, side, None), totals)
    for book, table in (
        (craps, None),
        (snake_eyes_nsw, "one"),
        (snake_eyes_nsw, "two"),
        *[(snake_eyes_nz, display) for display in snake_eyes_nz.PAY_TABLES[:3]],
    ):
        same("named", winning_totals(book, "field", table), {2, 3, 4, 9, 10, 11, 12})
    same("named", [craps.commission("place_to_win", 4, 500), craps.exact_unit("big_6", None)], [0, 1])


def winning_totals(book: ModuleType, wager: str, table: Table) -> set[int]:
    """The totals with which a wager on one throw can win."""
    return {sum(dice) for dice in book.OUTCOMES if book.judge(wager, None, None, [dice], table).result == "win"}


def main() -> int:
    """Run every check, print how many numbers agreed, and return that count."""
    checks.clear()
    known.clear()
    for part in (
        manners,
        named_verdicts,
        craps_lines,
        craps_behind,
        craps_numbers,
        craps_propositions,
        rounding,
        units_and_limits,
        sic_bo_results,
        super_streak,
        two_up_wagers,
        snake_eyes_nsw_columns,
        snake_eyes_nz_displays,
    ):
        part()
        print("ok", part.__name__)
    print(f"{checks.total()} numbers agree: " + ", ".join(f"{k} {n}" for k, n in checks.items()))
    return checks.total()


if __name__ == "__main__":
    main()
