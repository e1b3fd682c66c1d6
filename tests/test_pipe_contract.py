"""The pipe as another program meets it: the shape of a reply, the commands, what is refused.

The driver below is what all tests/test_pipe_*.py speak through. It knows the contract and nothing of the package.
"""

from __future__ import annotations

import json
import re
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from croupier.pipe import Pipe
from croupier.rules.shelf import Shelf

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


def fields_of(name: str) -> dict[str, object]:
    """The wager and pick fields that a token stands for."""
    wager, _, pick = name.partition(":")
    if not pick:
        return {"wager": wager}
    if "," in pick:
        return {"wager": wager, "pick": [int(face) for face in pick.split(",")]}
    return {"wager": wager, "pick": int(pick) if pick.isdigit() else pick}


def check_shape(reply: Reply, book: str | None) -> None:
    """What the contract says of every reply."""
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
    """A conversation with one table; every reply is checked for its shape, every refusal for changing nothing."""

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
        """No more bets, then the dice or the coins."""
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
    """The wagers of a reply in one order, since any order is allowed."""
    return sorted(json.dumps(wager, sort_keys=True) for wager in reply["wagers"])


def settled(reply: Reply, player: str = "ann") -> dict[str, tuple[str, str, str, str]]:
    """Result, stake, winnings and return of each wager of a player that a reply settles."""
    found: dict[str, tuple[str, str, str, str]] = {}
    for event in reply["events"]:
        if event["type"] == "wager_settled" and event["player"] == player:
            name = token(event["wager"], event["pick"])
            assert name not in found, f"{name} settled twice"
            found[name] = (event["result"], event["stake"], event["paid"], event["returned"])
    return found


def clauses(reply: Reply) -> dict[str, str]:
    """The clause behind each settlement of a reply."""
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
    """Throw, closing the bets first where the book wants it."""
    if talk.book in CLOSED_BOOKS:
        return talk.close_and(outcome)
    assert not isinstance(outcome, str)
    return talk.roll(*outcome)


@pytest.fixture(params=BOOKS)
def book(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def talk(book: str) -> Talk:
    return Talk(book, seats={"ann": "100.00", "bob": "50.00"})


def test_the_contracts_own_example_pays_the_line_and_the_money_behind_it() -> None:
    talk = Talk()
    lines = [
        '{"do":"open","book":"craps-nsw-2024","chip":"1.00"}',
        '{"do":"seat","player":"ann","chips":"1000.00"}',
        '{"do":"bet","player":"ann","wager":"win_line","amount":"10.00"}',
        '{"do":"roll","dice":[3,3]}',
        '{"do":"bet","player":"ann","wager":"behind_win_line","amount":"20.00"}',
        '{"do":"roll","dice":[4,2]}',
    ]
    replies = [talk.send(line.encode()) for line in lines]
    assert all(reply["ok"] for reply in replies)
    assert [reply["chips"].get("ann") for reply in replies] == [
        None,
        "1000.00",
        "990.00",
        "990.00",
        "970.00",
        "1034.00",
    ]
    assert [reply["puck"] for reply in replies] == [None, None, None, 6, 6, None]
    assert settled(replies[-1]) == {
        "win_line": ("win", "10.00", "10.00", "20.00"),
        "behind_win_line": ("win", "20.00", "24.00", "44.00"),
    }
    assert replies[4]["wagers"][1] == {
        "player": "ann",
        "wager": "behind_win_line",
        "pick": None,
        "amount": "20.00",
        "on": True,
    }


def test_a_plain_wager_wins_one_to_one_and_comes_off_the_layout(book: str, talk: Talk) -> None:
    wager = PLAIN[book]
    assert talk.bet(wager, "10.00")["chips"] == {"ann": "90.00", "bob": "50.00"}
    assert talk.standing() == {wager: "10.00"}
    assert settled(throw(talk, WINS[book])) == {wager: ("win", "10.00", "10.00", "20.00")}
    assert talk.last["wagers"] == []
    assert talk.last["chips"] == {"ann": "110.00", "bob": "50.00"}


def test_a_second_bet_adds_to_the_first_and_a_take_reduces_or_removes(book: str, talk: Talk) -> None:
    wager = PLAIN[book]
    talk.bet(wager, "10.00")
    talk.bet(wager, "5.00")
    assert talk.standing() == {wager: "15.00"}
    talk.take(wager, "4.00")
    assert (talk.standing(), talk.chips()) == ({wager: "11.00"}, "89.00")
    talk.no_take(wager, "12.00")
    talk.no_take(wager, player="bob")
    talk.take(wager)
    assert (talk.standing(), talk.chips()) == ({}, "100.00")
    talk.no_take(wager)


def test_only_craps_replies_carry_a_puck_and_on(book: str, talk: Talk) -> None:
    reply = talk.bet(PLAIN[book], "10.00")
    assert ("puck" in reply) == (book == CRAPS)
    assert ("on" in reply["wagers"][0]) == (book == CRAPS)


@pytest.mark.parametrize("verb", ["seat", "bet", "take", "call", "no_more_bets", "roll", "spin", "void"])
def test_a_command_before_open_is_refused_and_the_table_may_still_open(verb: str) -> None:
    talk = Talk()
    fields: dict[str, object] = {"player": "ann", "chips": "1.00", "wager": "field", "amount": "1.00", "on": True}
    reply = talk.no(verb, **fields, dice=[1, 2], coins="HH", reason="5.2.1")
    assert (reply["chips"], reply["wagers"]) == ({}, [])
    talk.do("open", book=CRAPS)
    talk.do("seat", player="ann", chips="1.00")


def test_a_second_open_and_a_second_seat_for_a_player_are_refused(book: str, talk: Talk) -> None:
    talk.no("open", book=book)
    talk.no("open", book=SIC_BO if book == CRAPS else CRAPS)
    talk.no("seat", player="ann", chips="1.00")
    talk.no("seat", player="ann", chips="100.00")
    talk.do("seat", player="cat", chips="7.00")
    assert talk.last["chips"] == {"ann": "100.00", "bob": "50.00", "cat": "7.00"}


OPEN_REFUSED: list[dict[str, object]] = [
    {},
    {"book": "craps"},
    {"book": None},
    {"book": 3},
    {"book": ["craps-nsw-2024"]},
    {"book": "../craps-nsw-2024"},
    {"book": CRAPS, "chip": "0.00"},
    {"book": CRAPS, "chip": 1},
    {"book": CRAPS, "chip": "1"},
    {"book": CRAPS, "min": 5},
    {"book": CRAPS, "min": "-5.00"},
    {"book": CRAPS, "max": "lots"},
    {"book": CRAPS, "max": 100.0},
    {"book": CRAPS, "units": "some"},
    {"book": CRAPS, "units": True},
    {"book": CRAPS, "dice": "loaded"},
    {"book": CRAPS, "dice": 2},
    {"book": SIC_BO, "super_streak": 10},
    {"book": SIC_BO, "super_streak": "ten"},
    {"book": SNAKE_NSW, "pay_table": "three"},
    {"book": SNAKE_NSW, "pay_table": 1},
    {"book": SNAKE_NSW, "pay_table": {"field": 1}},
    {"book": SNAKE_NZ, "pay_table": "one"},
    {"book": SNAKE_NZ, "pay_table": ["field"]},
    {"book": CRAPS, "at": "yesterday"},
    {"book": CRAPS, "at": 5},
]


@pytest.mark.parametrize("fields", OPEN_REFUSED, ids=lambda fields: json.dumps(fields)[:60])
def test_an_unknown_value_of_a_field_of_open_is_refused_and_leaves_no_table(fields: dict[str, object]) -> None:
    talk = Talk()
    talk.no("open", **fields)
    talk.no("seat", player="ann", chips="1.00")
    talk.do("open", book=CRAPS)


@pytest.mark.parametrize(
    "fields",
    [
        {"chip": "0.01"},
        {"chip": "2.50", "min": "5.00", "max": "500.00"},
        {"units": "any"},
        {"units": "exact"},
        {"dice": "auto"},
        {"colour": "green", "doo": [1, {}], "": None},
        {"at": "2026-11-15T03:01:00Z"},
        {"at": "2026-11-15T03:01:00+10:00"},
        {"at": "2026-11-15"},
    ],
    ids=json.dumps,
)
def test_open_takes_its_optional_fields_and_ignores_unknown_ones(book: str, fields: dict[str, object]) -> None:
    assert Talk(book, **fields).chips() == "100000.00"


def test_manual_dice_are_refused_in_plain_words_until_they_are_there(book: str) -> None:
    reply = Talk().no("open", book=book, dice="manual")
    assert reply["code"] == "not_available"


def test_unknown_fields_are_ignored_and_any_command_may_carry_at(book: str) -> None:
    more = {"at": "2026-11-15T20:00:00+10:00", "note": "x", "deep": {"do": "open", "ok": [None, 1.5e300]}}
    talk = Talk()
    talk.do("open", book=book, **more)
    talk.do("seat", player="ann", chips="100.00", **more)
    talk.do("bet", player="ann", wager=PLAIN[book], amount="10.00", **more)
    talk.do("take", player="ann", wager=PLAIN[book], amount="5.00", **more)
    if book in CLOSED_BOOKS:
        talk.do("no_more_bets", **more)
    outcome = WINS[book]
    talk.do("spin", coins=outcome, **more) if book == TWO_UP else talk.do("roll", dice=list(outcome), **more)
    assert talk.chips() == "105.00"
