"""Short sessions with flat stakes, played through for every possible sequence of throws.

Before each throw the wagers of the plan are made in order, unless they are already up, if the table allows it: a Win
Line before a come out roll, a Come while there is a point, a Behind wager as soon as its flat wager has its point, a
Super Streak while its window is open. The table starts as it opens: puck Off, no result yet, no Odds. The result of a
session is the sum of the wagers decided in it, including commission; open wagers count as neither won nor lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from tests.brute import craps, sic_bo, two_up
from tests.brute.lives import End, Life, Pick
from tests.brute.rounding import UNITS, cut, net_cents
from tests.brute.snake_eyes import Displayed
from tests.brute.wagers import Row, displayed, life_of

# Craps: the puck. Sic Bo: both lines of Super Streak. Two-Up: the Odds in a row. Snake Eyes: nothing.
Table = Any
Throw = Any


class Bet(NamedTuple):
    """A wager of the plan and its stake in cents. A Behind wager without a pick goes behind any point."""

    wager: str
    pick: Pick
    stake: int


class Standing(NamedTuple):
    """A wager on the layout: its number or side, and its memory."""

    on: Pick
    memory: Hashable


class Moment(NamedTuple):
    """The moment between two throws: the table, the open wagers of the plan, and the sum of the decided ones."""

    table: Table
    standing: tuple[Standing | None, ...]
    result: int = 0


Leads = Callable[[Moment], list[Moment]]


class Game(NamedTuple):
    """A book, the displayed pay table, the smallest chip in cents, and the plan."""

    book: str
    plan: tuple[Bet, ...]
    chip: int = 100
    pay_table: Displayed = None


FLAT_OF = {f"behind_{flat}": flat for flat in ("win_line", "dont_win", "come", "dont_come")}


def plan_for(wager: str, pick: Pick, stake: int, flat_stake: int = 0) -> tuple[Bet, ...]:
    """The plan for one wager; a Behind wager comes after its flat wager, and goes behind the point picked."""
    bet = Bet(wager, pick, stake)
    return (Bet(FLAT_OF[wager], None, flat_stake), bet) if wager in FLAT_OF else (bet,)


# -- the table ---------------------------------------------------------------------------------------------


def opening(book: str) -> Table:
    """The puck is Off; neither line has a side; there are no Odds."""
    return {sic_bo.BOOK: (None, None), two_up.BOOK: 0}.get(book)


def next_table(book: str, throw: Throw, table: Table) -> Table:
    """The table after a throw."""
    if book == craps.BOOK:
        return craps.next_puck(sum(throw), table)
    if book == sic_bo.BOOK:
        lines = zip(sic_bo.LINES.values(), table, strict=True)
        return tuple(next_line(throw, sides, line) for sides, line in lines)
    if book == two_up.BOOK:
        return 0 if throw[0] == throw[1] or table == 4 else table + 1
    return None


Line = tuple[str, int] | None  # the side of a Super Streak line and its counter


def next_line(dice: sic_bo.Dice, sides: tuple[str, str], line: Line) -> Line:
    """SB-1: a result on the same side adds 1; one on the other side opens the window there; a triple does nothing."""
    if sic_bo.triple(dice):
        return line
    (fallen,) = (side for side in sides if sic_bo.on_side(side, dice))
    return (fallen, line[1] + 1) if line is not None and line[0] == fallen else (fallen, 0)


def place_for(game: Game, bet: Bet, moment: Moment) -> Standing | None:
    """Where a wager would go if it were made now; None if it cannot be made."""
    if bet.wager in ("win_line", "dont_win", "come", "dont_come"):
        on_come_out = bet.wager in ("win_line", "dont_win")
        return Standing(None, None) if (moment.table is None) == on_come_out else None
    if bet.wager in FLAT_OF:
        flat = moment.standing[flat_place(game, bet)]
        point = flat.memory if flat is not None else None
        return Standing(point, None) if isinstance(point, int) and bet.pick in (None, point) else None
    if bet.wager == "super_streak":
        line = moment.table[list(sic_bo.LINES).index(bet.pick)]
        return Standing(line[0], 0) if line is not None and line[1] == 0 else None
    if game.book == two_up.BOOK and moment.table != 0:
        return None
    return Standing(bet.pick, life_on(game.book, bet, bet.pick, game.pay_table).start)


def flat_place(game: Game, bet: Bet) -> int:
    """The position of a Behind wager's flat wager in the plan."""
    return [other.wager for other in game.plan].index(FLAT_OF[bet.wager])


@cache
def life_on(book: str, bet: Bet, on: Pick, pay_table: Displayed) -> Life:
    """The life of a wager on a number or a side."""
    if bet.wager == "super_streak":
        return sic_bo.life(bet.wager, bet.pick, str(on))
    shown = displayed(book, bet.wager, on)[0] if pay_table is None else pay_table
    return life_of(Row(book, bet.wager, on, shown))


def commission(game: Game, bet: Bet) -> int:
    """The commission paid with the stake when the wager is made: cut to the cent (CR-8)."""
    if bet.wager not in ("buy", "lay"):
        return 0
    return cut(life_on(game.book, bet, bet.pick, game.pay_table).commission * bet.stake)


def asleep(game: Game, bet: Bet, moment: Moment) -> bool:
    """6.7.1 of Craps: before a come out roll."""
    return game.book == craps.BOOK and bet.wager in craps.SLEEPERS and moment.table is None


# -- one throw ---------------------------------------------------------------------------------------------


def in_hand(game: Game, moment: Moment, bankroll: int) -> int:
    """The money that is not on the layout; commission is gone as soon as its wager is made."""
    laid = [bet for bet, it in zip(game.plan, moment.standing, strict=True) if it is not None]
    return bankroll + moment.result - sum(bet.stake + commission(game, bet) for bet in laid)


def with_wagers_made(game: Game, moment: Moment, bankroll: int | None) -> Moment:
    """The moment after the player has made every wager that is possible and that the money covers."""
    for i, bet in enumerate(game.plan):
        place = place_for(game, bet, moment) if moment.standing[i] is None else None
        cost = bet.stake + commission(game, bet)
        if place is not None and (bankroll is None or in_hand(game, moment, bankroll) >= cost):
            moment = moment._replace(standing=(*moment.standing[:i], place, *moment.standing[i + 1 :]))
    return moment


def after(game: Game, moment: Moment, throw: Throw) -> Moment:
    """The moment after a throw: each awake wager is decided or goes on, then the table changes."""
    standing: list[Standing | None] = list(moment.standing)
    result = moment.result
    for i, bet in enumerate(game.plan):
        it = standing[i]
        if it is None or asleep(game, bet, moment):
            continue
        led_to = life_on(game.book, bet, it.on, game.pay_table).decide(throw, it.memory)
        if isinstance(led_to, End):
            standing[i] = None
            result += net_cents(led_to, bet.stake, game.chip) - commission(game, bet)
        else:
            standing[i] = it._replace(memory=led_to)
    for i, bet in enumerate(game.plan):  # CR-9, CR-10: nothing lies behind a wager that is gone
        if bet.wager in FLAT_OF and standing[flat_place(game, bet)] is None:
            standing[i] = None
    return Moment(next_table(game.book, throw, moment.table), tuple(standing), result)


def throws_of(book: str) -> list[Throw]:
    """All equally likely throws: 36, 216 or 4 of them."""
    known: dict[str, list[Throw]] = {sic_bo.BOOK: sic_bo.RESULTS, two_up.BOOK: two_up.SPINS}
    return known.get(book, craps.THROWS)


def turns(game: Game, bankroll: int | None = None) -> Leads:
    """What each throw leads to from a moment, in the order of the throws; cached for each moment."""
    for bet in game.plan:
        assert bet.stake > 0, bet
        assert bet.stake % (game.chip * UNITS.get(bet.wager, 1)) == 0, bet

    @cache
    def leads_to(moment: Moment) -> list[Moment]:
        ready = with_wagers_made(game, moment, bankroll)
        return [after(game, ready, throw) for throw in throws_of(game.book)]

    return leads_to


def seated(game: Game) -> Moment:
    """The moment before the first throw."""
    return Moment(opening(game.book), (None,) * len(game.plan))


def played(game: Game, sequence: Sequence[Throw]) -> list[Moment]:
    """One session for inspection: the moment after each throw."""
    moments = [seated(game)]
    for throw in sequence:
        moments.append(after(game, with_wagers_made(game, moments[-1], None), throw))
    return moments[1:]


# -- sessions ----------------------------------------------------------------------------------------------


def session(game: Game, throws: int) -> dict[int, int]:
    """How many of all sequences of this many throws give how many cents, for a player whose money never runs out."""
    return counted(game, throws, turns(game), [(i, 1) for i, _ in enumerate(throws_of(game.book))])


def session_by_classes(game: Game, throws: int) -> dict[int, int]:
    """The same for longer sessions: one throw stands for all throws that have the same effect at every possible
    moment."""
    leads_to = turns(game)
    return counted(game, throws, leads_to, classes(game, throws, leads_to))


def classes(game: Game, throws: int, leads_to: Leads) -> list[tuple[int, int]]:
    """One throw of each class, with the size of its class."""
    moments = newest = {seated(game)}
    for _ in range(throws - 1):
        newest = {reached._replace(result=0) for moment in newest for reached in leads_to(moment)} - moments
        moments = moments | newest
    alike: dict[tuple[Moment, ...], list[int]] = {}
    for i, column in enumerate(zip(*(leads_to(moment) for moment in moments), strict=True)):
        alike.setdefault(column, []).append(i)
    return [(members[0], len(members)) for members in alike.values()]


def counted(game: Game, throws: int, leads_to: Leads, chosen: list[tuple[int, int]]) -> dict[int, int]:
    """Every sequence of the chosen throws, weighted by their numbers, by its result."""
    results: Counter[int] = Counter()

    def play_on(moment: Moment, left: int, so_far: int, times: int) -> None:
        row = leads_to(moment)
        for i, ways in chosen:
            reached = row[i]
            if left == 1:
                results[so_far + reached.result] += times * ways
            else:
                play_on(reached._replace(result=0), left - 1, so_far + reached.result, times * ways)

    play_on(seated(game), throws, 0, 1)
    return dict(results)


class Fates(NamedTuple):
    """The probabilities of being ruined, of having reached the target and of still playing, and the distribution of the
    result.
    """

    ruined: Fraction
    reached: Fraction
    playing: Fraction
    results: dict[int, Fraction]


def fate(game: Game, moment: Moment, bankroll: int, target: int | None) -> str:
    """Whether the player goes on.

    The player stops when the money has reached the target, and is ruined when no wager is open and the money does not
    cover the cheapest wager of the plan that can be made by itself.
    """
    if target is not None and bankroll + moment.result >= target:
        return "reached"
    cheapest = min(bet.stake + commission(game, bet) for bet in game.plan if bet.wager not in FLAT_OF)
    nothing_stands = all(it is None for it in moment.standing)
    return "ruined" if nothing_stands and in_hand(game, moment, bankroll) < cheapest else "playing"


def ruin(game: Game, throws: int, bankroll: int, target: int | None = None) -> Fates:
    """What happens to a player with this much money within this many throws, over all sequences."""
    leads_to = turns(game, bankroll)
    outcomes = len(throws_of(game.book))
    fates: Counter[str] = Counter()
    results: Counter[int] = Counter()

    def play_on(moment: Moment, left: int) -> None:
        now = fate(game, moment, bankroll, target)
        if now == "playing" and left > 0:
            for reached in leads_to(moment):
                play_on(reached, left - 1)
        else:  # for all sequences that begin like this one
            fates[now] += outcomes**left
            results[moment.result] += outcomes**left

    assert target is None or target > bankroll
    play_on(seated(game), throws)
    every = outcomes**throws
    ruined, reached, playing = (Fraction(fates[name], every) for name in ("ruined", "reached", "playing"))
    return Fates(ruined, reached, playing, {result: Fraction(ways, every) for result, ways in results.items()})
