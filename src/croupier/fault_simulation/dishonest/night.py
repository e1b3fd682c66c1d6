"""A night at the dishonest house: honest players, and honest rounds before the cheating starts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from croupier.fault_simulation.dishonest.house import CrookedHouse
from croupier.fault_simulation.dishonest.players import Player
from croupier.fault_simulation.dishonest.verdict import Defences
from croupier.rules.shelf import Shelf

PLAYERS = ("ann", "ben")
MOST_ROUNDS = 200  # until one has what a cheat needs


class Night:
    """The house and its honest players."""

    def __init__(self, shelf: Shelf, book: str, random: Random, defences: Defences, *, numbers: bool = True) -> None:
        self.house = CrookedHouse(shelf, book, random)
        self.defences = defences
        self._numbers = numbers and defences.numbers
        self.players: list[Player] = []
        self.welcome(*PLAYERS)
        self.ann, self.ben = self.players
        for _ in range(2):
            self.honest_round()

    def welcome(self, *names: str) -> None:
        """Add honest players."""
        for name in names:
            self.players.append(Player(name, self.house, numbers=self._numbers, receipts=self.defences.receipts))

    def honest_round(self) -> None:
        """Play a round in which all bet and nothing is manipulated."""
        self.open()
        self.everybody_bets()
        self.house.shut()
        self.house.draw()
        self.seal()

    def open(self, entropy: Callable[[int], bytes] | None = None) -> None:
        """Open a round that takes bets; play out those that take none."""
        for _ in range(MOST_ROUNDS):
            self.house.open(entropy)
            if not self.house.round.brief:
                return
            self.house.shut()
            self.house.draw()

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
            self.house.shut()
            self.house.draw()
        raise AssertionError("nobody could bet")

    def seal(self) -> None:
        """Make a checkpoint, and hand it to the witness if there is one."""
        self.house.seal(witness=self.defences.witness)
