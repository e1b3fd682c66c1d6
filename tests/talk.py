"""The driver through which all tests/test_pipe_*.py speak to the pipe: it knows the contract, and nothing of the
package."""

from __future__ import annotations

import json
import re
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from croupier.pipe import Pipe
from croupier.rules.shelf import Shelf
from tests.oracle import Pick, Start

CRAPS, SIC_BO, TWO_UP = "craps-nsw-2024", "sic-bo-nsw-2016", "two-up-nsw-2016"
SNAKE_NSW, SNAKE_NZ = "snake-eyes-nsw-2019", "snake-eyes-nz"
BOOKS = [CRAPS, SIC_BO, TWO_UP, SNAKE_NSW, SNAKE_NZ]
CLOSED_BOOKS = [SIC_BO, TWO_UP]  # the books with "no more bets"

SHELF = Shelf()  # the books, read once for all conversations

Reply = dict[str, Any]
MONEY = re.compile(r"(0|[1-9][0-9]*)\.[0-9]{2}", re.ASCII)
SETTLED = {"type", "player", "wager", "pick", "result", "stake", "paid", "returned", "clause"}
_RULEBOOKS = Path(__file__).parent.parent / "src" / "croupier" / "rulebooks"
_CLAUSES = {
    book: set(tomllib.loads((_RULEBOOKS / book / "clauses.toml").read_text("utf-8"))["clauses"]) for book in BOOKS
}


def cents(money: str) -> int:
    assert MONEY.fullmatch(money), money
    return int(Decimal(money.replace(".", "")))  # by way of Decimal, which has no limit of digits


def money(amount: int) -> str:
    return f"{amount // 100}.{amount % 100:02}"


def token(wager: str, pick: object) -> str:
    """`hardway` with pick 4 is `hardway:4`, `combination` with [1, 2] is `combination:1,2`."""
    if pick is None:
        return wager
    return f"{wager}:{','.join(map(str, pick)) if isinstance(pick, list) else pick}"


class Made(NamedTuple):
    """A wager as the oracle knows it, with all throws since it was made."""

    wager: str
    pick: Pick
    start: Start = None
    thrown: tuple[tuple[int | str, ...], ...] = ()

    def after(self, faces: tuple[int | str, ...]) -> Made:
        """The same wager after one more throw."""
        return self._replace(thrown=(*self.thrown, faces))


def name_after(name: str, made: Made) -> str:
    """The pipe's name for a wager after a throw: a Come wager that has travelled has its number."""
    if made.wager in ("come", "dont_come") and ":" not in name:
        return f"{name}:{sum(map(int, made.thrown[-1]))}"
    return name


def fields_of(name: str) -> dict[str, object]:
    """The wager and pick fields for which a token stands."""
    wager, _, pick = name.partition(":")
    if not pick:
        return {"wager": wager}
    if "," in pick:
        return {"wager": wager, "pick": [int(face) for face in pick.split(",")]}
    return {"wager": wager, "pick": int(pick) if pick.isdigit() else pick}


def check_shape(reply: Reply, book: str | None) -> None:
    """Check what the contract says of every reply."""
    assert isinstance(reply["ok"], bool)
    assert isinstance(reply["chips"], dict)
    assert all(isinstance(held, str) and MONEY.fullmatch(held) for held in reply["chips"].values())
    for wager in reply["wagers"]:
        assert {"player", "wager", "pick", "amount"} <= set(wager)
        assert MONEY.fullmatch(wager["amount"])
        assert wager["amount"] != "0.00"
        assert wager["player"] in reply["chips"]
        assert book != CRAPS or isinstance(wager["on"], bool)
    if book == CRAPS:
        assert reply["puck"] in (None, 4, 5, 6, 8, 9, 10)
    if not reply["ok"]:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", reply["code"])
        assert reply["clause"] is None or isinstance(reply["clause"], str)
        assert isinstance(reply["message"], str)
        assert reply["message"]
        return
    for event in reply["events"]:
        assert isinstance(event["type"], str)
        if event["type"] == "wager_settled":
            check_settlement(event, book)


def check_settlement(event: Reply, book: str | None) -> None:
    assert set(event) == SETTLED
    stake, paid, returned = cents(event["stake"]), cents(event["paid"]), cents(event["returned"])
    assert stake > 0
    assert event["clause"] is None or book is None or event["clause"] in _CLAUSES[book]
    match event["result"]:
        case "win":
            if event["wager"] in ("horn", "horn_high", "crap_eleven"):
                # The parts that miss are lost (CR-1, CR-2). The contract does not say whether `paid` is what the part
                # that hit wins, or that less the parts lost; `returned` is the same either way.
                assert paid < returned <= paid + stake
            else:
                assert returned == paid + stake
        case "lose":
            assert (paid, returned) == (0, 0)
        case "void":
            assert (paid, returned) == (0, stake)
        case other:
            pytest.fail(f"unknown result {other!r}")


class Talk:
    """A conversation with one table; every reply is checked for its shape, and every refusal for changing nothing."""

    def __init__(self, book: str | None = None, seats: object = None, **fields: object) -> None:
        self.pipe = Pipe(SHELF)
        self.book: str | None = None
        self.last: Reply = {}
        if book is not None:
            self.do("open", book=book, **fields)
            for player, chips in (seats if isinstance(seats, dict) else {"ann": "100000.00"}).items():
                self.do("seat", player=player, chips=chips)

    def send(self, line: bytes) -> Reply:
        answer = self.pipe.answer(line)
        assert b"\n" not in answer.rstrip(b"\n")
        reply: Reply = json.loads(answer.decode("utf-8"))
        check_shape(reply, self.book)
        if not reply["ok"] and self.last:
            assert reply["chips"] == self.last["chips"]
            assert listed(reply) == listed(self.last)
            assert reply.get("puck") == self.last.get("puck")
        self.last = reply
        return reply

    def ask(self, verb: str, **fields: object) -> Reply:
        reply = self.send(json.dumps({"do": verb, **fields}).encode())
        if verb == "open" and reply["ok"]:
            self.book = str(fields["book"])
            check_shape(reply, self.book)
        return reply

    def do(self, verb: str, **fields: object) -> Reply:
        reply = self.ask(verb, **fields)
        assert reply["ok"], (verb, fields, reply)
        return reply

    def no(self, verb: str, **fields: object) -> Reply:
        reply = self.ask(verb, **fields)
        assert not reply["ok"], (verb, fields, reply)
        return reply

    def bet(self, name: str, amount: str, player: str = "ann") -> Reply:
        return self.do("bet", player=player, **fields_of(name), amount=amount)

    def no_bet(self, name: str, amount: str, player: str = "ann") -> Reply:
        return self.no("bet", player=player, **fields_of(name), amount=amount)

    def take(self, name: str, amount: str | None = None, player: str = "ann") -> Reply:
        return self.do("take", player=player, **fields_of(name), **({} if amount is None else {"amount": amount}))

    def no_take(self, name: str, amount: str | None = None, player: str = "ann") -> Reply:
        return self.no("take", player=player, **fields_of(name), **({} if amount is None else {"amount": amount}))

    def call(self, name: str, on: bool, player: str = "ann") -> Reply:
        return self.do("call", player=player, **fields_of(name), on=on)

    def roll(self, *dice: int) -> Reply:
        return self.do("roll", dice=list(dice))

    def close_and(self, outcome: tuple[int, ...] | str) -> Reply:
        """Close the bets, then throw the dice or the coins."""
        self.do("no_more_bets")
        return self.do("spin", coins=outcome) if isinstance(outcome, str) else self.roll(*outcome)

    def chips(self, player: str = "ann") -> str:
        held = self.last["chips"][player]
        assert isinstance(held, str)
        return held

    def standing(self, player: str = "ann") -> dict[str, str]:
        return {token(w["wager"], w["pick"]): w["amount"] for w in self.last["wagers"] if w["player"] == player}

    def on(self, player: str = "ann") -> dict[str, bool]:
        return {token(w["wager"], w["pick"]): w["on"] for w in self.last["wagers"] if w["player"] == player}


def listed(reply: Reply) -> list[str]:
    """The wagers of a reply in a fixed order, since any order is allowed."""
    return sorted(json.dumps(wager, sort_keys=True) for wager in reply["wagers"])


def settled(reply: Reply, player: str = "ann") -> dict[str, tuple[str, str, str, str]]:
    """The result, stake, winnings and return of each wager of a player that a reply settles."""
    found: dict[str, tuple[str, str, str, str]] = {}
    for event in reply["events"]:
        if event["type"] == "wager_settled" and event["player"] == player:
            name = token(event["wager"], event["pick"])
            assert name not in found, f"{name} settled twice"
            found[name] = (event["result"], event["stake"], event["paid"], event["returned"])
    return found


def clauses(reply: Reply) -> dict[str, str]:
    """The clause of each settlement of a reply."""
    return {
        token(event["wager"], event["pick"]): event["clause"]
        for event in reply["events"]
        if event["type"] == "wager_settled"
    }


def pairs(total: int) -> list[tuple[int, int]]:
    """Every way in which two dice make a total."""
    return [(first, total - first) for first in range(1, 7) if 1 <= total - first <= 6]


# One wager of each book that two dice, three dice or two coins decide at once.
PLAIN = {CRAPS: "field", SIC_BO: "big", TWO_UP: "heads", SNAKE_NSW: "field", SNAKE_NZ: "field"}
WINS: dict[str, tuple[int, ...] | str] = {
    CRAPS: (4, 5),
    SIC_BO: (6, 5, 2),
    TWO_UP: "HH",
    SNAKE_NSW: (4, 5),
    SNAKE_NZ: (4, 5),
}


def throw(talk: Talk, outcome: tuple[int, ...] | str) -> Reply:
    """Throw; close the bets first where the book requires that."""
    if talk.book in CLOSED_BOOKS:
        return talk.close_and(outcome)
    assert not isinstance(outcome, str)
    return talk.roll(*outcome)
