"""Long random sessions over the pipe, with a bookkeeper and the oracle beside the table.

The bookkeeper follows every cent: chips in hand, stakes on the layout, commission, what the house won and lost. The
oracle judges each open wager by everything thrown since it was made.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from tests import oracle as oracles
from tests.oracle import Start, Verdict, craps
from tests.tables import ORACLES
from tests.talk import (
    BOOKS,
    CRAPS,
    SIC_BO,
    SNAKE_NSW,
    SNAKE_NZ,
    TWO_UP,
    Made,
    Reply,
    Talk,
    cents,
    fields_of,
    money,
    name_after,
    token,
)

CHIP = 100
ORACLE = {oracle.BOOK: oracle for oracle in ORACLES}
Key = tuple[str, str]  # player, and wager with its pick
Row = dict[str, object]  # a standing wager, as the pipe lists it


class Croupier:
    """Decides what a throw must do to each open wager."""

    def __init__(self, book: str) -> None:
        self.oracle = ORACLE[book]
        self.made: dict[Key, Made] = {}
        self.sides: dict[str, str] = {}  # on which the lines of Super Streak stand

    def judge(self, before: Reply, outcome: tuple[int, ...] | str) -> dict[Key, Verdict | None]:
        """The verdict on every wager that is open before the throw; None: it goes on."""
        faces: tuple[int | str, ...] = tuple(outcome)
        is_result = before.get("bets") != "open"  # Sic Bo: a throw with open bets is no result
        verdicts: dict[Key, Verdict | None] = {}
        made: dict[Key, Made] = {}
        for row in before["wagers"]:
            key, one = key_of(row), self._made(row, before)
            verdicts[key] = None
            if not is_result and one.wager != "super_streak":
                verdicts[key] = oracles.voided("8.3")
            elif is_result and row.get("on", True):
                one = one.after(faces)
                verdicts[key] = self.oracle.judge(one.wager, one.pick, one.start, one.thrown)
            if verdicts[key] is None:
                made[key[0], name_after(key[1], one)] = one
        self.made = made
        for player, name in verdicts:  # a Behind the Come that is off goes back with its Come (contract)
            if name.startswith("behind_come") and verdicts[player, name] is None:
                flat = verdicts.get((player, name.removeprefix("behind_")))
                if flat is not None:
                    verdicts[player, name] = oracles.voided("6.7.1")
                    del self.made[player, name]
        if self.oracle.BOOK == SIC_BO and is_result and len(set(faces)) > 1:
            total = sum(map(int, faces))
            self.sides = {"size": "big" if total > 10 else "small", "parity": "odd" if total % 2 else "even"}
        return verdicts

    def _made(self, row: Row, before: Reply) -> Made:
        """The wager if it is known already, or a new one."""
        known = self.made.get(key_of(row))
        if known is not None:
            return known
        wager, pick = str(row["wager"]), row["pick"]
        start: Start = None
        if wager in ("behind_win_line", "behind_dont_win"):
            start = before["puck"]
        elif wager == "super_streak":
            start = self.sides[str(pick)]
        return Made(wager, tuple(pick) if isinstance(pick, list) else pick, start)  # type: ignore[arg-type]


def key_of(row: Row) -> Key:
    return str(row["player"]), token(str(row["wager"]), row["pick"])


def names_of(book: str) -> list[str]:
    names = [token(wager, list(pick) if isinstance(pick, tuple) else pick) for wager, pick in ORACLE[book].WAGERS]
    return names + [name for name in names if name.startswith("super_streak")] * 5


def commission(name: str, stake: int) -> int:
    """The commission in cents."""
    wager, _, pick = name.partition(":")
    return craps.commission(wager, int(pick), stake) if wager in ("buy", "lay") else 0


def stake_for(name: str, rng: random.Random) -> int:
    """A stake, mostly an odd and awkward number of chips."""
    wager = name.partition(":")[0]
    unit = {"horn": 4, "horn_high": 5, "crap_eleven": 2, "lay": 6}.get(wager, 1)
    return 1000 if wager == "super_streak" else unit * rng.randint(1, 9) * CHIP


class Bookkeeper:
    """Follows every cent of a table from the commands and the events."""

    def __init__(self, talk: Talk, book: str) -> None:
        self.talk, self.book = talk, book
        self.croupier = Croupier(book)
        self.seen: Counter[str] = Counter()

    def worth(self, reply: Reply, player: str) -> int:
        """Chips in hand and on the layout, with the commission that taking a wager down would return."""
        rows = [row for row in reply["wagers"] if row["player"] == player]
        held = sum(commission(token(row["wager"], row["pick"]), cents(row["amount"])) for row in rows)
        return cents(reply["chips"][player]) + sum(cents(row["amount"]) for row in rows) + held

    def still(self, verb: str, **fields: object) -> Reply:
        """Check a command that moves money between hand and layout and nowhere else."""
        before = self.talk.last
        reply = self.talk.ask(verb, **fields)
        self.seen[f"{verb} {reply['ok']}"] += 1
        for player in reply["chips"]:
            assert self.worth(reply, player) == self.worth(before, player), (verb, fields)
        return reply

    def throw(self, outcome: tuple[int, ...] | str) -> None:
        before = self.talk.last
        verdicts = self.croupier.judge(before, outcome)
        reply = (
            self.talk.do("spin", coins=outcome)
            if isinstance(outcome, str)
            else self.talk.do("roll", dice=list(outcome))
        )
        returned: Counter[str] = Counter()
        decided_now = set()
        stakes = {(row["player"], token(row["wager"], row["pick"])): cents(row["amount"]) for row in before["wagers"]}
        for event in (event for event in reply["events"] if event["type"] == "wager_settled"):
            key = event["player"], token(event["wager"], event["pick"])
            assert key not in decided_now
            decided_now.add(key)
            found = verdicts[key]
            assert found is not None, (key, outcome, event)
            assert (event["result"], cents(event["stake"])) == (found.result, stakes[key]), (key, outcome, before)
            won = oracles.paid(stakes[key], found.odds, CHIP) if found.result == "win" else 0
            back = 0 if found.result == "lose" else stakes[key] + won
            assert cents(event["returned"]) == back, (key, outcome, event)
            returned[event["player"]] += back
            self.seen[found.result] += 1
        assert decided_now == {key for key, found in verdicts.items() if found is not None}
        for player, chips in reply["chips"].items():
            assert cents(chips) == cents(before["chips"][player]) + returned[player]
        left = Counter({key: stake for key, stake in stakes.items() if key not in decided_now})
        assert sum(cents(row["amount"]) for row in reply["wagers"]) == left.total()
        assert len(reply["wagers"]) == len(left)


def outcome_of(book: str, rng: random.Random) -> tuple[int, ...] | str:
    if book == TWO_UP:
        return rng.choice(["HH", "HT", "TH", "TT"])
    dice = 3 if book == SIC_BO else 2
    return tuple(rng.randint(1, 6) for _ in range(dice))


REASONS = {CRAPS: "5.2.3", TWO_UP: "7.1.1", SNAKE_NSW: "5.3.2", SNAKE_NZ: "6.4(c)"}


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("book", BOOKS)
def test_no_cent_appears_or_disappears_and_every_wager_does_what_its_clause_says(book: str, seed: int) -> None:
    rng = random.Random(f"{book} {seed}")
    talk = Talk(book, seats=dict.fromkeys(("ann", "bob", "cat"), "500.55"), max="60.00")
    books = Bookkeeper(talk, book)
    names = names_of(book)
    actions: list[tuple[int, Callable[[], object]]] = [
        (60, lambda: bet(books, rng, names)),
        (12, lambda: take(books, rng)),
        (10, lambda: call(books, rng)),
        (18, lambda: close_and_throw(books, rng)),
        (3, lambda: void(books)),
    ]
    weights = [weight for weight, _ in actions]
    for _ in range(700):
        rng.choices([action for _, action in actions], weights)[0]()
    assert books.seen["win"] > 20
    assert books.seen["lose"] > 20
    assert books.seen["bet True"] > 100
    assert books.seen["take True"] > 5
    assert books.seen["bet False"] + books.seen["take False"] > 3


def bet(books: Bookkeeper, rng: random.Random, names: list[str]) -> None:
    player = rng.choice(["ann", "bob", "cat"])
    name = rng.choice(names)
    if rng.random() < 0.3 and books.book == CRAPS:
        name = rng.choice(["win_line", "dont_win", "come", "dont_come", "behind_win_line", "behind_dont_win"])
    stake = stake_for(name, rng)
    books.still("bet", player=player, **fields_of(name), amount=money(stake))


def take(books: Bookkeeper, rng: random.Random) -> None:
    rows = books.talk.last["wagers"]
    if rows:
        row = rng.choice(rows)
        fields = {name: row[name] for name in ("player", "wager", "pick") if row[name] is not None}
        more = {"amount": money(stake_for(row["wager"], rng))} if rng.random() < 0.5 else {}
        books.still("take", **fields, **more)


def call(books: Bookkeeper, rng: random.Random) -> None:
    if books.book == CRAPS and books.talk.last["wagers"]:
        row = rng.choice(books.talk.last["wagers"])
        fields = {name: row[name] for name in ("player", "wager", "pick") if row[name] is not None}
        books.still("call", **fields, on=rng.random() < 0.5)


def close_and_throw(books: Bookkeeper, rng: random.Random) -> None:
    if books.talk.last.get("bets") == "open" and (books.book == TWO_UP or rng.random() < 0.9):
        assert books.still("no_more_bets")["ok"]
    books.throw(outcome_of(books.book, rng))


def void(books: Bookkeeper) -> None:
    if books.book in REASONS and (books.book != TWO_UP or books.talk.last["bets"] == "closed"):
        assert books.still("void", reason=REASONS[books.book])["ok"]
