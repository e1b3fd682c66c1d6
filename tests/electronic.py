"""Tables with electronic dice for the tests: a house whose clock is moved by hand, what it stored, and what an insider
could write instead.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from msgspec import UNSET

from croupier.contract.replies import OrderReply
from croupier.house import orders
from croupier.house.electronic.fair_dice import NUMBER_BYTES, drawn, mixed, number_commitment
from croupier.house.electronic.public_record import public_record
from croupier.house.electronic.verification import Verdict, verify_dice
from croupier.house.events import Rhythm
from croupier.house.house import House
from croupier.house.orders import Order, Submission
from croupier.store.records import Committed, Record, anchor, link
from tests.tables import SHELF

TABLE, STREAM = "night-1", "table/night-1"
PLAYERS = ("zzann", "zzbob")
STAFF = "zzdora"
STAKE = "1234.00"
ROUNDS = 8

Plain = dict[str, Any]


def own_number(player: str, round: int) -> bytes:
    """A player's number for a round."""
    return random.Random(f"{player} {round}").randbytes(NUMBER_BYTES)


def own_commitment(table: str, player: str, round: int) -> str:
    """The commitment to it that the player sends with a bet."""
    return number_commitment(table, round, own_number(player, round))


class Running:
    """A house with one table, and everything that it stored."""

    def __init__(self, book: str, seed: int, rhythm: Rhythm | None, *, numbers: bool = True) -> None:
        self.numbers = numbers  # whether players put numbers of their own in
        self.book = SHELF.book(book)
        self.house = House(SHELF)
        self.random = random.Random(seed)
        self.now = datetime(2026, 2, 3, 20, tzinfo=UTC)
        self.stored: dict[str, list[Record]] = {}
        self.ids = (f"order {number}" for number in itertools.count(1))
        for stream in (STREAM, *(f"account/{person}" for person in (*PLAYERS, STAFF))):
            self.house.take_in(stream, [])
        line = {"book": book, "chip": "1.00"}
        self.ask(orders.SetTable(table=TABLE, title="The night table", line=line, rhythm=rhythm))
        for player in PLAYERS:
            self.ask(orders.OpenAccount(person=player, name=player.title(), cents=10_000_000_00))
            self.ask(orders.IssueCard(person=player))
            self.ask(orders.Sit(table=TABLE, cents=5_000_000_00), player)

    def try_to(self, deed: Order, who: str | None = None) -> OrderReply:
        pending = self.house.decide(Submission(id=next(self.ids), order=deed, who=who), self.now, self.random.randbytes)
        for stream, draft in pending.drafted.items():
            made = [Record(stream, entry.version, entry.stored, entry.hash) for entry in draft.entries]
            self.stored.setdefault(stream, []).extend(made)
        answer = self.house.settle(pending, Committed(()))
        assert answer is not None
        return answer

    def ask(self, deed: Order, who: str | None = None) -> OrderReply:
        answer = self.try_to(deed, who)
        assert answer["ok"], answer
        return answer

    def bet(self, player: str) -> bool:
        """Try some bet, with a number; return whether it was accepted."""
        wager = self.random.choice(self.book.rules.wagers)
        pick = self.random.choice(list(self.book.picks(wager)))
        line = {"do": "bet", "wager": wager.id, "pick": pick, "amount": STAKE}
        round = self.house.table(TABLE).rounds
        number = own_commitment(TABLE, player, round) if self.numbers else UNSET
        return bool(self.try_to(orders.Say(table=TABLE, line=line, round=round, number=number), player)["ok"])

    def show(self, player: str) -> OrderReply:
        """Reveal a player's number."""
        round = self.house.table(TABLE).rounds
        return self.try_to(orders.ShowNumber(table=TABLE, round=round, number=own_number(player, round).hex()), player)

    def step(self) -> None:
        """Take the next step of the table's clock."""
        ((when, table),) = self.house.due()
        self.now = max(self.now, when) + timedelta(microseconds=self.random.randrange(10_000))
        self.ask(orders.RunOn(table=table))

    def play(self, rounds: int) -> None:
        """Play this many rounds, from the opening of each to its throw, with bets before and after the last call.

        All players reveal their numbers, with one exception: the second player's number in the second round is missing.
        """
        for _ in range(rounds):
            self.step()
            while (current := self.house.table(TABLE).round) is not None:
                while not self.house.table(TABLE).is_shut and self.random.random() < 0.7:
                    self.bet(self.random.choice(PLAYERS))
                if self.house.table(TABLE).is_shut:
                    for player in current.players:
                        if (player, current.number) != (PLAYERS[1], 2):
                            assert self.show(player)["ok"]
                self.step()


@cache
def played(book: str, rounds: int = ROUNDS, seed: int = 63) -> tuple[Record, ...]:
    """Everything that a table of this book stored in this many rounds."""
    running = Running(book, seed, Rhythm())
    running.play(rounds)
    return tuple(running.stored[STREAM])


def public(book: str, records: Iterable[Record]) -> list[bytes]:
    """The public record."""
    return list(public_record(STREAM, SHELF.book(book).rules.throw, records))


def verified(book: str, records: Iterable[Record], seen: Iterable[str] = ()) -> Verdict:
    """The findings of its verification."""
    return verify_dice(public(book, records), seen)


def faults(verdict: Verdict) -> set[str]:
    return {finding.fault for finding in verdict.findings}


# -- what an insider could write --------------------------------------------------------------------------------------

Writing = list[Plain]  # documents, read
Change = Callable[[Writing], None]
KEEP = "keep"  # marks a document that stays as it is when the rest is made to fit
KEEP_TIME = "keep time"  # and one whose time does


def chained(documents: Iterable[bytes]) -> list[Record]:
    """Documents as the records of the table's stream, with a valid hash chain."""
    return list(_chained(documents))


def _chained(documents: Iterable[bytes]) -> Iterator[Record]:
    hashed = anchor(STREAM)
    for version, document in enumerate(documents, 1):
        hashed = link(hashed, document)
        yield Record(STREAM, version, document, hashed)


def read(record: Record) -> Plain:
    document: Plain = json.loads(record.document)
    return document


def written(document: Plain) -> bytes:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()


def forged(book: str, change: Change) -> list[Record]:
    """The stream as an insider would write it who knows every secret: one change, and everything after it made to
    fit."""
    documents = [read(record) for record in played(book)]
    change(documents)
    return list(_chained(_fitted(book, documents)))


def _fitted(book: str, documents: Writing) -> Iterator[bytes]:
    """No time is before the previous one; each draw has the hash of its bets, at the point where they are first
    closed, and its numbers; each throw is the one that is drawn."""
    rules = SHELF.book(book).rules.throw
    hashed, shut, time = anchor(STREAM), b"", ""
    listed: list[str] = []
    fell: list[object] = []
    for document in documents:
        event, fits = document["event"], not document.pop(KEEP, False)
        if not document.pop(KEEP_TIME, False):
            document["at"] = time = max(document["at"], time)
        match event["type"]:
            case "dice_drawn":
                if fits:
                    secret = bytes.fromhex(event["secret"])
                    numbers = zip(listed, event["numbers"], strict=False)
                    mix = mixed(TABLE, event["number"], numbers)
                    event |= {"shut": shut.hex(), "faces": list(drawn(secret, mix, rules.faces, rules.throw))}
                fell = event["faces"]
            case "thrown" if fits:
                event["faces"] = fell
        raw = written(document)
        hashed = link(hashed, raw)
        match event["type"]:
            case "round_opened":
                shut, listed = b"", []
            case "bets_shut" if not shut:
                shut, listed = hashed, event["numbers"]
        yield raw


def place(documents: Writing, kind: str, nth: int = 3) -> int:
    """The index of the third event of a kind, or of another one."""
    return [at for at, document in enumerate(documents) if document["event"]["type"] == kind][nth - 1]
