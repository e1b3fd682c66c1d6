"""Long random sessions over the pipe, with a bookkeeper and a croupier of the test's own beside the table.

The bookkeeper follows every cent: chips in hand, stakes on the layout, commission, what the house won and lost. The
croupier knows from the reply before a throw (and, where a book counts, from what fell before) what each standing wager
must do, and compares.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest

from tests.talk import (
    BOOKS,
    CRAPS,
    SIC_BO,
    SNAKE_NSW,
    SNAKE_NZ,
    TWO_UP,
    Reply,
    Talk,
    cents,
    fields_of,
    money,
    token,
)
from tests.test_pipe_sic_bo import LAYOUT, RUNGS, pays
from tests.test_pipe_snake_eyes import NZ, ONE, decided
from tests.test_pipe_snake_eyes import WAGERS as SNAKE_WAGERS

CHIP = 100
Verdict = tuple[str, Fraction] | None  # result and what one unit wins
POINTS = (4, 5, 6, 8, 9, 10)
TRUE = {4: Fraction(2), 5: Fraction(3, 2), 6: Fraction(6, 5)}
PLACE = {4: Fraction(9, 5), 5: Fraction(7, 5), 6: Fraction(7, 6)}
AGAINST = {4: Fraction(5, 11), 5: Fraction(5, 8), 6: Fraction(4, 5)}
PROPOSITIONS: dict[str, dict[int, Fraction]] = {
    "any_craps": dict.fromkeys((2, 3, 12), Fraction(15, 2)),
    "craps_two": {2: Fraction(33)},
    "craps_three": {3: Fraction(16)},
    "craps_twelve": {12: Fraction(33)},
    "eleven": {11: Fraction(16)},
    "any_seven": {7: Fraction(4)},
    "field": dict.fromkeys((3, 4, 9, 10, 11), Fraction(1)) | dict.fromkeys((2, 12), Fraction(2)),
    # Net of the parts that lose: a quarter at 33 or 16 less three quarters, and so on.
    "horn": {2: Fraction(15, 2), 3: Fraction(13, 4), 11: Fraction(13, 4), 12: Fraction(15, 2)},
    "crap_eleven": dict.fromkeys((2, 3, 12), Fraction(13, 4)) | {11: Fraction(15, 2)},
}


def verdict(result: str, odds: Fraction | int = 0) -> Verdict:
    return result, Fraction(odds)


def craps_verdict(wager: str, pick: object, on: bool, puck: int | None, dice: tuple[int, ...]) -> Verdict:
    total = sum(dice)
    if wager in PROPOSITIONS:
        odds = PROPOSITIONS[wager].get(total)
        return verdict("lose") if odds is None else verdict("win", odds)
    if wager == "horn_high":
        assert isinstance(pick, int)
        each = {2: 33, 3: 16, 11: 16, 12: 33}
        parts = 2 if total == pick else 1
        return verdict("win", Fraction(each[total] * parts - (5 - parts), 5)) if total in each else verdict("lose")
    number = {"big_6": 6, "big_8": 8}.get(wager, pick if pick is not None else puck)
    if number is None or (wager in ("come", "dont_come") and pick is None):  # a first roll
        naturals = (
            {"win": (3, 12), "lose": (7, 11), "void": (2,)} if "dont" in wager else {"win": (7, 11), "lose": (2, 3, 12)}
        )
        return next((verdict(result, 1) for result, totals in naturals.items() if total in totals), None)
    assert isinstance(number, int)
    if total not in (7, number):
        return None
    if not on:
        return verdict("void") if wager == "behind_come" else None
    far = min(number, 14 - number)
    against = "dont" in wager or wager in ("place_to_lose", "lay")
    wins = (total == 7) == against and (wager != "hardway" or dice[0] == dice[1])
    odds = {
        "hardway": Fraction(15 if far == 4 else 19, 2),
        "place_to_win": PLACE.get(far),
        "place_to_lose": AGAINST.get(far),
        "buy": TRUE[far],
        "lay": 1 / TRUE[far],
        "behind_win_line": TRUE[far],
        "behind_come": TRUE[far],
        "behind_dont_win": 1 / TRUE[far],
        "behind_dont_come": 1 / TRUE[far],
    }.get(wager, Fraction(1))
    assert odds is not None
    return verdict("win", odds) if wins else verdict("lose")


class Croupier:
    """What a throw must do to each standing wager."""

    def __init__(self, book: str) -> None:
        self.book = book
        self.closed = False
        self.odds_in_a_row = 0
        self.spinner_run = 0
        self.lines: dict[str, tuple[bool, int]] = {}  # of Super Streak: side and counter

    def judge(self, before: Reply, outcome: tuple[int, ...] | str) -> dict[tuple[str, str], Verdict]:
        verdicts = {}
        streaks = self.streak(outcome) if self.book == SIC_BO and self.closed and not isinstance(outcome, str) else {}
        spun = self.spin(outcome) if isinstance(outcome, str) else {}
        for row in before["wagers"]:
            wager, pick = row["wager"], row["pick"]
            name = token(wager, pick)
            found: Verdict
            if self.book == CRAPS:
                assert not isinstance(outcome, str)
                found = craps_verdict(wager, pick, row["on"], before["puck"], outcome)
            elif self.book == TWO_UP:
                found = spun.get(name)
            elif wager == "super_streak":
                found = streaks.get(pick)
            elif self.book == SIC_BO:
                assert not isinstance(outcome, str)
                a, b, c = sorted(outcome)
                odds = pays(wager, pick, (a, b, c))
                found = (verdict("win", odds) if odds else verdict("lose")) if self.closed else verdict("void")
            else:
                assert not isinstance(outcome, str)
                result = decided(name, (outcome[0], outcome[1]))
                table = ONE if self.book == SNAKE_NSW else NZ
                rate = Fraction(table.get(f"{name} {sum(outcome)}", table[name]), 2)
                found = None if result is None else verdict(result, rate)
            verdicts[row["player"], name] = found
        return verdicts

    def streak(self, dice: tuple[int, ...]) -> dict[object, Verdict]:
        found: dict[object, Verdict] = {}
        if len(set(dice)) == 1:
            return found
        for line, side in (("size", sum(dice) > 10), ("parity", sum(dice) % 2 == 1)):
            old, count = self.lines.get(line, (not side, 0))
            if side != old:
                found[line] = verdict("win", RUNGS[count]) if count in RUNGS else verdict("lose")
                self.lines[line] = side, 0
            else:
                self.lines[line] = side, count + 1
                if count + 1 == 12:
                    found[line] = verdict("win", 500)
        return found

    def spin(self, coins: str) -> dict[str, Verdict]:
        won, lost = verdict("win", 1), verdict("lose")
        if coins in ("HT", "TH"):
            self.odds_in_a_row += 1
            if self.odds_in_a_row < 5:
                return {}
            self.odds_in_a_row = self.spinner_run = 0
            return dict.fromkeys(("heads", "tails", "spinner:heads", "spinner:tails"), lost)
        self.odds_in_a_row = 0
        side, other = ("heads", "tails") if coins == "HH" else ("tails", "heads")
        self.spinner_run += 1
        found = {side: won, other: lost, f"spinner:{other}": lost}
        if self.spinner_run == 3:
            found[f"spinner:{side}"] = verdict("win", Fraction(15, 2))
        return found


def names_of(book: str) -> list[str]:
    if book == CRAPS:
        return [
            *("win_line", "dont_win", "come", "dont_come", "behind_win_line", "behind_dont_win", "big_6", "big_8"),
            *PROPOSITIONS,
            *[f"horn_high:{pick}" for pick in (2, 3, 11, 12)],
            *[f"hardway:{pick}" for pick in (4, 6, 8, 10)],
            *[
                f"{wager}:{pick}"
                for wager in ("behind_come", "behind_dont_come", "place_to_win", "place_to_lose", "buy", "lay")
                for pick in POINTS
            ],
        ]
    if book == SIC_BO:
        return [*[token(wager, pick) for wager, pick, _ in LAYOUT], *["super_streak:size", "super_streak:parity"] * 6]
    if book == TWO_UP:
        return ["heads", "tails", "spinner:heads", "spinner:tails"]
    return SNAKE_WAGERS


def commission(name: str, stake: int) -> int:
    """In cents; the stakes of this test are such that no part of a cent arises."""
    wager, _, pick = name.partition(":")
    if wager not in ("buy", "lay"):
        return 0
    true = TRUE[min(int(pick), 14 - int(pick))]
    due = stake * Fraction(1, 20) if wager == "buy" else stake / true / 20
    assert due.denominator == 1
    return int(due)


def stake_for(name: str, rng: random.Random) -> int:
    """Mostly odd and awkward numbers of chips."""
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
        """Chips in hand and on the layout, with the commission that a removal would give back."""
        rows = [row for row in reply["wagers"] if row["player"] == player]
        held = sum(commission(token(row["wager"], row["pick"]), cents(row["amount"])) for row in rows)
        return cents(reply["chips"][player]) + sum(cents(row["amount"]) for row in rows) + held

    def still(self, verb: str, **fields: object) -> Reply:
        """A command that moves money between hand and layout and nowhere else."""
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
            result, odds = found
            assert (event["result"], cents(event["stake"])) == (result, stakes[key]), (key, outcome, before)
            won = -(-stakes[key] * odds // CHIP) * CHIP if result == "win" else 0
            back = 0 if result == "lose" else stakes[key] + int(won)
            assert cents(event["returned"]) == back, (key, outcome, event)
            returned[event["player"]] += back
            self.seen[result] += 1
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
    fresh = not any(row["wager"] == "spinner" for row in books.talk.last["wagers"])
    reply = books.still("bet", player=player, **fields_of(name), amount=money(stake))
    if reply["ok"] and name.startswith("spinner") and fresh:
        books.croupier.spinner_run = 0


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
    if books.book in (SIC_BO, TWO_UP) and (books.book == TWO_UP or rng.random() < 0.9):
        if not books.croupier.closed:
            assert books.still("no_more_bets")["ok"]
        books.croupier.closed = True
    outcome = outcome_of(books.book, rng)
    books.throw(outcome)
    books.croupier.closed = books.book == TWO_UP and books.croupier.odds_in_a_row > 0


def void(books: Bookkeeper) -> None:
    if books.book in REASONS and (books.book != TWO_UP or books.croupier.closed):
        assert books.still("void", reason=REASONS[books.book])["ok"]
