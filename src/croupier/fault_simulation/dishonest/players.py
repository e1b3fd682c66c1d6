"""Honest players, who bet, contribute numbers, keep receipts and report what is wrong; and a trial of the house.

Numbers and receipts are handled as `croupier.client` does for every program, and the pages for people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

import msgspec

from croupier.client.connection import BadReceipt, Refused, Unreachable
from croupier.client.numbers import Asking, Following
from croupier.client.receipts import Receipts
from croupier.contract import replies
from croupier.contract.replies import Done, OrderReply, ProblemBody
from croupier.fault_simulation.dishonest.dishonest_house import NO_ANSWER, STREAM, TABLE, DishonestHouse, shuts
from croupier.house import orders
from croupier.house.house import digest
from croupier.house.orders import Order
from croupier.house.stored_events import Entry
from croupier.house.views.visibility import Shown, Viewer, show_table
from croupier.rules.shelf import Shelf
from croupier.store.receipts import Receipt
from croupier.table.state import TableView


class Defences(msgspec.Struct, frozen=True):
    """What honest people have. A test removes one to show that nothing else detects a cheat.

    `unlooked` are faults that verify-dice is not asked for.
    """

    numbers: bool = True
    receipts: bool = True
    witness: bool = False
    doubts: bool = True
    unlooked: frozenset[str] = frozenset()


class HonestPlayer:
    """A player at the house. Without numbers and receipts they can check almost nothing."""

    def __init__(self, name: str, house: DishonestHouse, *, numbers: bool, receipts: bool) -> None:
        self.name = name
        self.house = house
        self.bets: list[orders.Say] = []
        self.doubts: list[str] = []
        self.receipts = Receipts(None, None)
        self._keeps = receipts
        self.drawn = b""  # this round's number: secret, unless the page gives it away
        # Private randomness: the house's own reveals nothing about it.
        self._chance = Random(f"{name} {house.random.getrandbits(64)}")
        asking = Asking(self._table, self._put_in, self._show, self._signed, self._dice)
        self._own = Following(TABLE, asking, self.doubts, self._draw) if numbers else None
        house.welcome(name)
        house.listening.append(self)
        self.order(orders.Sit(table=TABLE, cents=1_000_00 * 100))

    def _draw(self, size: int) -> bytes:
        self.drawn = self._chance.randbytes(size)
        return self.drawn

    # Orders

    def order(self, order: Order) -> OrderReply:
        """Give an order, and keep the house's receipt for it."""
        given = self.house.submission(self.house.as_taken(order), self.name)
        instead = self.house.instead(order)
        if instead is not None:
            return instead
        if self.house.swallows:
            self._keep(self.house.receipt(self.house.store.head(STREAM).version, digest(order).hex()))
            return Done(ok=True, versions={})
        told = self.house.carry_out(given)
        if isinstance(told, Done) and STREAM in told.versions:
            self._keep(self.house.receipt(told.versions[STREAM], digest(order).hex()))
        return told

    def bet(self) -> bool:
        """Bet with a number; return whether anything was accepted."""
        number = None if self._own is None else self._own.with_bet(self.house.round.number)
        answers: list[OrderReply] = []

        def give(order: orders.Say) -> OrderReply:
            answers.append(self.order(order))
            return answers[-1]

        order = self.house.bet(give, lambda: number)
        if order is None:
            return False
        self.bets.append(order)
        done = answers[-1]
        if self._own is not None and isinstance(done, Done):
            self._own.has_bet(done.number)
        return True

    def say_ready(self, *, ready: bool = True) -> OrderReply:
        """Say that the bets may be shut, or take that back."""
        number = self.house.round.number
        if ready and self._own is not None:
            self._own.with_ready(number)
        return self.order(orders.SayReady(table=TABLE, round=number, ready=ready))

    @property
    def has_number_in(self) -> bool:
        """Whether a number of theirs is in the round."""
        return self.name in self.house.round.players

    # Events

    def hear(self, entry: Entry) -> None:
        """Receive an event at the table; when betting closes, everyone gets a receipt."""
        if shuts(entry):
            self._keep(self.house.receipt(entry.version))
        view = TableView(self.house.shelf, self.house.table.game)
        self.told(Shown(view, entry).to(Viewer(self.name)))

    def told(self, entry: replies.Entry) -> None:
        """Receive what the house reports, true or false."""
        if self._own is not None:
            self._own.heard(entry)

    # Requests of the client

    def _keep(self, receipt: Receipt | None) -> None:
        if receipt is None or not self._keeps:
            return
        try:
            self.receipts.keep(receipt, self._ask)
        except BadReceipt as error:
            self.doubts.append(str(error))

    def _ask(self, _stream: str, version: int) -> Receipt | None:
        return self.house.receipt(version)

    def _table(self, _: str) -> replies.Table:
        house = self.house.house
        return show_table(house.shelf, house.table(TABLE), house.head(STREAM), Viewer(self.name))

    def _put_in(self, table: str, round: int, committed: str) -> Done:
        return _done(self.order(orders.PutInNumber(table=table, round=round, number=committed)))

    def _show(self, table: str, round: int, number: str) -> Done:
        return _done(self.order(orders.ShowNumber(table=table, round=round, number=number)))

    def _dice(self, _: str) -> tuple[list[int | str], int]:
        rules = self.house.book.rules.throw
        return list(rules.faces), rules.throw

    def _signed(self, _: str, version: int) -> Receipt:
        """Return the house's receipt. Players who keep none take its word."""
        signed = self.house.signs(version)
        if signed is None:
            raise Unreachable("The house does not answer.")
        self._keep(signed)
        return signed

    def look_again(self) -> None:
        """Come back later, and have the house prove that it still has the history that it signed."""
        try:
            self.receipts.confirm(self._ask)
        except BadReceipt as error:
            self.doubts.append(str(error))


def _done(told: OrderReply) -> Done:
    if told is NO_ANSWER:
        raise Unreachable("The house does not answer.")
    if isinstance(told, ProblemBody):
        raise Refused(told.code, None, told.message, 409)
    return told


def all_receipts(players: Iterable[HonestPlayer]) -> list[Receipt]:
    """Return the receipts of all players together."""
    return [receipt for player in players for receipt in player.receipts]


PLAYERS = ("ann", "ben")
MOST_ROUNDS = 200  # until one has what a cheat needs


class Trial:
    """A dishonest house and its honest players, who play honest rounds before the cheating starts."""

    def __init__(self, shelf: Shelf, book: str, random: Random, defences: Defences, *, numbers: bool = True) -> None:
        self.house = DishonestHouse(shelf, book, random)
        self.defences = defences
        self._numbers = numbers and defences.numbers
        self.players: list[HonestPlayer] = []
        self.welcome(*PLAYERS)
        self.ann, self.ben = self.players
        for _ in range(2):
            self.honest_round()

    def welcome(self, *names: str) -> None:
        """Add honest players."""
        for name in names:
            self.players.append(HonestPlayer(name, self.house, numbers=self._numbers, receipts=self.defences.receipts))

    def honest_round(self) -> None:
        """Play a round in which all bet and nothing is manipulated."""
        self.open()
        self.everybody_bets()
        self.finish()

    def open(self, entropy: Callable[[int], bytes] | None = None) -> None:
        """Open a round that takes bets; play out those that take none."""
        for _ in range(MOST_ROUNDS):
            self.house.open(entropy)
            if not self.house.round.brief:
                return
            self.house.play_out()

    def everybody_bets(self) -> bool:
        """Have everyone at the table bet; return whether all bets were accepted."""
        here = [player for player in self.players if player in self.house.listening]
        return sum(player.bet() for player in here) == len(here)

    def open_with_bets(self, entropy: Callable[[int], bytes] | None = None) -> None:
        """Open a round and have everyone bet in it."""
        for _ in range(MOST_ROUNDS):
            self.open(entropy)
            if self.everybody_bets():
                return
            self.house.play_out()
        raise AssertionError("no round took a bet")

    def finish(self) -> None:
        """Play the round out, and make a checkpoint."""
        self.house.play_out()
        self.seal()

    def seal(self) -> None:
        """Make a checkpoint, and hand it to the witness if there is one."""
        self.house.seal(witness=self.defences.witness)
