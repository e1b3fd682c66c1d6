"""A night at the dishonest house: honest players, and rounds in which nothing is wrong yet."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from croupier.fault_simulation.dishonest.house import CrookedHouse
from croupier.fault_simulation.dishonest.players import Player
from croupier.fault_simulation.dishonest.verdict import Defences
from croupier.rules.shelf import Shelf

PLAYERS = ("ann", "ben")
MOST_ROUNDS = 200  # until there is one with what a cheat needs


class Night:
    """The house, and the honest players there."""

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
        """More honest players."""
        for name in names:
            self.players.append(Player(name, self.house, numbers=self._numbers, receipts=self.defences.receipts))

    def honest_round(self) -> None:
        """All bet, and it falls as it falls."""
        self.open()
        self.everybody_bets()
        self.house.shut()
        self.house.draw()
        self.seal()

    def open(self, entropy: Callable[[int], bytes] | None = None) -> None:
        """A round that takes bets; those that take none are played to their end."""
        for _ in range(MOST_ROUNDS):
            self.house.open(entropy)
            if not self.house.round.brief:
                return
            self.house.shut()
            self.house.draw()

    def everybody_bets(self) -> bool:
        """Whether all who are at the table have something in the round."""
        here = [player for player in self.players if player in self.house.listening]
        return sum(player.bet() for player in here) == len(here)

    def open_with_bets(self, entropy: Callable[[int], bytes] | None = None) -> None:
        """A round in which everybody has made a bet."""
        for _ in range(MOST_ROUNDS):
            self.open(entropy)
            if self.everybody_bets():
                return
            self.house.shut()
            self.house.draw()
        raise AssertionError("nobody could bet")

    def seal(self) -> None:
        """A checkpoint, for a witness where there is one."""
        self.house.seal(witness=self.defences.witness)
