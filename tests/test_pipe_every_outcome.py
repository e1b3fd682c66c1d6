"""Every outcome over the pipe: each wager of a full layout is settled as the oracle judges it, to the cent.

`test_enumeration.py` compares the engine with the oracle in every state. This test is about what the pipe prints:
result, stake, winnings, what is returned, the clause, and which wagers stay up.
"""

from __future__ import annotations

from types import ModuleType

import pytest

from tests import oracle as oracles
from tests.oracle import craps, sic_bo, snake_eyes_nsw, snake_eyes_nz, two_up
from tests.tables import ORACLES
from tests.talk import Made, Reply, Talk, clauses, money, name_after, pairs, settled, token

STAKE = 1320_00  # is paid exactly at all odds: rounding has tests of its own
CHIP = 100
Faces = tuple[int | str, ...]


class Evening:
    """A conversation with one table, and the oracle's record of the open wagers."""

    def __init__(self, oracle: ModuleType, said: object = None, pay_table: object = None) -> None:
        """`said` is the pay table as it is sent to the pipe, and `pay_table` its meaning; None is the default."""
        options = {} if said is None else {"pay_table": said}
        self.talk = Talk(oracle.BOOK, seats={"ann": "1000000.00"}, **options)
        self.oracle = oracle
        self.pay_table = pay_table
        self.standing: dict[str, Made] = {}  # by the name that the pipe shows

    def bet(self, *wagers: Made) -> None:
        """Make every wager that the table accepts at this moment."""
        for one in wagers:
            pick = list(one.pick) if isinstance(one.pick, tuple) else one.pick
            named = {} if pick is None else {"pick": pick}
            reply = self.talk.ask("bet", player="ann", wager=one.wager, amount=money(STAKE), **named)
            if reply["ok"]:
                self.standing[token(one.wager, pick)] = one

    def throw(self, outcome: Faces) -> None:
        """Throw, and compare every settlement with the oracle's verdict."""
        come_out = self.talk.last.get("puck", "no puck") is None
        if self.talk.last.get("bets") == "open":
            self.talk.do("no_more_bets")
        coins = isinstance(outcome[0], str)
        reply = self.talk.do("spin", coins="".join(map(str, outcome))) if coins else self.talk.do("roll", dice=outcome)
        expected, cited, left = {}, {}, {}
        for name, made in self.standing.items():
            if come_out and craps.sleeps(made.wager):
                left[name] = made
                continue
            made = made.after(outcome)
            verdict = self.oracle.judge(made.wager, made.pick, made.start, made.thrown, self.pay_table)
            if verdict is None:
                left[name_after(name, made)] = made
                continue
            paid = oracles.paid(STAKE, verdict.odds, CHIP) if verdict.result == "win" else 0
            back = {"win": STAKE + paid, "lose": 0, "void": STAKE}[verdict.result]
            expected[name] = (verdict.result, money(STAKE), money(paid), money(back))
            cited[name] = verdict.clause
        self._compare(reply, expected, cited, left)

    def _compare(
        self, reply: Reply, expected: dict[str, tuple[str, str, str, str]], cited: dict[str, str], left: dict[str, Made]
    ) -> None:
        assert settled(reply) == expected
        assert clauses(reply) == cited
        assert self.talk.standing() == dict.fromkeys(left, money(STAKE))
        self.standing = left


NZ = snake_eyes_nz.PAY_TABLES
HARD = NZ[0]["hardway"]
PAY_TABLES: list[tuple[str, ModuleType, object, object]] = [
    *[(f"{oracle.BOOK}-default", oracle, None, None) for oracle in ORACLES],
    *[(f"{snake_eyes_nsw.BOOK}-{name}", snake_eyes_nsw, name, name) for name in snake_eyes_nsw.PAY_TABLES],
    *[(f"{snake_eyes_nz.BOOK}-{number}", snake_eyes_nz, NZ[number], NZ[number]) for number in (0, 333, -1)],
    (f"{snake_eyes_nz.BOOK}-empty", snake_eyes_nz, {}, NZ[0]),
    (f"{snake_eyes_nz.BOOK}-hardway", snake_eyes_nz, {"hardway": {"4": 6}}, {**NZ[0], "hardway": {**HARD, "4": 6}}),
    (
        f"{snake_eyes_nz.BOOK}-mixed",
        snake_eyes_nz,
        {"hardway": {"10": 6, "6": 8}, "craps_two": 31, "field": 3},
        {**NZ[0], "hardway": {**HARD, "10": 6, "6": 8}, "craps_two": 31, "field": 3},
    ),
]
# Without a point there is nothing to lie behind and no Come; a lone player is one spinner, on one side.
AT_ONCE = {
    craps.BOOK: len(craps.WAGERS) - 16,
    sic_bo.BOOK: len(sic_bo.WAGERS) - 2,
    two_up.BOOK: 3,
    snake_eyes_nsw.BOOK: len(snake_eyes_nsw.WAGERS),
    snake_eyes_nz.BOOK: len(snake_eyes_nz.WAGERS),
}


@pytest.mark.parametrize(
    ("oracle", "said", "pay_table"), [row[1:] for row in PAY_TABLES], ids=[row[0] for row in PAY_TABLES]
)
def test_a_full_layout_on_every_outcome(oracle: ModuleType, said: object, pay_table: object) -> None:
    wagers = [Made(wager, pick) for wager, pick in oracle.WAGERS if oracle.starts(wager, pick) == [None]]
    for outcome in oracle.OUTCOMES:
        evening = Evening(oracle, said, pay_table)
        evening.bet(*wagers)
        assert len(evening.standing) == AT_ONCE[oracle.BOOK]
        evening.throw(outcome)


@pytest.mark.parametrize("point", craps.POINTS)
def test_a_full_layout_on_a_point_with_come_wagers_on_a_number(point: int) -> None:
    number = craps.POINTS[craps.POINTS.index(point) - 1]  # each number has its turn
    for outcome in craps.OUTCOMES:
        evening = Evening(craps)
        evening.bet(Made("win_line", None), Made("dont_win", None))
        evening.throw(pairs(point)[0])
        evening.bet(Made("come", None), Made("dont_come", None))
        evening.throw(pairs(number)[0])
        behind = [Made("behind_win_line", None, point), Made("behind_dont_win", None, point)]
        evening.bet(*behind, Made("behind_come", number), Made("behind_dont_come", number))
        evening.bet(*[Made(wager, pick) for wager, pick in craps.WAGERS if not wager.startswith("behind")])
        assert len(evening.standing) == len(craps.WAGERS) - 10 + 2  # behind one number of six; Come wagers twice
        evening.throw(outcome)


@pytest.mark.parametrize("side", ["heads", "tails"])
def test_every_course_of_a_spinners_turn(side: str) -> None:
    for first in two_up.OUTCOMES:
        for second in two_up.OUTCOMES:
            for third in two_up.OUTCOMES:
                evening = Evening(two_up)
                evening.bet(Made("spinner", side), Made("heads", None), Made("tails", None))
                for outcome in (first, second, third, *[("H", "T")] * 5):
                    evening.throw(outcome)
                assert evening.standing == {}
