"""One player's game: the table, the dice, and the state behind undo, rebet, double and clear."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Sequence
from copy import copy

import msgspec

from croupier.contract.shown_events import EventView, Thrown
from croupier.felt.areas import Spot, Standing, spots_of, standing, wager_name, winning_keys
from croupier.felt.past_results import counted_out
from croupier.money import format_cents
from croupier.rules import schema
from croupier.rules.game import Game
from croupier.rules.machine import Pick
from croupier.rules.outcomes import Face, Faces
from croupier.table import commands
from croupier.table.decide import Refused, Table
from croupier.table.refusals import Refusal
from croupier.table.state import State
from croupier.table.thrower import next_thrower

YOU = "you"


class Result(msgspec.Struct, frozen=True):
    """A past throw: the faces, the call, the thrower, and the player's net result.

    `full` are the picks on which wagers that count results won with it.
    """

    faces: Faces
    call: str
    by: str | None
    net_cents: int
    full: tuple[Pick, ...] = ()


class Batch(msgspec.Struct, frozen=True):
    """Several wagers moved at once: the events, and the refusals by wager name."""

    events: list[EventView]
    refused: list[tuple[str, Refusal]]


class SoloGame:
    """The game of one player against the house."""

    def __init__(self, table: Table, dice: Dice, chips_cents: int) -> None:
        self.table = table
        self.dice = dice
        self.rack_cents = chips_cents  # the value of a new rack
        self.bought_cents = chips_cents
        self.results: list[Result] = []
        self.won: set[tuple[str, Pick]] = set()
        self.spots: list[Spot] = spots_of(table.view.game.book)
        order = list(table.view.game.book.wagers)
        self.spots_in_order = sorted(self.spots, key=lambda spot: (order.index(spot.wager.id), spot.travelled))
        self._steps: list[tuple[State, int]] = []
        self._stood: list[tuple[str, Pick, int]] = []

    @property
    def game(self) -> Game:
        """The book with its odds settled."""
        return self.table.view.game

    @property
    def rules(self) -> schema.Rules:
        """The rules of the book."""
        return self.game.book.rules

    @property
    def in_hand(self) -> int:
        """Chips in hand, in cents."""
        return self.table.state.chips[YOU]

    @property
    def standing(self) -> list[Standing]:
        """The player's wagers."""
        return standing(self.table.view, YOU)

    @property
    def on_layout(self) -> int:
        """The total of all stakes, in cents."""
        return sum(held.stake.amount for held in self.standing)

    @property
    def broke(self) -> bool:
        """Whether there are no wagers and the chips in hand are worth less than the smallest chip."""
        return not self.standing and self.in_hand < self.table.state.settings.chip

    @property
    def thrower(self) -> str | None:
        """The next thrower; None is the house."""
        return next_thrower(self.table.view)

    def do(self, command: commands.AnyCommand) -> list[EventView]:
        """Move chips, in a way that can be undone. Raises Refused."""
        before = self._snapshot()
        happened = self.table.do(command)
        self._steps.append(before)
        return happened

    def bet(self, wager: str, pick: object, amount: int) -> list[EventView]:
        """Make a wager or add to it. Raises Refused."""
        return self.do(commands.PlaceWager(player=YOU, wager=wager, pick=pick, amount=amount))

    def take(self, wager: str, pick: object, amount: int | None) -> list[EventView]:
        """Take chips back. Raises Refused."""
        return self.do(commands.TakeWager(player=YOU, wager=wager, pick=pick, amount=amount))

    def call(self, wager: str, pick: object, on: bool) -> list[EventView]:
        """Call a wager On or Off. Raises Refused."""
        return self.do(commands.CallWager(player=YOU, wager=wager, pick=pick, on=on))

    def undo(self) -> bool:
        """Restore the table to before the last move of chips; False if there was none since the last throw."""
        if not self._steps:
            return False
        self.table.state, length = self._steps.pop()
        del self.table.history[length:]
        return True

    @property
    def may_undo(self) -> bool:
        """Whether chips have been moved since the last throw."""
        return bool(self._steps)

    @property
    def may_rebet(self) -> bool:
        """Whether there were wagers at an earlier throw."""
        return bool(self._stood)

    def rebet(self) -> Batch:
        """Place the wagers of the last throw again, except those that still stand."""
        now = {held.key: held.stake.amount for held in self.standing}
        wanted = [(wager, pick, amount - now.get((wager, pick), 0)) for wager, pick, amount in self._stood]
        return self._all([_place(wager, pick, amount) for wager, pick, amount in wanted if amount > 0])

    def double(self) -> Batch:
        """Double every standing wager."""
        return self._all([_place(*held.key, held.stake.amount) for held in self.standing])

    def clear(self) -> Batch:
        """Take down every wager that may be taken down."""
        held = [(wager, pick) for wager, pick in (held.key for held in self.standing)]
        return self._all([commands.TakeWager(player=YOU, wager=wager, pick=pick) for wager, pick in held])

    def call_all(self, on: bool) -> Batch:
        """Call every wager On or Off that can be called (reading CR-14)."""
        held = [held.key for held in self.standing if held.wager.can_be_called]
        return self._all([commands.CallWager(player=YOU, wager=wager, pick=pick, on=on) for wager, pick in held])

    def _all(self, moves: list[commands.PlaceWager] | list[commands.TakeWager] | list[commands.CallWager]) -> Batch:
        """Make several moves that are undone as one."""
        before, batch = self._snapshot(), Batch([], [])
        for move in moves:
            wager, pick = self.game.wager(move.wager), _plain(move.pick)
            if isinstance(move, commands.TakeWager) and self.table.view.find(YOU, wager.id, pick) is None:
                continue  # already returned with the wager it stood behind
            try:
                batch.events.extend(self.table.do(move))
            except Refused as refused:
                batch.refused.append((wager_name(wager, pick), refused.refusal))
        if batch.events:
            self._steps.append(before)
        return batch

    def throw(self) -> list[EventView]:
        """Close betting, then draw the dice or coins, and settle."""
        view, wealth = self.table.view, self.in_hand + self.on_layout
        self._stood = [(*held.key, held.stake.amount) for held in self.standing] or self._stood
        self._steps.clear()
        betting = copy(self.table)
        betting.state = msgspec.structs.replace(view.state, bets_open=True)
        closed = self.table.no_more_bets() if self.rules.betting is not None and view.state.bets_open else []
        faces = self.dice.throw(self.rules.throw.faces, self.rules.throw.throw)
        self.won = winning_keys(betting, YOU, self.spots, view.game.book.outcomes.index[faces])
        known = len(self.table.history)
        fell = self.table.do(commands.Throw(faces=faces))
        thrown = next(row for row in fell if isinstance(row, Thrown))
        full = counted_out(self.table.history[known:])
        self.results.append(Result(faces, thrown.call, thrown.by, self.in_hand + self.on_layout - wealth, full))
        return closed + fell

    def buy_chips(self) -> str:
        """Buy a new rack of chips, for a player who has none; return its value."""
        self.table.do(commands.BuyChips(player=YOU, chips=self.rack_cents))
        self.bought_cents += self.rack_cents
        self._steps.clear()
        return format_cents(self.rack_cents)

    def _snapshot(self) -> tuple[State, int]:
        return self.table.state, len(self.table.history)


def _place(wager: str, pick: Pick, amount: int) -> commands.PlaceWager:
    return commands.PlaceWager(player=YOU, wager=wager, pick=pick, amount=amount)


def _plain(pick: object) -> Pick:
    return pick if isinstance(pick, int | str | tuple) else None


# -- electronic dice and coins, drawn only after betting is closed (reading X-3) --------------------------------------


class Dice:
    """Dice or coins thrown with `below(n)`, a uniform number from 0 to n-1."""

    def __init__(self, below: Callable[[int], int], seed: int | None = None) -> None:
        self._below = below
        self.seed = seed

    def throw(self, faces: Sequence[Face], count: int) -> Faces:
        """Throw, and return the faces."""
        return tuple(faces[self._below(len(faces))] for _ in range(count))


def electronic() -> Dice:
    """Return dice driven by the operating system's unbiased generator."""
    return Dice(secrets.randbelow)


def seeded(seed: int) -> Dice:
    """Return dice that repeat the same throws for a seed: for tests and demonstrations."""
    return Dice(random.Random(seed).randrange, seed)
